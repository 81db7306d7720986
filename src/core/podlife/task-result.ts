/** When what the executor reports of a pod is final: one rule for every cause (lessons A-24). */

import { annotations } from "../model/argo/names.js";
import { executorContainerNames } from "./containers.js";
import type { PodView } from "./view.js";

/** What is known of a node's WorkflowTaskResult. */
export interface TaskResultFacts {
  /** The executor said that it was done. */
  readonly completed: boolean;
  /** Read by a live read made after the pod was seen terminal, or gone; also when that read found none. */
  readonly final: boolean;
}

export type TaskResultState =
  /** Complete, or this pod has none to give. */
  | "settled"
  /** Nothing more will come, and the executor never said that it was done. */
  | "cut-short"
  /** More may come, or only a stale view says that there is none. */
  | "open";

/** The rule: complete is complete; of a terminal pod, what a live read finds afterwards is all there will ever be. */
export function taskResultStateOf(view: PodView, result: TaskResultFacts | undefined): TaskResultState {
  if (!expectsTaskResult(view) || result?.completed === true) return "settled";
  return result?.final === true ? "cut-short" : "open";
}

/** False for a pod that was made without an executor because there is nothing to report. */
export function expectsTaskResult(view: PodView): boolean {
  if (view.annotations[annotations.taskResult] !== "none") return true;
  return view.containers.some(({ name }) => executorContainerNames.includes(name));
}
