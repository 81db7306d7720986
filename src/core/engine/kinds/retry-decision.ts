/** Whether a step that ended is tried again: Argo's checks in Argo's order, for the order decides the message (3.10). */

import type { NodeStatus } from "../../model/argo/node.js";
import type { Backoff, RetryStrategy } from "../../model/argo/template.js";
import { msOf, parseDurationOrSeconds } from "../../std/duration.js";
import { formatFloat } from "../../std/go-format.js";
import { msOfRfc3339, rfc3339OfMs } from "../../std/time.js";
import { evaluateConditionIn, extendScope } from "../../template/index.js";
import { startOf } from "../deadlines.js";
import type { MarkedPhase } from "../nodes/change.js";
import { isUnsuccessful } from "../nodes/phases.js";
import { type At, exprContext, isPastDeadline, type Pass, shutdownMessage } from "../pass.js";
import { isTransient } from "./transient.js";

export type RetryDecision =
  | { readonly kind: "settle"; readonly phase: MarkedPhase; readonly message: string | undefined }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "wait"; readonly until: number; readonly message: string }
  | { readonly kind: "again" };

export type RetryPolicy = NonNullable<RetryStrategy["retryPolicy"]>;

const AGAIN: RetryDecision = { kind: "again" };

/** `attempts` has at least one, and the last of them has ended. */
export function decideRetry(at: At, attempts: readonly NodeStatus[], strategy: RetryStrategy): RetryDecision {
  const last = attempts.at(-1);
  if (last === undefined) return AGAIN;
  // A daemon that ended well is no success: it was to stay.
  if (!isUnsuccessful(last)) return settle("Succeeded", undefined);
  return (
    stopped(at, last) ??
    backedOff(at, attempts, strategy) ??
    outOfPolicy(last, strategy) ??
    outOfLimit(attempts, strategy) ??
    outOfExpression(at, attempts, strategy) ??
    AGAIN
  );
}

function settle(phase: MarkedPhase, message: string | undefined): RetryDecision {
  return { kind: "settle", phase, message };
}

function settleAs(node: NodeStatus, message: string | undefined): RetryDecision {
  return settle(node.phase === "Error" ? "Error" : "Failed", message);
}

function stopped({ pass }: At, last: NodeStatus): RetryDecision | undefined {
  const message = shutdownMessage(pass);
  if (message !== undefined) return settleAs(last, message);
  if (pass.deadline === undefined || !isPastDeadline(pass)) return undefined;
  return settleAs(last, `retry exceeded workflow deadline ${rfc3339OfMs(pass.deadline)}`);
}

function backedOff(at: At, attempts: readonly NodeStatus[], strategy: RetryStrategy): RetryDecision | undefined {
  const { backoff } = strategy;
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (backoff === undefined || first === undefined || last === undefined) return undefined;
  const end = endOf(at, backoff, first);
  if (typeof end === "string") return { kind: "error", message: end };
  if (at.pass.now > end) return settleAs(last, "Max duration limit exceeded");
  const wait = waitOf(backoff, attempts.length);
  if (typeof wait === "string") return { kind: "error", message: wait };
  const until = endOfNode(at.pass, last) + wait;
  if (until > end) return settleAs(last, "Backoff would exceed max duration limit");
  const isLast = attempts.length > (limitOf(strategy) ?? 0);
  if (at.pass.now >= until || isLast) return undefined;
  return { kind: "wait", until, message: `Backoff for ${humanDuration(wait)}` };
}

/** Until when there may be another attempt, in milliseconds; undefined without such a limit. */
export function retriesEnd(at: At, attempts: readonly NodeStatus[], { backoff }: RetryStrategy): number | undefined {
  const [first] = attempts;
  const end = backoff === undefined || first === undefined ? undefined : endOf(at, backoff, first);
  return typeof end === "number" && Number.isFinite(end) ? end : undefined;
}

/** When maxDuration, from the first attempt on, is over: never, without one. A text says why that cannot be told. */
function endOf({ pass }: At, { maxDuration }: Backoff, first: NodeStatus): number | string {
  if (maxDuration === undefined || maxDuration === "") return Number.POSITIVE_INFINITY;
  const limit = parseDurationOrSeconds(maxDuration);
  return limit.ok ? startOf(pass, first) + msOf(limit.value) : limit.error;
}

