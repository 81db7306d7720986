/** Random faults: for each run another set of kinds, few or many of them. */

import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type {
  Act,
  CallFault,
  EventFault,
  Fault,
  MachineFate,
  MachineFault,
  PodMark,
  Stray,
  WorkflowOperation,
} from "../faults/fault.js";
import type { Plan } from "../run.js";

export interface Storm {
  readonly controllers: readonly string[];
  /** About how many pods there will be: how far into a run a fault may come. */
  readonly pods: number;
}

type Make = (chance: SeededChance, storm: Storm) => Fault;

const roles = ({ controllers }: Storm): readonly string[] => [...controllers, ...controllers, "kubelet", "executor"];

function pick<T>(chance: SeededChance, items: readonly T[]): T {
  return items[chance.below(items.length)] as T;
}

const codes = [403, 409, 429, 500, 503] as const;

/** Of a controller without a lease, whose API is its own process, no request outlives it: what is slow comes before. */
function callFault(chance: SeededChance, isAlone: boolean): CallFault {
  const drawn = pick(chance, [10, 100, 1000]);
  const ms = isAlone ? Math.min(drawn, 10) : drawn;
  return pick<CallFault>(chance, [
    { kind: "refuse", code: pick(chance, codes) },
    { kind: "deny" },
    { kind: "foreign-write" },
    { kind: "foreign-write" },
    { kind: "timeout", commit: "before" },
    { kind: "timeout", commit: "after" },
    { kind: "timeout", commit: "after" },
    { kind: "crash", commit: "before" },
    { kind: "crash", commit: "after" },
    { kind: "slow", ms },
  ]);
}

function eventFault(chance: SeededChance): EventFault {
  return pick<EventFault>(chance, [
    { kind: "late", ms: pick(chance, [5, 50, 500, 5000]) },
    { kind: "late", ms: pick(chance, [5, 50, 500, 5000]) },
    { kind: "doubled" },
    { kind: "lost" },
    { kind: "gone" },
    { kind: "stalled" },
  ]);
}

/** Early moments are likelier: most runs are short. */
function moment(chance: SeededChance): number {
  return Math.floor(5 * 1.3 ** chance.below(36));
}

const atTime =
  (make: (chance: SeededChance, storm: Storm) => Act): Make =>
  (chance, storm) => ({ at: "time", ms: moment(chance), act: make(chance, storm) });

const operations: readonly WorkflowOperation[] = [
  "stop",
  "terminate",
  "suspend",
  "resume",
  "retry",
  "retry",
  "annotate",
  "malformed-labels",
  "malformed-annotations",
  "foreign-finalizer",
  "set",
  "delete-background",
  "delete-foreground",
  "delete-orphan",
];

const marks: readonly PodMark[] = [
  "finalizer-first",
  "finalizer-last",
  "foreign-label",
  "malformed-labels",
  "malformed-annotations",
  "completed-label",
  "label-off",
  "generation-nonsense",
];

/** Each is silent for longer than a Lease may be in some runs, and for less in others. */
const fates: readonly MachineFate[] = ["cut off", "cut off", "rebooted", "gone", "removed", "replaced"];

/** While something is at work: sooner than most. */
export function randomLoss(chance: SeededChance): Fault {
  const act: Act = {
    kind: "lose-machine",
    index: chance.below(3),
    fate: pick(chance, fates),
    ms: pick(chance, [500, 30_000, 80_000, 150_000, 400_000]),
    evictMs: pick(chance, [1000, 45_000, 60_000, 340_000]),
  };
  return { at: "time", ms: Math.floor(5 * 1.3 ** chance.below(28)), act };
}

const strays: readonly Stray[] = ["pod-without-owner", "pod-of-nobody", "pod-too-many", "task-result"];

/** About how many writes a role makes for so many pods: a fault of a later one never comes about. */
function writesOf(role: string, pods: number): number {
  if (role === "executor") return 1 + Math.ceil(pods / 3);
  return role === "kubelet" ? 3 * pods : 3 * pods + 2;
}

const onWrite: Make = (chance, storm) => {
  const role = pick(chance, roles(storm));
  return {
    at: "write",
    role,
    nth: 1 + chance.below(writesOf(role, storm.pods)),
    fault: callFault(chance, role === "controller"),
  };
};

const onRead: Make = (chance, storm) => ({
  at: "read",
  role: pick(chance, storm.controllers),
  nth: 1 + chance.below(storm.pods + 6),
  fault: pick(chance, [
    { kind: "timeout", commit: "before" },
    { kind: "refuse", code: 500 },
    { kind: "slow", ms: 500 },
  ]),
});

