/** What is to become of one pod, by UID: a pure function of all that is known of it (design: the pod lifecycle). */

import { labels } from "../model/argo/names.js";
import { DefectError } from "../std/assert.js";
import { allContainers, hasEnded, isRunning, lastEndOf, type RoleOf, rolesFor } from "./containers.js";
import { type KeepReason, type Row, rowFor } from "./disposition-table.js";
import type { DispositionFacts } from "./facts.js";
import { podGCDueAt } from "./gc.js";
import { overdueAt, type Situation, situationOf } from "./situation.js";
import type { PodView } from "./view.js";

/** Exactly one of four end states. Carried out by one write with UID and resourceVersion, or computed again. */
export type Disposition =
  | {
      readonly kind: "keep";
      readonly why: KeepReason;
      readonly row: string;
      /** Labels to put back; mostly none. */
      readonly repair: Readonly<Record<string, string>>;
      /** When time alone may change the answer (the grace of a deletion is over); milliseconds since the epoch. */
      readonly recheckAt: number | undefined;
    }
  | {
      readonly kind: "end-containers";
      readonly row: string;
      /** Those to signal. The executor is not among them: it ends after main; empty also where it alone still runs. */
      readonly containers: readonly string[];
      readonly signal: "SIGTERM";
      readonly graceSeconds: number;
      /**
       * From then on the pod is deleted, which the kubelet cannot ignore, with our finalizer left on; milliseconds
       * since the epoch. A cluster without a way to signal deletes at once, with the same grace.
       */
      readonly deleteAt: number;
    }
  | {
      readonly kind: "release";
      readonly row: string;
      /** Besides dropping our finalizer: the completed label, in the same write. */
      readonly label: "completed" | "as-is";
    }
  | {
      readonly kind: "delete";
      readonly row: string;
      /** Drop our finalizer and delete by UID, not before this time; milliseconds since the epoch. */
      readonly notBefore: number;
    };

/** Total: a test enumerates every situation there is. */
export function dispositionOf(facts: DispositionFacts): Disposition {
  const situation = situationOf(facts);
  const row = rowFor(situation);
  if (row === undefined) throw new DefectError(`no disposition for ${JSON.stringify(situation)}`);
  return filledIn(row, situation, facts);
}

function filledIn({ name: row, end }: Row, situation: Situation, facts: DispositionFacts): Disposition {
  switch (end.kind) {
    case "keep":
      return {
        kind: "keep",
        why: end.why,
        row,
        repair: repairOf(situation, facts),
        recheckAt: recheckAt(situation, facts),
      };
    case "end-containers":
      return { kind: "end-containers", row, ...endingOf(situation, facts) };
    case "release":
      return { kind: "release", row, label: end.label };
    case "delete":
      return { kind: "delete", row, notBefore: dueAt(situation, facts) };
  }
}

/** Someone marked a pod completed that still works, or took our label off: it is ours by its owner (lessons G.3 13). */
function repairOf(
  { owner, life }: Situation,
  { pod, workflowName }: DispositionFacts,
): Readonly<Record<string, string>> {
  if (owner !== "present" || life === "ended" || pod.deletionTimestamp !== undefined) return {};
  const completed = pod.labels[labels.completed] === "false" ? {} : { [labels.completed]: "false" };
  if (workflowName === undefined || pod.labels[labels.workflow] === workflowName) return completed;
  return { ...completed, [labels.workflow]: workflowName };
}

/** A machine that does not answer is found out once the grace is over. */
function recheckAt({ life, deletion }: Situation, { pod }: DispositionFacts): number | undefined {
  return deletion === "asked" && life !== "ended" ? overdueAt(pod) : undefined;
}

type Ending = Omit<Extract<Disposition, { kind: "end-containers" }>, "kind" | "row">;

function endingOf({ life }: Situation, { pod, template, endAskedAt, now }: DispositionFacts): Ending {
  const roleOf = rolesFor(template);
  const running = allContainers(pod).filter((one) => isRunning(one) && roleOf(one) !== "executor");
  const graceSeconds = pod.terminationGracePeriodSeconds;
  const ending = { containers: running.map(({ name }) => name), signal: "SIGTERM" as const, graceSeconds };
  // Nothing has started: there is nothing to signal, and what is about to start must not.
  if (life === "bound" || (running.length === 0 && !isReporting(pod, roleOf))) return { ...ending, deleteAt: now };
  const askedAt = life === "leftovers" ? (lastEndOf(pod.containers) ?? endAskedAt) : endAskedAt;
  // With no saved time to count from, the kubelet counts: deleting gives the grace too.
  return { ...ending, deleteAt: askedAt === undefined ? now : askedAt + graceSeconds * 1000 };
}

/** Main obeyed, and the executor saves what it left: it has the rest of the grace for that (lessons G.3 10). */
function isReporting({ containers }: PodView, roleOf: RoleOf): boolean {
  const mains = containers.filter((one) => roleOf(one) === "main");
  const executors = containers.filter((one) => roleOf(one) === "executor");
  return mains.length > 0 && mains.every(hasEnded) && executors.some(isRunning);
}

/** podGC counts from the pod's end, or from when its node was settled if that came later; others are due at once. */
function dueAt({ life, owner, outcome }: Situation, { pod, podGC, endAskedAt, now }: DispositionFacts): number {
  if (life !== "ended" || owner !== "present" || outcome !== "saved") return now;
  const ends = [lastEndOf(allContainers(pod)), endAskedAt].filter((time) => time !== undefined);
  return podGCDueAt(podGC, ends.length === 0 ? now : Math.max(...ends));
}
