import { describe, expect, test } from "vitest";
import { nodeIdOf } from "../model/argo/names.js";
import type { Workflow } from "../model/argo/workflow.js";
import type { KubeObject } from "../model/kube/meta.js";
import { viewPod } from "../podlife/index.js";
import { Drive, echo, plainOptions, start, workflowOf } from "./engine.fixture.js";
import { openRun } from "./run.js";

const noFacts = { get: () => null };

test("one container: a node and a pod first, then the end", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  expect(drive.tree()).toEqual(["wf: Pending"]);
  expect(drive.phase).toBe("Running");
  expect(drive.last?.labels).toEqual({
    "workflows.argoproj.io/phase": "Running",
    "workflows.argoproj.io/completed": "false",
  });
  expect(drive.demands.map(({ kind }) => kind)).toEqual(["create-pod"]);
  drive.begin("wf");
  expect(drive.tree()).toEqual(["wf: Running"]);
  drive.end("wf");
  expect(drive.tree()).toEqual(["wf: Succeeded"]);
  expect(drive.phase).toBe("Succeeded");
  expect(drive.node("wf").outputs).toEqual({ exitCode: "0" });
});

test("conditions stand in the order in which they first came up, however often they change", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  const types: string[][] = [];
  const look = (): void => void types.push((drive.conditions ?? []).map(({ type, status }) => `${type} ${status}`));
  look();
  drive.begin("wf");
  look();
  drive.end("wf");
  look();
  expect(types).toEqual([["PodRunning False"], ["PodRunning True"], ["PodRunning False", "Completed True"]]);
});

test("steps follow one another within the pass that ends the first", () => {
  const steps = [[{ name: "a", template: "echo" }], [{ name: "b", template: "echo" }]];
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", steps }, echo] }));
  const decision = drive.end("wf[0].a");
  expect([...decision.changedNodes.values()].map(({ name }) => name)).toContain("wf[1].b");
  drive.end("wf[1].b", 3);
  expect(drive.phase).toBe("Failed");
  expect(drive.message).toBe(`child '${drive.node("wf[1].b").id}' failed`);
});

test("what is staged is not in force, and can be taken back", () => {
  const run = openRun(workflowOf({ entrypoint: "echo", templates: [echo] }), plainOptions);
  const input = { changes: [{ kind: "observed" }] as const, now: start, facts: noFacts };
  const first = run.advance(input);
  expect([...run.nodes()]).toEqual([]);
  run.rollback();
  expect([...run.nodes()]).toEqual([]);
  expect(run.advance(input)).toEqual(first);
  run.commit("2");
  expect([...run.nodes()].map(({ name }) => name)).toEqual(["wf"]);
});

test("with nothing new it decides nothing, nor does a process that takes over", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  for (const decision of [drive.tell([]), drive.restart()]) {
    expect(decision.changedNodes.size).toBe(0);
    expect(decision.demands).toEqual([]);
    expect(decision.statusFields).toEqual({});
  }
});

test("a saved Pending node without a pod gets one only after a complete look", () => {
  const workflow = workflowOf({ entrypoint: "echo", templates: [echo] });
  const drive = new Drive(workflow);
  drive.pods.clear();
  expect(drive.restart().demands.map(({ kind }) => kind)).toEqual(["create-pod"]);
});

test("a Running node whose pod is gone is lost, a Pending one is made again", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  const { id } = drive.node("wf");
  const again = drive.tell([{ kind: "pod-gone", nodeId: id, uid: "pod-1" }]);
  expect(again.demands.map(({ kind }) => kind)).toEqual(["create-pod"]);
  drive.begin("wf");
  drive.tell([{ kind: "pod-gone", nodeId: id, uid: "pod-2" }]);
  expect(drive.tree()).toEqual(["wf: Error (pod deleted)"]);
  expect(drive.phase).toBe("Error");
});

