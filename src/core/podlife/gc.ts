/** What podGC makes of a pod that has ended (Argo 4.1 behaviour 5.12, and the recorded podGC matrix). */

import type { PodGCStrategy } from "../model/argo/workflow.js";

export interface PodGCFacts {
  readonly strategy: PodGCStrategy;
  /** podGC.labelSelector matches the pod, or there is none. */
  readonly selected: boolean;
  /** podGC.deleteDelayDuration, else the controller's podGCDeleteDelayDuration (Argo's default is 5 s). */
  readonly delayMs: number;
  readonly workflow: "running" | "succeeded" | "failed";
  /** Of the workflow, milliseconds since the epoch; undefined while it runs. */
  readonly workflowFinishedAt: number | undefined;
}

export type PodGCVerdict =
  /** Kept: labelled completed. */
  | "retain"
  /** Freed now, deleted or labelled when the workflow ends. */
  | "await-workflow"
  | "delete";

type Ended = "Succeeded" | "Failed";
type Column = Readonly<Record<PodGCFacts["workflow"], PodGCVerdict>>;

const always = (verdict: PodGCVerdict): Column => ({ running: verdict, succeeded: verdict, failed: verdict });

/** Strategy x how the pod ended x how the workflow stands. */
const table: Readonly<Record<PodGCStrategy, Readonly<Record<Ended, Column>>>> = {
  "": { Succeeded: always("retain"), Failed: always("retain") },
  OnPodCompletion: { Succeeded: always("delete"), Failed: always("delete") },
  OnPodSuccess: { Succeeded: always("delete"), Failed: always("retain") },
  OnWorkflowCompletion: {
    Succeeded: { running: "await-workflow", succeeded: "delete", failed: "delete" },
    Failed: { running: "await-workflow", succeeded: "delete", failed: "delete" },
  },
  OnWorkflowSuccess: {
    Succeeded: { running: "await-workflow", succeeded: "delete", failed: "retain" },
    Failed: { running: "await-workflow", succeeded: "delete", failed: "retain" },
  },
};

/** A pod that the selector leaves out is treated as if there were no podGC: labelled, never forgotten (lessons A-16). */
export function podGCVerdict({ strategy, selected, workflow }: PodGCFacts, ended: Ended): PodGCVerdict {
  return selected ? table[strategy][ended][workflow] : "retain";
}

/** When a deletion by podGC is due: from saved times, so that a restart forgets nothing. Milliseconds since the epoch. */
export function podGCDueAt({ strategy, delayMs, workflowFinishedAt }: PodGCFacts, podEndedAt: number): number {
  const ofWorkflow = strategy === "OnWorkflowCompletion" || strategy === "OnWorkflowSuccess";
  return (ofWorkflow ? (workflowFinishedAt ?? podEndedAt) : podEndedAt) + delayMs;
}
