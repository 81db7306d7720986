import { expect, test } from "vitest";
import { Drive, echo, plainOptions, workflowOf } from "./engine.fixture.js";

test("of a pod that is to be made again nothing is taken up when its node is settled instead", () => {
  const spec = { entrypoint: "main", templates: [{ name: "main", steps: [[{ name: "a", template: "echo" }]] }, echo] };
  const drive = new Drive(workflowOf(spec), { ...plainOptions, podRestartsMax: 1 });
  drive.show("wf[0].a", { phase: "Failed", reason: "Evicted" });
  expect(drive.node("wf[0].a")).toMatchObject({ phase: "Pending", failedPodRestarts: 1 });
  drive.restart({ shutdown: "Terminate" });
  const node = drive.node("wf[0].a");
  expect(node.phase).toBe("Failed");
  expect(node.resourcesDuration).toBeUndefined();
  drive.restart({ shutdown: "Terminate" });
  expect(drive.node("wf[0].a")).toBe(node);
});
