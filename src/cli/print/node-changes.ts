/** What changed between two looks at a workflow: events, plain progress lines and groups are all made from this. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";

export type WorkflowChange =
  | { readonly kind: "workflow"; readonly phase: string; readonly message: string }
  | { readonly kind: "node"; readonly node: NodeStatus; readonly before: NodeStatus | undefined };

/** In the order of the nodes' starts; the workflow's own change last when it ended, first otherwise. */
export function changesBetween(before: Workflow | undefined, after: Workflow): readonly WorkflowChange[] {
  const old = before?.status?.nodes ?? {};
  const nodes: WorkflowChange[] = [];
  for (const node of Object.values(after.status?.nodes ?? {})) {
    const previous = old[node.id];
    if (previous === undefined || previous.phase !== node.phase || previous.message !== node.message) {
      nodes.push({ kind: "node", node, before: previous });
    }
  }
  const phase = after.status?.phase ?? "";
  const message = after.status?.message ?? "";
  if (before !== undefined && before.status?.phase === phase && (before.status.message ?? "") === message) return nodes;
  const own: WorkflowChange = { kind: "workflow", phase, message };
  return after.status?.finishedAt ? [...nodes, own] : [own, ...nodes];
}
