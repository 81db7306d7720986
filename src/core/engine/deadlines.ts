/** What time does to nodes: timeouts of templates, the workflow's deadline (Argo 4.1 behaviour 3.13). */

import type { NodeStatus } from "../model/argo/node.js";
import type { PodView } from "../podlife/index.js";
import { msOf, parseDuration } from "../std/duration.js";
import { msOfRfc3339 } from "../std/time.js";
import { DEADLINE, TIMEOUT } from "./from-outside.js";
import { hasEnded, isLeftBehind } from "./late.js";
import { isSettled } from "./nodes/phases.js";
import type { At, Pass } from "./pass.js";

/** Why the node must end now: it is Pending for longer than its template's timeout or pendingTimeout allows. */
export function timeoutOf(at: At, node: NodeStatus | undefined): string | undefined {
  if (node === undefined || isSettled(node)) return undefined;
  return pendingFor(at, node, at.template.timeout) ?? pendingFor(at, node, at.template.pendingTimeout);
}

function pendingFor({ pass, frame }: At, node: NodeStatus, text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const limit = parseDuration(text);
  if (!limit.ok) return `invalid timeout format. ${limit.error}`;
  if (node.phase !== "Pending" || hasBegun(pass, node)) return undefined;
  const end = startOf(pass, node) + msOf(limit.value);
  if (pass.now > end) return TIMEOUT;
  pass.frames.sleepUntil(frame, end + 1);
  return undefined;
}

/**
 * Why the node must end now: no machine has taken its pod for longer than its template's activeDeadlineSeconds, which a
 * kubelet counts from the pod's start only (lessons G.3, 4). One that a machine has promised to take waits for its turn.
 */
export function unplacedFor({ pass, frame, template }: At, view: PodView | undefined): string | undefined {
  if (view?.phase !== "Pending" || view.hostNodeName !== undefined || view.nominatedNodeName !== undefined)
    return undefined;
  const seconds = Number(template.activeDeadlineSeconds);
  const createdAt = msOfRfc3339(view.createdAt ?? "");
  if (Number.isNaN(seconds) || createdAt === undefined) return undefined;
  const end = createdAt + seconds * 1000;
  if (pass.now > end) return DEADLINE;
  pass.frames.sleepUntil(frame, end + 1);
  return undefined;
}

/** Its pod ran while nobody looked, and the node is about to say so: it waits for nothing. */
function hasBegun({ observations }: Pass, node: NodeStatus): boolean {
  const view = observations.pods.get(node.id);
  if (view === undefined || isLeftBehind(view, node)) return false;
  return view.phase === "Running" || hasEnded(view);
}

/** When a pod of the node must have ended, by the workflow's deadline and the template's timeout; milliseconds. */
export function podDeadline({ pass, frame, template }: At, node: NodeStatus): number | undefined {
  const ends: number[] = [];
  if (pass.deadline !== undefined && !frame.call.onExit) ends.push(pass.deadline);
  const timeout = parseDuration(template.timeout ?? "");
  if (timeout.ok) ends.push(startOf(pass, node) + msOf(timeout.value));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Whole seconds that a pod begun now may run. */
export function secondsLeft({ pass }: At, deadline: number | undefined): number | undefined {
  return deadline === undefined ? undefined : Math.floor((deadline - pass.now) / 1000);
}

export function startOf(pass: Pass, node: NodeStatus): number {
  return msOfRfc3339(node.startedAt ?? "") ?? pass.now;
}
