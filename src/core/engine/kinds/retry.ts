/** Retry: a node that wraps the attempts of another kind (Argo 4.1 behaviour 3.10). */

import type { NodeStatus } from "../../model/argo/node.js";
import type { RetryStrategy, Template } from "../../model/argo/template.js";
import { formatFloat } from "../../std/go-format.js";
import { plain } from "../../std/plain.js";
import { isPodKind, kindOf, substituteTemplate } from "../../template/index.js";
import { timeoutOf } from "../deadlines.js";
import { createNode, markNode, updateNode } from "../nodes/change.js";
import { addChild, attemptsOf } from "../nodes/children.js";
import { isFulfilled, isSettled } from "../nodes/phases.js";
import { type At, type Executed, exprContext, isSuspended, type Pass, podNameFor, type Stop } from "../pass.js";
import { failWith } from "./kind.js";
import { decideRetry, durationSeconds, policyOf, retriesEnd } from "./retry-decision.js";

/** Goes on with the last attempt; makes the next one, or settles the wrapper, when it has ended. */
export function proceedRetry(at: At, known: NodeStatus | undefined, strategy: RetryStrategy): Executed {
  const { pass, frame, template } = at;
  const retry = known ?? createNode(pass, frame.call, { type: "Retry", phase: "Running", template });
  frame.dirtyChildren.clear();
  const attempts = attemptsOf(pass, retry);
  const last = attempts.at(-1);
  if (last === undefined) return tryAgain({ at, strategy, tries: 0 }, retry, attempts);
  if (isFulfilled(last) && last.daemoned !== true) return afterAttempt({ at, strategy, tries: 0 }, retry);
  const before = attempts.at(-2);
  const executed = runAttempt(at, retry, { number: attempts.length - 1, before, strategy });
  return takeAttempt({ at, strategy, tries: 0 }, retry, executed);
}

interface Tries {
  readonly at: At;
  readonly strategy: RetryStrategy;
  /** Attempts that this pass made and that ended at once. */
  readonly tries: number;
}

/** So many attempts may fail at once in one pass; then there is a pause, or a strategy without limit would never end. */
const TRIES_MAX = 20;
const PAUSE_MS = 1_000;

function takeAttempt(tries: Tries, retry: NodeStatus, { node: attempt, stop }: Executed): Executed {
  const { pass } = tries.at;
  const daemoned = attempt?.daemoned === true && !isSettled(attempt);
  const wrapper = updateNode(pass, pass.nodes.get(retry.id) ?? retry, { daemoned });
  if (stop?.kind === "error") return { node: wrapper, stop };
  if (attempt === undefined || !isFulfilled(attempt) || daemoned) return withStop(wrapper, stop);
  return afterAttempt(tries, wrapper);
}

/** A stop that is only the attempt's own business does not concern those around. */
function withStop(node: NodeStatus, stop: Stop | undefined): Executed {
  return stop === undefined || stop.kind === "parallelism" ? { node } : { node, stop };
}

function afterAttempt(tries: Tries, retry: NodeStatus): Executed {
  const { at, strategy } = tries;
  const { pass, frame } = at;
  const attempts = attemptsOf(pass, retry);
  const decision = decideRetry(at, attempts, strategy);
  switch (decision.kind) {
    case "settle": {
      const outputs = attempts.at(-1)?.outputs;
      const { phase, message } = decision;
      const shown = outputs === undefined ? {} : { outputs };
      return { node: updateNode(pass, retry, { phase, message: message ?? "", daemoned: false, ...shown }) };
    }
    case "error":
      return failWith(decision.message, markNode(pass, retry, "Error", decision.message));
    case "wait":
      pass.frames.sleepUntil(frame, decision.until);
      return { node: markNode(pass, retry, "Running", decision.message) };
    case "again":
      return tryAgain(tries, retry, attempts);
  }
}

function tryAgain(tries: Tries, retry: NodeStatus, attempts: readonly NodeStatus[]): Executed {
  const { at, strategy } = tries;
  const { pass, frame } = at;
  if (!hasRoom(pass)) {
    pass.frames.block(frame);
    // While it waits its time may run out.
    const end = retriesEnd(at, attempts, strategy);
    if (end !== undefined) pass.frames.sleepUntil(frame, end + 1);
    return { node: retry };
  }
  if (tries.tries >= TRIES_MAX) {
    pass.frames.sleepUntil(frame, pass.now + PAUSE_MS);
    return { node: retry };
  }
  const isWaitOver = strategy.backoff !== undefined && attempts.length > 0;
  const cleared = isWaitOver ? markNode(pass, retry, "Running", "") : retry;
  const executed = runAttempt(at, cleared, { number: attempts.length, before: attempts.at(-1), strategy });
  return takeAttempt({ ...tries, tries: tries.tries + 1 }, pass.nodes.get(retry.id) ?? cleared, executed);
}

/** An attempt has its place in the template around it already; only the workflow's limit concerns it. */
function hasRoom(pass: Pass): boolean {
  const { parallelism } = pass.spec;
  return pass.begins && !isSuspended(pass) && (parallelism === undefined || pass.nodes.activePods < parallelism);
}

interface Attempt {
  readonly number: number;
  readonly before: NodeStatus | undefined;
  readonly strategy: RetryStrategy;
}

function runAttempt(at: At, retry: NodeStatus, attempt: Attempt): Executed {
  const { pass, frame } = at;
  const nodeName = `${retry.name}(${attempt.number})`;
  const attemptFrame = pass.frames.openAttempt(
    { ...plain, ...frame.call, nodeName, nodeFlag: { ...plain, ...frame.call.nodeFlag, retried: true } },
    frame,
  );
  attemptFrame.isDirty = false;
  attemptFrame.resolved = frame.resolved;
  if (attemptFrame.bound === undefined) {
    const bound = bindAttempt(at, nodeName, attempt);
    if (typeof bound === "string") return failWith(bound, pass.nodes.named(nodeName));
    attemptFrame.bound = bound;
  }
  const own = { pass, frame: attemptFrame, template: attemptFrame.bound };
  const known = pass.nodes.named(nodeName);
  const timeout = timeoutOf(own, known);
  if (timeout !== undefined && known !== undefined) return { node: markNode(pass, known, "Failed", timeout) };
  const executed = pass.runKind(own, known);
  if (executed.node !== undefined) addChild(pass, retry, executed.node.id);
  return retriesErrors(attempt.strategy) && executed.stop?.kind === "error" ? { node: executed.node } : executed;
}

function retriesErrors(strategy: RetryStrategy): boolean {
  return policyOf(strategy) !== "OnFailure";
}

/** The template with `retries`, `lastRetry.*` and the attempt's pod name put in. */
function bindAttempt({ pass, template }: At, nodeName: string, { number, before }: Attempt): Template | string {
  const locals = new Map<string, string>([
    ["retries", String(number)],
    ["lastRetry.exitCode", before?.outputs?.exitCode ?? "0"],
    ["lastRetry.duration", before === undefined ? "0" : formatFloat(durationSeconds(pass, before))],
    ["lastRetry.status", before?.phase ?? ""],
    ["lastRetry.message", before?.message ?? ""],
  ]);
  if (isPodKind(kindOf(template))) {
    locals.set("pod.name", podNameFor(pass, nodeName, template.name ?? ""));
  }
  const context = exprContext(pass, nodeName);
  const bound = substituteTemplate(template, { globals: pass.globals.variables.texts, locals, context });
  if (bound.kind === "found") return bound.value;
  return bound.kind === "problem" ? bound.message : `template ${template.name ?? ""} is not there`;
}
