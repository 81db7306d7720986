/** Retry: a node that wraps the attempts of another kind (Argo 4.1 behaviour 3.10). */

import type { NodeStatus } from "../../model/argo/node.js";
import type { RetryStrategy, Template } from "../../model/argo/template.js";
import { formatFloat } from "../../std/go-format.js";
import { isPodKind, kindOf, substituteTemplate } from "../../template/index.js";
import { createNode, markNode, updateNode } from "../nodes/change.js";
import { addChild, attemptsOf } from "../nodes/children.js";
import { isFulfilled, isSettled } from "../nodes/phases.js";
import { type At, type Executed, exprContext, isSuspended, type Pass, podNameFor, type Stop } from "../pass.js";
import { failWith } from "./kind.js";
import { decideRetry, durationSeconds, policyOf } from "./retry-decision.js";

/** Goes on with the last attempt; makes the next one, or settles the wrapper, when it has ended. */
export function proceedRetry(at: At, known: NodeStatus | undefined, strategy: RetryStrategy): Executed {
  const { pass, frame, template } = at;
  const retry = known ?? createNode(pass, frame.call, { type: "Retry", phase: "Running", template });
  frame.dirtyChildren.clear();
  const attempts = attemptsOf(pass, retry);
  const last = attempts.at(-1);
  if (last === undefined && !hasRoom(pass)) {
    pass.frames.block(frame);
    return { node: retry };
  }
  if (last === undefined || !isFulfilled(last) || last.daemoned === true) {
    const number = Math.max(0, attempts.length - 1);
    const before = attempts.at(-2);
    const executed = runAttempt(at, retry, { number, before, strategy });
    const attempt = executed.node;
    const daemoned = attempt?.daemoned === true && !isSettled(attempt);
    const current = pass.nodes.get(retry.id) ?? retry;
    const wrapper = updateNode(pass, current, { daemoned });
    if (executed.stop?.kind === "error") return { node: wrapper, stop: executed.stop };
    if (attempt === undefined || !isFulfilled(attempt) || daemoned) return withStop(wrapper, executed.stop);
    return afterAttempt(at, wrapper, strategy);
  }
  return afterAttempt(at, retry, strategy);
}

/** A stop that is only the attempt's own business does not concern those around. */
function withStop(node: NodeStatus, stop: Stop | undefined): Executed {
  return stop === undefined || stop.kind === "parallelism" ? { node } : { node, stop };
}

function afterAttempt(at: At, retry: NodeStatus, strategy: RetryStrategy): Executed {
  const { pass, frame } = at;
  const attempts = attemptsOf(pass, retry);
  const last = attempts.at(-1);
  if (last === undefined) return { node: retry };
  const decision = decideRetry(at, attempts, strategy);
  const current = pass.nodes.get(retry.id) ?? retry;
  switch (decision.kind) {
    case "settle": {
      const outputs = last.outputs === undefined ? {} : { outputs: last.outputs };
      const { phase, message } = decision;
      return { node: updateNode(pass, current, { phase, message: message ?? "", daemoned: false, ...outputs }) };
    }
    case "error":
      return failWith(decision.message, markNode(pass, current, "Error", decision.message));
    case "wait":
      pass.frames.sleepUntil(frame, decision.until);
      return { node: markNode(pass, current, "Running", decision.message) };
    case "again": {
      if (!hasRoom(pass)) {
        pass.frames.block(frame);
        return { node: current };
      }
      const cleared = strategy.backoff === undefined ? current : markNode(pass, current, "Running", "");
      const executed = runAttempt(at, cleared, { number: attempts.length, before: last, strategy });
      const after = pass.nodes.get(retry.id) ?? cleared;
      if (executed.stop?.kind === "error") return { node: after, stop: executed.stop };
      if (executed.node === undefined || !isFulfilled(executed.node)) return withStop(after, executed.stop);
      return afterAttempt(at, after, strategy);
    }
  }
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
    { ...frame.call, nodeName, nodeFlag: { ...frame.call.nodeFlag, retried: true } },
    frame,
  );
  attemptFrame.isDirty = false;
  attemptFrame.resolved = frame.resolved;
  if (attemptFrame.bound === undefined) {
    const bound = bindAttempt(at, nodeName, attempt);
    if (typeof bound === "string") return failWith(bound, pass.nodes.named(nodeName));
    attemptFrame.bound = bound;
  }
  const executed = pass.runKind(
    { pass, frame: attemptFrame, template: attemptFrame.bound },
    pass.nodes.named(nodeName),
  );
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
