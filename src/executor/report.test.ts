import { expect, test } from "vitest";
import type { WorkflowTaskResult } from "../core/model/argo/workflow.js";
import { workflowTaskResults } from "../core/model/resources.js";
import type { Clock } from "../kube/clock.js";
import { ApiError, TransportError } from "../kube/errors.js";
import { FakeCluster } from "../kube/testing/fake-cluster.js";
import { type Report, report, taskResultOf } from "./report.js";

/** Delays are over at once, and counted. */
class CountingClock implements Clock {
  readonly delays: number[] = [];
  now = (): number => 0;
  monotonic = (): number => 0;
  after = (delayMs: number, callback: () => void): { cancel(): void } => {
    this.delays.push(delayMs);
    queueMicrotask(callback);
    return { cancel: () => undefined };
  };
}

interface World {
  readonly cluster: FakeCluster;
  readonly clock: CountingClock;
  readonly stop: AbortController;
  readonly kill: AbortController;
  send(result: string, more?: Partial<Report["environment"]>): Promise<void>;
  read(): Promise<WorkflowTaskResult>;
}

function world(): World {
  const [cluster, clock] = [new FakeCluster(), new CountingClock()];
  const [stop, kill] = [new AbortController(), new AbortController()];
  return {
    cluster,
    clock,
    stop,
    kill,
    send: (result, more = {}) =>
      report({
        environment: { ...environment, ...more },
        outputs: { result },
        options: { client: cluster, clock, placeArtifactsFolder: "", sharedArtifactsFolder: "" },
        signal: stop.signal,
        killed: kill.signal,
      }),
    read: () => cluster.get<WorkflowTaskResult>(workflowTaskResults, { namespace: "ns", name: "wf-1" }),
  };
}

const environment: Report["environment"] = {
  namespace: "ns",
  podName: "pod",
  nodeId: "wf-1",
  workflowName: "wf",
  workflowUid: "uid",
  instanceId: "mine",
  retryGeneration: "1",
  includeResult: true,
  template: {},
};

test("nothing collected: a complete report without outputs", () => {
  const { outputs, metadata } = taskResultOf({ environment, outputs: {} });
  expect(outputs).toBeUndefined();
  expect(metadata.labels).toEqual({
    "workflows.argoproj.io/workflow": "wf",
    "workflows.argoproj.io/report-outputs-completed": "true",
    "workflows.argoproj.io/controller-instanceid": "mine",
  });
});

test("one that is there already is replaced, on condition that it is as it was read", async () => {
  const { send, read } = world();
  await send("old", { workflowUid: "earlier workflow", retryGeneration: "7" });
  await send("new");
  expect(await read()).toMatchObject({
    metadata: { ownerReferences: [{ uid: "uid" }], annotations: { "tiphys.dev/retry-generation": "1" } },
    outputs: { result: "new" },
  });
});

test("what others put on it stays when it is replaced", async () => {
  const { cluster, send, read } = world();
  await send("first");
  const found = await read();
  const metadata = {
    ...found.metadata,
    labels: { ...found.metadata.labels, "foreign.example/mark": "x" },
    annotations: { ...found.metadata.annotations, "foreign.example/note": "{" },
    finalizers: ["foreign.example/hold"],
  };
  await cluster.update(workflowTaskResults, { ...found, metadata });
  await send("second");
  const { resourceVersion: _rv, ...kept } = (await read()).metadata;
  expect({ ...kept, resourceVersion: found.metadata.resourceVersion }).toEqual(metadata);
  expect((await read()).outputs).toEqual({ result: "second" });
});

test("a report of an earlier retry leaves a later one alone", async () => {
  const { send, read } = world();
  await send("later", { retryGeneration: "10" });
  await send("earlier", { retryGeneration: "9" });
  expect((await read()).outputs?.result).toBe("later");
});

test.each<readonly [what: string, code: number, reason: "Conflict" | "NotFound"]>([
  ["changed by others", 409, "Conflict"],
  ["deleted by others", 404, "NotFound"],
])("%s between read and write: looked at again", async (_what, code, reason) => {
  const { cluster, send, read } = world();
  await send("old");
  let faults = 2;
  cluster.fault = (verb) => {
    if (verb === "update" && faults-- > 0) throw new ApiError(code, reason, "meanwhile");
  };
  await send("new");
  expect((await read()).outputs?.result).toBe("new");
});

test("out of reach: tried again with growing delays, until it is there", async () => {
  const { cluster, clock, send, read } = world();
  let faults = 9;
  cluster.fault = (verb) => {
    if (verb !== "create" || faults-- <= 0) return;
    throw faults % 2 === 0 ? new TransportError("reset") : new ApiError(503, "ServiceUnavailable", "busy");
  };
  await send("x");
  expect((await read()).outputs?.result).toBe("x");
  expect(clock.delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

test("a conflict where nothing is there yet (a quota was counted anew): tried again", async () => {
  const { cluster, clock, send, read } = world();
  let faults = 2;
  cluster.fault = (verb) => {
    if (verb === "create" && faults-- > 0) throw new ApiError(409, "Conflict", "operation cannot be fulfilled");
  };
  await send("x");
  expect((await read()).outputs?.result).toBe("x");
  expect(clock.delays).toEqual([100, 200]);
});

test("refused: not tried again", async () => {
  const { cluster, clock, send } = world();
  cluster.fault = () => {
    throw new ApiError(403, "Forbidden", 'workflowtaskresults.argoproj.io is forbidden: User "x"');
  };
  await expect(send("x")).rejects.toThrow("workflowtaskresults.argoproj.io is forbidden");
  expect(clock.delays).toEqual([]);
});

test("told to stop while out of reach: gives up", async () => {
  const { cluster, stop, send } = world();
  cluster.fault = () => {
    stop.abort();
    throw new TransportError("reset");
  };
  await expect(send("x")).rejects.toThrow("reset");
});

test("killed: nothing is asked of the API any more", async () => {
  const { cluster, kill, send } = world();
  kill.abort();
  await expect(send("late")).rejects.toThrow("aborted");
  expect((await cluster.list(workflowTaskResults)).items).toEqual([]);
});
