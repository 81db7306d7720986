import { describe, expect, test } from "vitest";
import type { Template } from "../model/argo/template.js";
import { viewPod } from "../podlife/index.js";
import type { Change } from "./contract.js";
import { Drive, echo, workflowOf } from "./engine.fixture.js";

const tasks = [
  { name: "a", template: "echo", withItems: ["x"] },
  { name: "b", template: "echo", depends: "a" },
] as const;
const inner: Template = { name: "inner", dag: { tasks } };

describe("a hook that waits for a place has none any more once there is a fault, and holds nothing up", () => {
  test("in a DAG", () => {
    const bad = { template: "echo", expression: 'tasks["b"].status == "Error"' };
    const [a, b] = tasks;
    const main = { name: "main", dag: { tasks: [a, { ...b, hooks: { bad } }, { ...b, name: "c" }] } };
    const drive = suspended(main);
    drive.end("wf.a(0:x)", 0, { result: "no JSON" });
    expect(drive.phase).toBe("Error");
  });

  test("in a group of steps", () => {
    const good = { template: "echo", expression: 'steps["a"].status == "Succeeded"' };
    const steps = [
      [
        { name: "a", template: "echo", hooks: { good } },
        { name: "b", template: "inner" },
      ],
    ];
    const drive = suspended({ name: "main", steps });
    const [a, b] = ["wf[0].a", "wf[0].b.a(0:x)"] as const;
    drive.endUnseen(a);
    drive.endUnseen(b);
    const result = { nodeId: drive.node(b).id, outputs: { result: "no JSON" }, progress: undefined };
    drive.tell([
      { kind: "task-result", result: { ...result, completed: true, final: true } },
      ...[...drive.pods.values()].map((pod): Change => ({ kind: "pod", view: viewPod(pod) })),
    ]);
    expect(drive.phase).toBe("Failed");
  });
});

/** Suspended once all that can begin has begun: a hook that is triggered after that has no place. */
function suspended(main: Template): Drive {
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [main, inner, echo] }));
  drive.restart({ suspend: true });
  return drive;
}
