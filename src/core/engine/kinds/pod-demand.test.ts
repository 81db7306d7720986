import { expect, test } from "vitest";
import { annotations as names } from "../../model/argo/names.js";
import { Drive, plainOptions, start, workflowOf } from "../engine.fixture.js";

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

test("a pod is marked with its workflow's generation, 0 where that is no number", () => {
  const workflow = workflowOf({ entrypoint: "main", templates: [{ name: "main", container }] });
  const marks = ["3", "later", "-1", ""].map((generation) => {
    const annotations = { [names.retryGeneration]: generation };
    const drive = new Drive({ ...workflow, metadata: { ...workflow.metadata, annotations } });
    return drive.podOf("wf").metadata.annotations?.[names.retryGeneration];
  });
  expect(marks).toEqual(["3", "0", "0", "0"]);
});

test("a pod that has gone a second time is made again later, and the node goes on saying what it said", () => {
  const options = { ...plainOptions, podRestartsMax: 1 };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", container }] }), options);
  drive.show("wf", { phase: "Failed", reason: "Evicted" });
  const said = drive.node("wf").message;
  expect(said).toContain("Pod auto-restarting");
  for (const uid of ["pod-1", "pod-2"]) drive.tell([{ kind: "pod-gone", nodeId: "wf", uid }]);
  expect(drive.last?.demands).toEqual([]);
  expect(drive.last?.wakeAt).toBe(start + 1_000);
  expect(drive.node("wf").message).toBe(said);
});
