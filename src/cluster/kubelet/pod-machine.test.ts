import { expect, test } from "vitest";
import type { PodSpec } from "../../core/model/kube/pod.js";
import { backOffMs, decidePod } from "./pod-machine.js";
import { type ContainerRecord, freshRecord, type PodState } from "./pod-state.js";
import { statusOf } from "./status.js";
import { podOf } from "./testing/scripted-node.js";

const running: ContainerRecord = {
  restartCount: 0,
  state: { kind: "running", startedAt: 1000 },
  ready: true,
  started: true,
};

function ended(exitCode: number, finishedAt = 2000): ContainerRecord {
  return {
    ...freshRecord,
    state: { kind: "terminated", exit: { exitCode, startedAt: 1000, finishedAt }, since: finishedAt },
  };
}

function stateOf(
  spec: Partial<PodSpec>,
  records: Readonly<Record<string, ContainerRecord>>,
  more: Partial<PodState> = {},
): PodState {
  return {
    pod: podOf("p", spec),
    admission: { kind: "admitted", at: 0, since: 0 },
    setup: { kind: "ready", ip: "127.0.0.1" },
    containers: new Map(Object.entries(records)),
    ...more,
  };
}

/** As short text: what is done, when it looks again, whether it is over. */
function decide(state: PodState, now: number): string {
  const { actions, wakeAt, finished } = decidePod(state, now);
  const words = actions.map((action) => {
    if (action.kind === "start") return `start ${action.container.name}#${action.restartCount}`;
    if (action.kind === "signal") return `${action.signal} ${action.container}`;
    return action.kind === "fail" ? `fail ${action.failure.reason}` : action.kind;
  });
  return [...words, ...(wakeAt === undefined ? [] : [`@${wakeAt}`]), ...(finished ? ["finished"] : [])].join(", ");
}

const image = { image: "i" };
const two: Partial<PodSpec> = {
  initContainers: [
    { name: "i1", ...image },
    { name: "i2", ...image },
  ],
  containers: [
    { name: "main", ...image },
    { name: "wait", ...image },
  ],
};
const sidecar: Partial<PodSpec> = { initContainers: [{ name: "side", ...image, restartPolicy: "Always" }] };
const term = (at: number): ContainerRecord => ({ ...running, signalled: { signal: "SIGTERM", at, sentAt: at } });
const killed = (sentAt: number): ContainerRecord => ({ ...running, signalled: { signal: "SIGKILL", at: 0, sentAt } });

