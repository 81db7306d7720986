/** Small words for workflows of simulated containers. */

import type { Template } from "../../../src/core/model/argo/template.js";
import type { Workflow, WorkflowSpec } from "../../../src/core/model/argo/workflow.js";

export function workflow(name: string, spec: WorkflowSpec): Workflow {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: "default" },
    spec,
  };
}

/** `words`: what the container does, see world/behaviour.ts. */
export function pod(name: string, words: readonly string[] = [], more: Partial<Template> = {}): Template {
  return { name, container: { name: "", image: "busybox", command: ["sim"], args: words }, ...more };
}
