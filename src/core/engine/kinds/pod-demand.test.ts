import { expect, test } from "vitest";
import { Drive, workflowOf } from "../engine.fixture.js";

const container = { image: "busybox", command: ["true"] };
const inputs = { parameters: [{ name: "size", value: "64Mi" }] };

test("both podSpecPatches take the tags of workflow, pod and inputs, the template's comes last", () => {
  const podSpecPatch =
    '{"containers":[{"name":"main","resources":{"limits":{"memory":"{{inputs.parameters.size}}"}}}]}';
  const drive = new Drive(
    workflowOf({
      entrypoint: "main",
      podSpecPatch: 'hostname: "{{workflow.name}}-{{pod.name}}"\nsubdomain: "{{inputs.parameters.size}}"',
      templates: [{ name: "main", container, inputs, podSpecPatch: `{"subdomain":"later"}` }],
    }),
  );
  expect(drive.demands).toMatchObject([{ pod: { spec: { hostname: "wf-wf", subdomain: "later" } } }]);
  const own = new Drive(
    workflowOf({ entrypoint: "main", templates: [{ name: "main", container, inputs, podSpecPatch }] }),
  );
  expect(own.demands).toMatchObject([
    { pod: { spec: { containers: [{ name: "main", resources: { limits: { memory: "64Mi" } } }] } } },
  ]);
});

test("a patch that cannot be read makes the node an Error that shows it", () => {
  const drive = new Drive(
    workflowOf({ entrypoint: "main", podSpecPatch: "[]", templates: [{ name: "main", container }] }),
  );
  expect(drive.phase).toBe("Error");
  expect(drive.node("wf").message).toBe('invalid podSpecPatch "[]": expected one object');
});