test.each<[string, PodState, number, string]>([
  ["waits for its slot", stateOf({}, {}, { admission: { kind: "waiting", message: "w" } }), 0, ""],
  ["sets up first", stateOf({}, {}, { setup: { kind: "waiting" } }), 0, "set-up"],
  ["waits for what is missing", stateOf({}, {}, { setup: { kind: "waiting", reason: "x" } }), 0, ""],
  ["init containers one by one", stateOf(two, {}), 0, "start i1#0"],
  ["the next", stateOf(two, { i1: ended(0) }), 0, "start i2#0"],
  ["not while one runs", stateOf(two, { i1: running }), 0, ""],
  ["mains all at once", stateOf(two, { i1: ended(0), i2: ended(0) }), 0, "start main#0, start wait#0"],
  ["a failed init container ends it", stateOf(two, { i1: ended(1) }), 0, "finished"],
  [
    "it goes on while one main runs",
    stateOf(two, { i1: ended(0), i2: ended(0), main: ended(1), wait: running }),
    0,
    "",
  ],
  ["over", stateOf({}, { main: ended(0) }), 0, "finished"],
  [
    "OnFailure, failed: again at once",
    stateOf({ restartPolicy: "OnFailure" }, { main: ended(1) }),
    2000,
    "start main#1",
  ],
  [
    "the second time later",
    stateOf({ restartPolicy: "OnFailure" }, { main: { ...ended(1), restartCount: 1 } }),
    2000,
    "@12000",
  ],
  ["OnFailure, succeeded", stateOf({ restartPolicy: "OnFailure" }, { main: ended(0) }), 2000, "finished"],
  ["Always", stateOf({ restartPolicy: "Always" }, { main: ended(0) }), 2000, "start main#1"],
  ["looks again at the deadline", stateOf({ activeDeadlineSeconds: 9 }, { main: running }), 1000, "@9000"],
  ["past it", stateOf({ activeDeadlineSeconds: 9 }, { main: running }), 9000, "fail DeadlineExceeded"],
  ["an ended pod has no deadline", stateOf({ activeDeadlineSeconds: 9 }, { main: ended(0) }), 99_000, "finished"],
  ["stop: SIGTERM", stateOf({}, { main: running }, { stop: { at: 0, graceMs: 5000 } }), 0, "SIGTERM main, @5000"],
  ["once", stateOf({}, { main: term(0) }, { stop: { at: 0, graceMs: 5000 } }), 10, "@5000"],
  ["then SIGKILL", stateOf({}, { main: term(0) }, { stop: { at: 0, graceMs: 5000 } }), 5000, "SIGKILL main"],
  ["which is waited for", stateOf({}, { main: killed(5000) }, { stop: { at: 0, graceMs: 5000 } }), 6000, "@15000"],
  [
    "and sent again",
    stateOf({}, { main: killed(5000) }, { stop: { at: 0, graceMs: 5000 } }),
    15_000,
    "SIGKILL main, @15000",
  ],
  [
    "not to be looked at: what was begun may still run",
    stateOf(
      {},
      {},
      {
        setup: { kind: "waiting", reason: "x", isUnseen: true },
        mayHaveRun: true,
        stop: { at: 0, graceMs: 0 },
      },
    ),
    9000,
    "",
  ],
  ["no grace", stateOf({}, { main: running }, { stop: { at: 0, graceMs: 0 } }), 0, "SIGKILL main"],
  ["stop before the start", stateOf({}, {}, { stop: { at: 0, graceMs: 5000 } }), 0, "finished"],
  [
    "what is being started is awaited",
    stateOf({}, { main: { ...freshRecord, state: { kind: "starting" } } }, { stop: { at: 0, graceMs: 0 } }),
    0,
    "",
  ],
  ["a sidecar comes first", stateOf(sidecar, {}), 0, "start side#0"],
  ["then main", stateOf(sidecar, { side: running }), 0, "start main#0"],
  ["a sidecar that ended comes back", stateOf(sidecar, { side: ended(0), main: running }), 2000, "start side#1"],
  ["it ends after main", stateOf(sidecar, { side: running, main: ended(0) }), 0, "SIGTERM side, @30000"],
  [
    "refused: over, also where an earlier process may have begun it",
    stateOf({}, {}, { setup: { kind: "refused" }, mayHaveRun: true, stop: { at: 0, graceMs: 0 } }),
    0,
    "finished",
  ],
  [
    "stop: mains before sidecars",
    stateOf(sidecar, { side: running, main: running }, { stop: { at: 0, graceMs: 9000 } }),
    0,
    "SIGTERM main, @9000",
  ],
  [
    "stop: then sidecars",
    stateOf(sidecar, { side: running, main: ended(143) }, { stop: { at: 0, graceMs: 9000 } }),
    50,
    "SIGTERM side, @9000",
  ],
  [
    "unhealthy",
    stateOf({ restartPolicy: "Always" }, { main: { ...running, unhealthy: "x" } }),
    100,
    "SIGTERM main, @30100",
  ],
])("%s", (_, state, now, expected) => {
  expect(decide(state, now)).toBe(expected);
});

test("back-off doubles up to five minutes", () => {
  expect([0, 1, 2, 5, 6, 50].map(backOffMs)).toEqual([0, 10_000, 20_000, 160_000, 300_000, 300_000]);
});

test.each<[string, PodState, boolean, string, string]>([
  ["running", stateOf({}, { main: running }), false, "Running", "running"],
  ["init under way", stateOf(two, { i1: running }), false, "Pending", "PodInitializing"],
  ["no init", stateOf({}, {}), false, "Pending", "ContainerCreating"],
  ["all well", stateOf({}, { main: ended(0) }), true, "Succeeded", "Completed"],
  ["failed", stateOf({}, { main: ended(2) }), true, "Failed", "Error"],
  ["never located", stateOf({}, {}, { stop: { at: 0, graceMs: 0 } }), true, "Failed", "ContainerStatusUnknown"],
  [
    "refused",
    stateOf({}, {}, { setup: { kind: "refused" }, stop: { at: 0, graceMs: 0 } }),
    true,
    "Failed",
    "ContainerCreating",
  ],
  [
    "init outlived the stop: main never was due",
    stateOf(two, { i1: ended(0), i2: ended(0, 9000) }, { stop: { at: 5000, graceMs: 9000 } }),
    true,
    "Failed",
    "PodInitializing",
  ],
  ["init failed: main never was", stateOf(two, { i1: ended(1) }), true, "Failed", "PodInitializing"],
  [
    "evicted after success",
    stateOf({}, { main: ended(0) }, { failure: { reason: "Evicted", message: "m" } }),
    true,
    "Failed",
    "Completed",
  ],
])("status: %s", (_, state, finished, phase, main) => {
  const status = statusOf({ state, nodeName: "local", finished, now: 5000 });
  expect(status.phase).toBe(phase);
  const seen = status.containerStatuses?.find((one) => one.name === "main")?.state;
  expect(seen?.waiting?.reason ?? seen?.terminated?.reason ?? "running").toBe(main);
});
