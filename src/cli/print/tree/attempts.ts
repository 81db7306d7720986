/** Retry nodes: which attempt is going on, how many there may be, and how the one before ended. */

import type { NodeStatus } from "../../../core/model/argo/node.js";
import type { Template } from "../../../core/model/argo/template.js";
import type { WorkflowSpec } from "../../../core/model/argo/workflow.js";
import { oneLine } from "../step-output.js";
import type { NodeIndex } from "./node-index.js";

export interface Attempts {
  readonly all: readonly NodeStatus[];
  readonly last: NodeStatus | undefined;
  /** Undefined without a limit. */
  readonly max: number | undefined;
}

/** The attempts of a Retry node in their order; hooks and exit handlers beside them are left out. */
export function attemptsOf(retry: NodeStatus, index: NodeIndex, template: Template | undefined): Attempts {
  const all = (retry.children ?? [])
    .map((id) => index.byId.get(id))
    .filter((node): node is NodeStatus => node !== undefined && node.nodeFlag?.hooked !== true);
  return { all, last: all.at(-1), max: attemptsMax(template, index.spec) };
}

function attemptsMax(template: Template | undefined, spec: WorkflowSpec): number | undefined {
  const limit = (template?.retryStrategy ?? spec.templateDefaults?.retryStrategy ?? spec.retryStrategy)?.limit;
  if (limit === undefined) return undefined;
  const number = Number(limit);
  return Number.isInteger(number) ? number + 1 : undefined;
}

/** `attempt 2 of 4`, `attempt 2`; empty for the first of one. */
export function attemptText(attempts: Attempts): string {
  const { all, max } = attempts;
  if (all.length <= 1 && (max === undefined || max <= 1)) return "";
  return max === undefined ? `attempt ${all.length}` : `attempt ${all.length} of ${max}`;
}

/**
 * Argo's failure messages in few words: `Error (exit code 2)` -> `exit 2`, `OOMKilled (exit code 137)` ->
 * `OOMKilled, exit 137`; others as they are, on one line.
 */
export function shortMessage(message: string | undefined): string {
  const line = oneLine(message ?? "");
  const match = /^(?:([\w-]+): )?(?:(.*?) )?\(exit code (\d+)\)(?:: (.*))?$/.exec(line);
  if (match === null) return line;
  const [, container, reason = "", code = "", rest] = match;
  // Nobody saw it end: the code stands for that, and says nothing.
  if (reason === "ContainerStatusUnknown" && rest !== undefined) return rest;
  const parts = [reason === "" || reason === "Error" ? "" : reason, `exit ${code}`].filter((part) => part !== "");
  const text = rest ? `${parts.join(", ")}: ${rest}` : parts.join(", ");
  return container === undefined || container === "main" ? text : `${container}: ${text}`;
}