/** Milliseconds, or why there are none. */
function waitOf(backoff: Backoff, attempts: number): number | string {
  if ((backoff.duration ?? "") === "") return "no base duration specified for retryStrategy";
  const base = parseDurationOrSeconds(backoff.duration ?? "");
  if (!base.ok) return base.error;
  const factor = Math.trunc(Number(backoff.factor ?? 0));
  const grown = factor > 0 ? msOf(base.value) * factor ** (attempts - 1) : msOf(base.value);
  const cap = (backoff.cap ?? "") === "" ? undefined : parseDurationOrSeconds(backoff.cap ?? "");
  if (cap !== undefined && !cap.ok) return cap.error;
  return Math.min(grown, cap === undefined ? Number.MAX_SAFE_INTEGER : msOf(cap.value), Number.MAX_SAFE_INTEGER);
}

/** The strategy's own, else Always with an expression, else OnFailure. */
export function policyOf(strategy: RetryStrategy): RetryPolicy {
  if (strategy.retryPolicy !== undefined) return strategy.retryPolicy;
  return (strategy.expression ?? "") === "" ? "OnFailure" : "Always";
}

function outOfPolicy(last: NodeStatus, strategy: RetryStrategy): RetryDecision | undefined {
  return retries(last, policyOf(strategy)) ? undefined : settleAs(last, last.message);
}

function retries(last: NodeStatus, policy: RetryPolicy): boolean {
  switch (policy) {
    case "Always":
      return true;
    case "OnFailure":
      return last.phase === "Failed";
    case "OnError":
      return last.phase === "Error";
    case "OnTransientError":
      return isTransient(last.message ?? "");
  }
}

function limitOf(strategy: RetryStrategy): number | undefined {
  return strategy.limit === undefined ? undefined : Math.trunc(Number(strategy.limit));
}

function outOfLimit(attempts: readonly NodeStatus[], strategy: RetryStrategy): RetryDecision | undefined {
  const [limit, last] = [limitOf(strategy), attempts.at(-1)];
  if (limit === undefined || last === undefined || attempts.length <= limit) return undefined;
  return settleAs(last, "No more retries left");
}

function outOfExpression(
  { pass, frame }: At,
  attempts: readonly NodeStatus[],
  { expression }: RetryStrategy,
): RetryDecision | undefined {
  const last = attempts.at(-1);
  if (last === undefined || expression === undefined || expression === "") return undefined;
  const scope = extendScope(new Map(), [
    ["retries", String(attempts.length - 1)],
    ["lastRetry.exitCode", last.outputs?.exitCode ?? "-1"],
    ["lastRetry.status", last.phase ?? ""],
    ["lastRetry.duration", formatFloat(durationSeconds(pass, last))],
    ["lastRetry.message", last.message ?? ""],
  ]);
  const result = evaluateConditionIn(expression, scope, exprContext(pass, frame.call.nodeName));
  if (!result.ok) return { kind: "error", message: result.error };
  return result.value ? undefined : settleAs(last, "retryStrategy.expression evaluated to false");
}

/** From start to end, to now while it runs; whole seconds as the times are kept. */
export function durationSeconds(pass: Pass, node: NodeStatus): number {
  return Math.max(0, (endOfNode(pass, node) - startOf(pass, node)) / 1000);
}

function endOfNode(pass: Pass, { finishedAt = "" }: NodeStatus): number {
  return msOfRfc3339(finishedAt) ?? pass.now;
}

const UNITS = [
  ["second", 1],
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
] as const;

/** `30 seconds`, `1 minute 0 seconds`, `2 hours 5 minutes`, `1 day 3 hours`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const at = UNITS.findLastIndex(([, size]) => seconds >= size);
  const [name, size] = UNITS[Math.max(0, at)] ?? UNITS[0];
  const head = counted(Math.floor(seconds / size), name);
  const below = at <= 0 ? undefined : UNITS[at - 1];
  return below === undefined ? head : `${head} ${counted(Math.floor((seconds % size) / below[1]), below[0])}`;
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
