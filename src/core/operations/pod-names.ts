/** The pods of nodes, by name: what a retry has to delete. */

import { nodeIdOf, podNameOf } from "../model/argo/names.js";
import type { NodeStatus } from "../model/argo/node.js";

const SALTS_MAX = 1000;

/** The name of a Pod node's pod; the salt of a hash collision is found again from the node's ID. */
export function podNameOfNode(workflowName: string, node: NodeStatus, format: "v1" | "v2" = "v2"): string {
  if (format === "v1") return node.id;
  const template = node.templateRef?.template ?? node.templateName ?? "";
  for (let salt = 0; salt < SALTS_MAX; salt++) {
    if (nodeIdOf(workflowName, node.name, salt) === node.id) return podNameOf(workflowName, node.name, template, salt);
  }
  return podNameOf(workflowName, node.name, template);
}