const onEvent: Make = (chance, storm) => {
  const plural = pick(chance, ["pods", "workflows", "workflowtaskresults"]);
  // One result a pod, at most; some events of the others.
  const most = plural === "workflowtaskresults" ? 1 + Math.ceil(storm.pods / 3) : 4 * storm.pods + 4;
  return {
    at: "event",
    role: pick(chance, [...storm.controllers, ...storm.controllers, "kubelet"]),
    plural,
    nth: 1 + chance.below(most),
    fault: eventFault(chance),
  };
};

const onMachine: Make = (chance, storm) => {
  const fault = pick<MachineFault>(chance, [
    { kind: "crash-at-start", point: "unrecorded" },
    { kind: "crash-at-start", point: "recorded" },
    { kind: "crash-at-start", point: "started" },
    { kind: "crash-at-exit" },
  ]);
  const at = fault.kind === "crash-at-exit" ? "container-end" : "container-start";
  return { at, nth: 1 + chance.below(storm.pods + 1), fault };
};

/** Those that are there more than once are likelier. */
const kinds: readonly Make[] = [
  onWrite,
  onWrite,
  onWrite,
  onRead,
  onEvent,
  onEvent,
  onMachine,
  atTime((chance, storm) => ({
    kind: "crash",
    role: pick(chance, [...storm.controllers, "kubelet"]),
    downMs: pick(chance, [1, 50, 2000, 20_000, 200_000]),
  })),
  atTime((chance) => ({ kind: "crash-all", downMs: pick(chance, [10, 1000]) })),
  atTime((chance, storm) => ({
    kind: "pause",
    role: pick(chance, [...storm.controllers, "kubelet"]),
    ms: pick(chance, [20, 1000, 16_000, 40_000]),
  })),
  atTime((chance, storm) => ({
    kind: "jump-clock",
    role: pick(chance, [...storm.controllers, "kubelet"]),
    ms: pick(chance, [-60_000, -1000, 500, 60_000]),
  })),
  atTime((chance, storm) => ({
    kind: "refuse-all",
    role: pick(chance, roles(storm)),
    plural: pick(chance, ["pods", "pods", "workflows", "workflowtaskresults"]),
    code: pick(chance, codes),
    ms: pick(chance, [100, 2000, 30_000]),
  })),
  atTime((chance) => ({
    kind: "delete-pod",
    index: chance.below(50),
    graceSeconds: pick(chance, [undefined, undefined, 0, 2]),
  })),
  atTime((chance) => ({
    kind: "finish-pod",
    index: chance.below(50),
    how: pick(chance, ["evict", "oom", "preempt"] as const),
  })),
  atTime((chance) => ({ kind: "mark-pod", index: chance.below(50), mark: pick(chance, marks) })),
  atTime((chance) => ({ kind: "executor-killed", index: chance.below(50) })),
  randomLoss,
  atTime((chance) => ({ kind: "workflow", index: chance.below(3), operation: pick(chance, operations) })),
  // Only what has ended can be retried, only what waits can be answered: later than most.
  (chance) => ({
    at: "time",
    ms: 500 + chance.below(20_000),
    act: { kind: "workflow", index: chance.below(3), operation: pick(chance, ["retry", "retry", "set", "resume"]) },
  }),
  atTime((chance) => ({
    kind: "replace-workflow",
    index: chance.below(3),
    policy: pick(chance, ["Background", "Background", "Orphan"] as const),
  })),
  atTime((chance) => ({ kind: "stray", what: pick(chance, strays), index: chance.below(50) })),
  atTime((chance) => ({ kind: "mark-result", index: chance.below(50) })),
];

const RARE_ODDS = 60;
/** A run takes long in which a machine's silence is waited for. */
const LOSS_ODDS = 9;

export function randomFaults(chance: SeededChance, storm: Storm): readonly Fault[] {
  return [...usualFaults(chance, storm), ...rareFaults(chance)];
}

/** Where a machine may be lost there are several of them, and each tells of itself; a place has one, its own. */
export function clusterFor(faults: readonly Fault[]): Pick<Plan, "binding" | "controller"> {
  const hasLoss = faults.some((fault) => fault.at === "time" && fault.act.kind === "lose-machine");
  return hasLoss ? { binding: "scheduler", controller: { hosts: "leased" } } : {};
}

/** What ends everything in it would hide much if it came often. */
function rareFaults(chance: SeededChance): readonly Fault[] {
  if (chance.below(RARE_ODDS) > 0) return [];
  return [{ at: "time", ms: moment(chance), act: { kind: "delete-namespace" } }];
}

function usualFaults(chance: SeededChance, storm: Storm): readonly Fault[] {
  const allowed = kinds.filter((make) => chance.below(make === randomLoss ? LOSS_ODDS : 3) === 0);
  const count = chance.below(10);
  if (allowed.length === 0) return [];
  return Array.from({ length: count }, () => pick(chance, allowed)(chance, storm));
}
