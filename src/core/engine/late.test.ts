import { expect, test } from "vitest";
import { viewPod } from "../podlife/index.js";
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

test("a pod that ends just when its node is ended from outside tells its own end all the same", () => {
  const hooks = { run: { template: "echo", expression: 'workflow.status == "Running"' } };
  const drive = new Drive(workflowOf({ entrypoint: "main", hooks, templates: [{ ...echo, name: "main" }, echo] }));
  const refusal = { kind: "refused", message: "no" } as const;
  const outcome = { demand: "create-pod", nodeId: "wf", podName: "wf", result: refusal } as const;
  drive.endUnseen("wf.hooks.run");
  drive.tell([
    { kind: "outcome", outcome },
    { kind: "pod", view: viewPod(drive.podOf("wf.hooks.run")) },
  ]);
  const node = drive.node("wf.hooks.run");
  expect(drive.phase).toBe("Error");
  expect(node).toMatchObject({ phase: "Failed", outputs: { exitCode: "0" } });
  drive.restart();
  expect(drive.node("wf.hooks.run")).toBe(node);
});

test("a pod whose machine is lost is an Error though nobody will report its outputs", () => {
  const outputs = { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ ...echo, name: "main", outputs }] }));
  drive.begin("wf");
  drive.tell([{ kind: "host-lost", nodeId: drive.node("wf").id, uid: "pod-1" }]);
  expect(drive.node("wf").phase).toBe("Error");
  expect(drive.message).toContain("does not answer");
});

test.each([
  ["host-lost", "pod-gone"],
  ["pod-gone", "host-lost"],
  ["host-lost", "pod-gone", "host-lost", "pod-gone"],
] as const)(
  "a pod that is lost with its machine, and removed by others before that was saved, is lost: %s, %s",
  (...kinds) => {
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ ...echo, name: "main" }] }));
    drive.begin("wf");
    const { id } = drive.node("wf");
    drive.tell(kinds.map((kind) => ({ kind, nodeId: id, uid: "pod-1" })));
    expect(drive.node("wf")).toMatchObject({ phase: "Error", message: expect.stringContaining("does not answer") });
  },
);

test("what a lost machine tells when it answers again comes too late: neither exit code nor outputs are taken up", () => {
  const steps = [
    [
      { name: "a", template: "out" },
      { name: "b", template: "echo" },
    ],
  ];
  const out = { ...echo, name: "out", outputs: { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] } };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", steps }, out, echo] }));
  drive.begin("wf[0].a");
  drive.begin("wf[0].b");
  const uid = drive.pods.get(drive.node("wf[0].a").id)?.metadata.uid ?? "";
  drive.tell([{ kind: "host-lost", nodeId: drive.node("wf[0].a").id, uid }]);
  const lost = drive.node("wf[0].a");
  expect(lost).toMatchObject({ phase: "Error", message: expect.stringContaining("does not answer") });
  drive.end("wf[0].a", 0, { parameters: [{ name: "x", value: "late" }] });
  expect(drive.node("wf[0].a")).toBe(lost);
  drive.restart();
  expect(drive.node("wf[0].a")).toEqual(lost);
  drive.end("wf[0].b");
  expect(drive.phase).toBe("Failed");
  expect(drive.node("wf[0].a").outputs).toBeUndefined();
});
