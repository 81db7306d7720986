/** `workflow.failures`: what failed, for exit handlers (Argo 4.1 behaviour 3.12). */

import { podNameOf } from "../model/argo/names.js";
import type { NodeStatus } from "../model/argo/node.js";
import { quoteGo } from "../std/go-format.js";
import { goJsonString } from "../template/raw-json.js";
import { isUnsuccessful } from "./nodes/phases.js";
import type { Pass } from "./pass.js";

/** A JSON list in a Go-quoted text; `"null"` when nothing failed. */
export function failuresOf(pass: Pass): string {
  const failures: string[] = [];
  for (const node of pass.nodes.all()) if (isUnsuccessful(node)) failures.push(failureOf(pass, node));
  return quoteGo(failures.length === 0 ? "null" : `[${failures.join(",")}]`);
}

function failureOf(pass: Pass, node: NodeStatus): string {
  const templateName = node.templateName ?? node.templateRef?.template ?? "";
  const name = pass.workflow.metadata.name ?? "";
  const fields: readonly (readonly [string, string])[] = [
    ["displayName", node.displayName],
    ["message", node.message ?? ""],
    ["templateName", templateName],
    ["phase", node.phase ?? ""],
    ["podName", podNameOf(name, node.name, templateName, pass.nodes.saltFor(node.name))],
    ["finishedAt", node.finishedAt ?? ""],
  ];
  return `{${fields.map(([key, value]) => `${goJsonString(key)}:${goJsonString(value)}`).join(",")}}`;
}
