/** One call of a template, from finding it to what its kind makes of it (Argo 4.1 behaviour 3.5). */

import type { NodeStatus } from "../model/argo/node.js";
import type { RetryStrategy, Template, TemplateKind } from "../model/argo/template.js";
import {
  bindArguments,
  isPodKind,
  kindOf,
  type Lookup,
  resolveTemplate,
  withTemplateDefaults,
} from "../template/index.js";
import { timeoutOf } from "./deadlines.js";
import type { Frame } from "./frames.js";
import { addMissingGlobalOutputsOf } from "./global-outputs.js";
import { kinds } from "./kinds/index.js";
import { failWith } from "./kinds/kind.js";
import { proceedRetry } from "./kinds/retry.js";
import { settleBelow } from "./leftovers.js";
import { createNode, markNode } from "./nodes/change.js";
import { isSettled } from "./nodes/phases.js";
import { defaultDepthMax } from "./options.js";
import { reachedLimit } from "./parallelism.js";
import { type At, addNeed, type Executed, exprContext, type Pass, podNameFor } from "./pass.js";

const DEPTH_HELP = "https://argo-workflows.readthedocs.io/en/latest/scaling/";

/** Carries a call on as far as it goes now. Its node, if there is one, says the rest. */
export function execute(pass: Pass, frame: Frame): Executed {
  frame.isDirty = false;
  const node = pass.nodes.named(frame.call.nodeName);
  if (node !== undefined && isSettled(node)) {
    // `argo resume` and `argo node set` settle nodes behind the engine's back.
    if (node.type === "Suspend") addMissingGlobalOutputsOf(pass, node);
    return { node };
  }
  if (frame.depth >= (pass.options.limits?.depthMax ?? defaultDepthMax)) {
    const made = markFailed(pass, frame, `Maximum recursion depth exceeded. See ${DEPTH_HELP}`);
    return { node: made, stop: { kind: "depth" } };
  }
  const template = bind(pass, frame);
  if (template.kind === "need") {
    addNeed(pass, template.need);
    return { node, stop: { kind: "need" } };
  }
  if (template.kind === "problem") return failCall(pass, frame, template.message);
  return executeBound({ pass, frame, template: template.value }, node);
}

function executeBound(at: At, node: NodeStatus | undefined): Executed {
  const { pass, frame, template } = at;
  // Never run beside what a lock was to keep away.
  if (template.synchronization !== undefined) return failCall(pass, frame, "synchronization is not built yet");
  // Of a retry each attempt has its own time.
  const timeout = node?.type === "Retry" ? undefined : timeoutOf(at, node);
  if (timeout !== undefined) {
    const failed = node === undefined ? undefined : markNode(pass, node, "Failed", timeout);
    return { node: failed, stop: { kind: "timeout", message: timeout } };
  }
  const limit = reachedLimit(at, node);
  if (limit !== undefined) return limit;
  const strategy = retryStrategyOf(pass, frame, template);
  if (strategy !== undefined) return onStop(at, proceedRetry(at, node, strategy));
  return runKind(at, node);
}

/** Begins or goes on with the work itself, past retries and limits. */
export function runKind(at: At, known: NodeStatus | undefined): Executed {
  const kind = kinds[kindName(at.template)];
  const node = known ?? kind.begin(at);
  const proceeded = kind.proceed(at, node);
  if (proceeded.stop !== undefined) return onStop(at, proceeded);
  const current = at.pass.nodes.get(node.id) ?? node;
  if (isSettled(current)) return { node: current };
  // A node that was made just now, or that waits again, has its limit on waiting too.
  if (timeoutOf(at, current) === undefined) return onStop(at, kind.wants(at, current));
  at.pass.frames.mark(at.frame);
  return { node: current };
}

function onStop(at: At, executed: Executed): Executed {
  if (executed.stop?.kind !== "error") return executed;
  const failed = markFailed(at.pass, at.frame, executed.stop.message);
  return { node: failed, stop: executed.stop };
}

function kindName(template: Template): TemplateKind | "none" {
  return kindOf(template) ?? "none";
}

function failCall(pass: Pass, frame: Frame, message: string): Executed {
  return failWith(message, markFailed(pass, frame, message));
}

/** The node in phase Error, and what is at work in it ended; where there is none yet, one of type Skipped stands for it. */
export function markFailed(pass: Pass, frame: Frame, message: string): NodeStatus {
  const node = pass.nodes.named(frame.call.nodeName);
  if (node !== undefined) {
    const failed = markNode(pass, node, "Error", message);
    settleBelow(pass, failed);
    return failed;
  }
  return createNode(pass, frame.call, { type: "Skipped", phase: "Error", message });
}

/** The template's own strategy, else the workflow's; none for an attempt. */
export function retryStrategyOf(pass: Pass, frame: Frame, template: Template): RetryStrategy | undefined {
  return frame.isAttempt ? undefined : (template.retryStrategy ?? pass.spec.retryStrategy);
}

/** The call's template with all that is known put in; made again when the workflow's variables changed. */
function bind(pass: Pass, frame: Frame): Lookup<Template> {
  if (frame.bound !== undefined && (frame.isAttempt || frame.boundVersion === pass.globals.version)) {
    return { kind: "found", value: frame.bound };
  }
  const resolved = resolve(pass, frame);
  if (resolved.kind !== "found") return resolved;
  const { call } = frame;
  const bound = bindArguments(resolved.value, call.args, {
    globals: pass.globals.variables.texts,
    locals: localVariables(pass, frame, resolved.value),
    namespace: pass.workflow.metadata.namespace ?? "",
    facts: pass.facts,
    context: exprContext(pass, call.nodeName),
  });
  if (bound.kind !== "found") return bound;
  frame.bound = bound.value;
  frame.boundVersion = pass.globals.version;
  return bound;
}

function resolve(pass: Pass, frame: Frame): Lookup<Template> {
  const stored = pass.status.storedTemplates;
  const resolved = resolveTemplate(frame.call.invocation, frame.call.source, {
    namespace: pass.workflow.metadata.namespace ?? "",
    facts: pass.facts,
    stored: (key) => (stored !== undefined && Object.hasOwn(stored, key) ? stored[key] : undefined),
  });
  if (resolved.kind !== "found") return resolved;
  const { storedKey, template } = resolved.value;
  if (storedKey !== undefined && !Object.hasOwn(stored ?? {}, storedKey)) {
    pass.status = { ...pass.status, storedTemplates: { ...stored, [storedKey]: template } };
  }
  frame.resolved = resolved.value;
  const whole = withTemplateDefaults(template, pass.spec.templateDefaults);
  return { kind: "found", value: pass.options.standIn?.(whole) ?? whole };
}

function localVariables(pass: Pass, frame: Frame, template: Template): ReadonlyMap<string, string> {
  const { invokedAs, invocation, nodeName } = frame.call;
  const locals = new Map<string, string>([["node.name", nodeName]]);
  if (isPodKind(kindOf(template)) && retryStrategyOf(pass, frame, template) === undefined) {
    locals.set("pod.name", podNameFor(pass, nodeName, template.name ?? ""));
  }
  if (invokedAs === "step") locals.set("steps.name", invocation.name ?? "");
  if (invokedAs === "task") locals.set("tasks.name", invocation.name ?? "");
  return locals;
}