describe("the last that was seen of a pod that is gone still counts", () => {
  const gone = (drive: Drive, uid: string) => ({ kind: "pod-gone", nodeId: drive.node("wf").id, uid }) as const;
  const outputs = { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] };
  const reported = { parameters: [{ name: "x", value: "1" }] };
  const result = (drive: Drive) =>
    ({ nodeId: drive.node("wf").id, outputs: reported, progress: undefined, completed: false, final: true }) as const;

  test("it ran, though its node had not said so: it is lost, not made again", () => {
    const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
    const ran = { kind: "pod", view: viewPod({ ...drive.podOf("wf"), status: { phase: "Running" } }) } as const;
    expect(drive.tell([ran, gone(drive, "pod-1")]).demands).toEqual([]);
    expect(drive.tree()).toEqual(["wf: Error (pod deleted)"]);
  });

  test.each([
    ["before its result is read", 1],
    ["in the same moment", 0],
  ])("it ended, and goes %s: the node tells its end", (_when, steps) => {
    const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ ...echo, name: "main", outputs }] }));
    drive.begin("wf");
    drive.endUnseen("wf");
    const ended = { kind: "pod", view: viewPod(drive.podOf("wf")) } as const;
    if (steps > 0) drive.tell([ended]);
    drive.tell([ended, gone(drive, "pod-1")]);
    expect(drive.tree()).toEqual(["wf: Running"]);
    drive.tell([{ kind: "task-result", result: result(drive) }]);
    expect(drive.tree()).toEqual(["wf: Succeeded"]);
  });

  test("it is to be made again: the next one is not taken for a rival, however soon it comes", () => {
    const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }), {
      ...plainOptions,
      podRestartsMax: 1,
    });
    drive.show("wf", { phase: "Failed", reason: "Evicted" });
    const again = drive.tell([gone(drive, "pod-1")]);
    expect(again.demands.map(({ kind }) => kind)).toEqual(["create-pod"]);
    drive.begin("wf");
    expect(drive.tree()).toEqual(["wf: Running"]);
  });
});

test("a pod that goes again and again before it ran is made again at once only the first time", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  const { id } = drive.node("wf");
  const lose = (uid: string) => drive.tell([{ kind: "pod-gone", nodeId: id, uid }]).demands.length;
  expect([lose("pod-1"), lose("pod-2"), lose("pod-2")]).toEqual([1, 0, 0]);
  expect(drive.tree()).toEqual(["wf: Pending"]);
  expect([drive.wait(999).demands.length, drive.wait(1).demands.length]).toEqual([0, 1]);
  expect([lose("pod-3"), drive.wait(1999).demands.length, drive.wait(1).demands.length]).toEqual([0, 0, 1]);
  drive.end("wf");
  expect(drive.tree()).toEqual(["wf: Succeeded"]);
});

test("a pod that is refused for now is asked for again, later; one refused for good is an Error", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  const { id } = drive.node("wf");
  const outcome = (kind: "refused" | "refused-for-now", message: string) =>
    ({ demand: "create-pod", nodeId: id, podName: "wf", result: { kind, message } }) as const;
  const waiting = drive.tell([{ kind: "outcome", outcome: outcome("refused-for-now", "exceeded quota") }]);
  expect(drive.tree()).toEqual(["wf: Pending (exceeded quota)"]);
  expect(waiting.demands).toEqual([]);
  expect(waiting.wakeAt).toBe(start + 1_000);
  expect(drive.wait(1_000).demands.map(({ kind }) => kind)).toEqual(["create-pod"]);
  drive.tell([{ kind: "outcome", outcome: outcome("refused", "no such thing") }]);
  expect(drive.tree()).toEqual(["wf: Error (no such thing)"]);
});

test("a pod that is refused for good is an Error at once, also while its workflow is suspended", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  drive.pods.clear();
  drive.restart({ suspend: true });
  const result = { kind: "refused", message: "no such thing" } as const;
  const outcome = { demand: "create-pod", nodeId: drive.node("wf").id, podName: "wf", result } as const;
  drive.tell([{ kind: "outcome", outcome }]);
  expect(drive.tree()).toEqual(["wf: Error (no such thing)"]);
});

test("two names with one hash are two nodes", () => {
  const [first, second] = ["t35859", "t1344042"];
  expect(nodeIdOf("wf", `wf.${first}`)).toBe(nodeIdOf("wf", `wf.${second}`));
  const dag = { tasks: [first, second].map((name) => ({ name, template: "echo" })) };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", dag }, echo] }));
  const ids = [drive.node(`wf.${first}`).id, drive.node(`wf.${second}`).id];
  expect(new Set(ids).size).toBe(2);
  const podNames = drive.demands.map((demand) => (demand.kind === "create-pod" ? demand.pod.metadata.name : ""));
  expect(new Set(podNames).size).toBe(2);
  drive.end(`wf.${first}`);
  drive.end(`wf.${second}`);
  expect(drive.phase).toBe("Succeeded");
});

test("one end among many changes only what it concerns", () => {
  const count = 300;
  const loop = { name: "a", template: "echo", withSequence: { count } };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [{ name: "main", steps: [[loop]] }, echo] }));
  for (let index = 0; index < count - 1; index++) {
    expect(drive.end(`wf[0].a(${index}:${index})`).changedNodes.size).toBe(1);
  }
  drive.end(`wf[0].a(${count - 1}:${count - 1})`);
  expect(drive.phase).toBe("Succeeded");
});

