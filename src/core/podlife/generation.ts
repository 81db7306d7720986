/** Which retry generation a workflow is in: each retry by hand begins another (design: attempts are never confused). */

import { annotations } from "../model/argo/names.js";
import type { Workflow } from "../model/argo/workflow.js";
import type { ObjectMeta } from "../model/kube/meta.js";

/** How often the workflow was retried by hand; 0 for its first run, and where the annotation is no number. */
export function retryGenerationOf(workflow: Workflow): number {
  return generationIn(workflow.metadata) ?? 0;
}

/** The generation that an object of a workflow is marked with; undefined where it has no mark, or one that is no number. */
export function generationIn(metadata: Pick<ObjectMeta, "annotations">): number | undefined {
  const text = metadata.annotations?.[annotations.retryGeneration] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** A run of a workflow, as its pods and task results can be told from those of earlier ones. */
export interface WorkflowRun {
  readonly retryGeneration: number;
  /** RFC 3339; undefined before it began. */
  readonly startedAt: string | undefined;
}

export function currentRunOf(workflow: Workflow): WorkflowRun {
  return { retryGeneration: retryGenerationOf(workflow), startedAt: workflow.status?.startedAt };
}

/** What is left of a run tells its generation; what Argo's own controller and executor made tells only its age. */
export interface Leftover {
  readonly retryGeneration?: number | undefined;
  /** RFC 3339. */
  readonly createdAt?: string | undefined;
}

/** Whether it says nothing of this run (design law 2). */
export function isOfEarlierRun({ retryGeneration, createdAt }: Leftover, run: WorkflowRun): boolean {
  if (retryGeneration !== undefined) return retryGeneration < run.retryGeneration;
  if (run.retryGeneration === 0 || createdAt === undefined || run.startedAt === undefined) return false;
  return createdAt < run.startedAt;
}
