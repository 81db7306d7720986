/** What time does to nodes: timeouts of templates, the workflow's deadline (Argo 4.1 behaviour 3.13). */

import type { NodeStatus } from "../model/argo/node.js";
import { msOf, parseDuration } from "../std/duration.js";
import { msOfRfc3339 } from "../std/time.js";
import type { At, Pass } from "./pass.js";

/** Argo's words for a template that took too long before its pod ran. */
const TIMEOUT = "timeout";

/** Why the node must end now: it is Pending for longer than its template's timeout or pendingTimeout allows. */
export function timeoutOf({ pass, frame, template }: At, node: NodeStatus | undefined): string | undefined {
  if (node === undefined || (node.phase !== "Pending" && node.phase !== "Running")) return undefined;
  for (const text of [template.timeout, template.pendingTimeout]) {
    const limit = text === undefined || text === "" ? undefined : parseDuration(text);
    if (limit === undefined) continue;
    if (!limit.ok) return `invalid timeout format. ${limit.error}`;
    if (node.phase !== "Pending" || node.type === "Retry") continue;
    const end = startOf(pass, node) + msOf(limit.value);
    if (pass.now > end) return TIMEOUT;
    pass.frames.sleepUntil(frame, end + 1);
  }
  return undefined;
}

/** Whole seconds that a pod begun now may run, by the workflow's deadline and the template's timeout. */
export function secondsLeft({ pass, frame, template }: At, node: NodeStatus): number | undefined {
  const ends: number[] = [];
  if (pass.deadline !== undefined && !frame.call.onExit) ends.push(pass.deadline);
  const timeout = parseDuration(template.timeout ?? "");
  if (timeout.ok) ends.push(startOf(pass, node) + msOf(timeout.value));
  return ends.length === 0 ? undefined : Math.floor((Math.min(...ends) - pass.now) / 1000);
}

export function startOf(pass: Pass, node: NodeStatus): number {
  return msOfRfc3339(node.startedAt ?? "") ?? pass.now;
}
