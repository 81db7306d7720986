import { expect, test } from "vitest";
import { Drive, echo, start, workflowOf } from "../engine/engine.fixture.js";
import type { Template } from "../model/argo/template.js";
import { retry } from "./retry.js";

const first = { name: "a", template: "echo", hooks: { exit: { template: "echo" } } };
const late = { name: "late", template: "inner" };
const inner: Template = { name: "inner", steps: [[{ name: "b", template: "echo" }]] };
const steps: Template = { name: "main", parallelism: 1, steps: [[first], [late]] };
const dag: Template = { name: "main", parallelism: 1, dag: { tasks: [first, { ...late, depends: "a" }] } };

test.each([
  ["steps", [steps, inner], { a: "wf[0].a", b: "wf[1].late[0].b", isHookFirst: true }],
  ["a DAG", [dag, inner], { a: "wf.a", b: "wf.late[0].b", isHookFirst: false }],
])("an exit hook runs again, though what follows its step has the only place: in %s", (_where, templates, run) => {
  const { a, b, isHookFirst } = run;
  const failed = new Drive(workflowOf({ entrypoint: "main", templates: [...templates, echo] }));
  failed.end(a);
  const hook = `${a}.onExit`;
  failed.end(hook, 1);
  failed.end(b, 1);
  expect(failed.phase).toBe("Failed");
  const retried = retry(failed.saved, { now: start });
  if (!retried.ok) throw new Error(retried.error);
  const drive = new Drive(retried.value.workflow);
  for (const nodeName of isHookFirst ? [hook, b] : [b, hook]) drive.end(nodeName);
  expect(drive.phase).toBe("Succeeded");
});
