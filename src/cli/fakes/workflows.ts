/** Workflows with a status, written short, for tests of what is printed. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow, WorkflowSpec, WorkflowStatus } from "../../core/model/argo/workflow.js";

export const start = Date.parse("2026-11-30T06:00:00Z");

/** RFC 3339 text, `seconds` after the start. */
export function at(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString().replace(".000", "");
}

export type NodeSketch = Partial<NodeStatus> & Pick<NodeStatus, "name" | "type" | "phase">;

export function sketchNode(sketch: NodeSketch): NodeStatus {
  const display = sketch.name.replace(/^[^.[]*(\[\d+\])?\.?/, "");
  return { id: sketch.name, displayName: display === "" ? sketch.name : display, ...sketch };
}

export function sketchWorkflow(options: {
  readonly name?: string;
  readonly spec: WorkflowSpec;
  readonly status?: Omit<WorkflowStatus, "nodes">;
  readonly nodes?: readonly NodeSketch[];
}): Workflow {
  const nodes = (options.nodes ?? []).map(sketchNode);
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: options.name ?? "wf", namespace: "default", uid: "u-1", creationTimestamp: at(0) },
    spec: options.spec,
    status: {
      phase: "Running",
      startedAt: at(0),
      ...options.status,
      nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    },
  };
}
