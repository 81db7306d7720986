/** Which retry generation a workflow is in: each retry by hand begins another (design: attempts are never confused). */

import { annotations } from "../model/argo/names.js";
import type { Workflow } from "../model/argo/workflow.js";

/** How often the workflow was retried by hand; 0 for its first run, and where the annotation is no number. */
export function retryGenerationOf(workflow: Workflow): number {
  const text = workflow.metadata.annotations?.[annotations.retryGeneration] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