test("a fact that is lacking is asked for, and nothing else is decided", () => {
  const workflow = workflowOf({
    entrypoint: "main",
    templates: [{ name: "main", steps: [[{ name: "a", templateRef: { name: "lib", template: "echo" } }]] }],
  });
  const run = openRun(workflow, plainOptions);
  const changes = [{ kind: "observed" }] as const;
  const known = (answer: KubeObject | undefined) => ({
    get: ({ kind }: { readonly kind: string }) => (kind === "config-map" ? null : answer),
  });
  const asked = run.advance({ changes, now: start, facts: known(undefined) });
  expect(asked.needs).toEqual([{ kind: "workflow-template", namespace: "argo", name: "lib" }]);
  run.rollback();
  const library = { ...workflowOf({ templates: [echo] }, "lib"), kind: "WorkflowTemplate" };
  const decided = run.advance({ changes, now: start, facts: known(library) });
  expect(decided.needs).toEqual([]);
  expect(Object.keys(decided.statusFields.storedTemplates ?? {})).toEqual(["namespaced/lib/echo"]);
});

const usual = (annotation: string): KubeObject => {
  const annotations = { "workflows.argoproj.io/default-artifact-repository": annotation };
  const data = { minio: "s3: {bucket: mine, endpoint: minio:9000}" };
  const metadata = { name: "artifact-repositories", namespace: "argo", annotations };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data } as KubeObject;
};

test.each([
  ["its namespace's", usual("minio"), { configMap: "artifact-repositories", key: "minio", namespace: "argo" }, "mine"],
  ["that of the configuration, where the namespace has none", null, { default: true }, "all"],
  ["also where no key is the usual one", { ...usual("minio"), metadata: { name: "x" } }, { default: true }, "all"],
])("a workflow that names no store has %s, from its beginning to its end", (_, object, where, bucket) => {
  const options = { ...plainOptions, artifactRepository: { s3: { bucket: "all" } } };
  const workflow = workflowOf({ entrypoint: "echo", templates: [echo] });
  const first = openRun(workflow, options);
  const observed = [{ kind: "observed" }] as const;
  const asked = first.advance({ changes: observed, now: start, facts: { get: () => undefined } });
  expect(asked.needs).toEqual([{ kind: "config-map", namespace: "argo", name: "artifact-repositories" }]);
  first.rollback();
  const begun = first.advance({ changes: observed, now: start, facts: { get: () => object } });
  const repository = { ...where, artifactRepository: { s3: { bucket } } };
  expect(begun.statusFields.artifactRepositoryRef).toMatchObject(repository);
  const status = { ...begun.statusFields, nodes: Object.fromEntries(begun.changedNodes) } as Workflow["status"] &
    object;
  const later = openRun({ ...workflow, status }, { ...options, artifactRepository: { s3: { bucket: "new" } } });
  const decided = later.advance({ changes: observed, now: start, facts: { get: () => undefined } });
  expect(decided.needs).toEqual([]);
  expect(decided.statusFields.artifactRepositoryRef ?? begun.statusFields.artifactRepositoryRef).toMatchObject(
    repository,
  );
});

test("a usual store that is not there is the workflow's end", () => {
  const run = openRun(workflowOf({ entrypoint: "echo", templates: [echo] }), plainOptions);
  const decided = run.advance({ changes: [{ kind: "observed" }], now: start, facts: { get: () => usual("gone") } });
  expect(decided.statusFields).toMatchObject({
    phase: "Error",
    message: expect.stringContaining('artifact-repositories has no key "gone"'),
  });
});

test("pods and results of an earlier run say nothing of a retried workflow", () => {
  const drive = new Drive(workflowOf({ entrypoint: "echo", templates: [echo] }));
  drive.end("wf", 1, { result: "old" });
  const { id } = drive.node("wf");
  const [old] = [...drive.pods.values()].map(viewPod);
  const result = { nodeId: id, outputs: { result: "old" }, progress: undefined, completed: true, final: true };
  const { metadata, spec } = drive.workflow;
  const annotations = { "tiphys.dev/retry-generation": "1" };
  const run = openRun({ ...drive.workflow, metadata: { ...metadata, annotations }, spec }, plainOptions);
  if (old === undefined) throw new Error("no pod");
  const changes = [
    { kind: "task-result", result: { ...result, retryGeneration: 0 } },
    { kind: "pod", view: old },
    { kind: "observed" },
  ] as const;
  const decision = run.advance({ changes, now: start, facts: noFacts });
  run.commit("2");
  expect(decision.demands.map(({ kind }) => kind)).toEqual(["create-pod"]);
  expect(run.node(id)).toMatchObject({ phase: "Pending" });
  expect(run.node(id)?.outputs).toBeUndefined();
});
