/** Lifecycle hooks and exit handlers of steps and tasks (Argo 4.1 behaviour 3.11, 3.12). */

import { substitute } from "../expr/index.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Arguments, LifecycleHook } from "../model/argo/template.js";
import { plain } from "../std/plain.js";
import { ok, type Result } from "../std/result.js";
import { evaluateConditionIn, LocalScope, resolveArgumentArtifacts, type Variables } from "../template/index.js";
import type { Frame, Member } from "./frames.js";
import { addChild, shownNode } from "./nodes/children.js";
import { isFulfilled } from "./nodes/phases.js";
import { type At, type Executed, exprContext, mayExecute, type Stop } from "./pass.js";

/** Whose hook: a member of a composite, its node, and the variables that its arguments may use. */
export interface HookOwner {
  readonly at: At;
  readonly boundary: NodeStatus;
  readonly member: Member;
  readonly node: NodeStatus;
  /** `steps.<name>` or `tasks.<name>`. */
  readonly prefix: string;
  readonly scope: LocalScope;
  /** The group is about to end with a fault: what was triggered is carried on, nothing new is. */
  readonly onlyKnown: boolean;
}

export interface HooksState {
  /** Every hook that was triggered is fulfilled. */
  readonly isDone: boolean;
  /** A hook that cannot begin; nothing comes of it any more. */
  readonly stop?: Stop;
}

export const exitHookName = "exit";

/** Triggers hooks whose expression holds, and carries on those that were triggered. */
export function runHooks(owner: HookOwner): HooksState {
  let isDone = true;
  let stop: Stop | undefined;
  for (const [name, hook] of Object.entries(owner.member.invocation.hooks ?? {})) {
    if (name === exitHookName) continue;
    const onlyKnown = owner.onlyKnown || stop !== undefined;
    const state = runHook({ ...plain, ...owner, onlyKnown }, hook, `${owner.node.name}.hooks.${name}`);
    stop ??= state.stop;
    if (!state.isDone) isDone = false;
  }
  return stop === undefined ? { isDone } : { isDone, stop };
}

function runHook(owner: HookOwner, hook: LifecycleHook, nodeName: string): HooksState {
  const isTriggered = owner.at.pass.nodes.named(nodeName) !== undefined;
  if (owner.onlyKnown && !isTriggered) return { isDone: true };
  if ((hook.expression ?? "") === "") return failed(`Expression required for hook ${nodeName}`);
  const holds = holdsFor(owner, hook, nodeName);
  if (!holds.ok) return failed(holds.error);
  if (!holds.value && !isTriggered) return { isDone: true };
  return stateOf(callHook(owner, hook, { nodeName, onExit: owner.at.frame.call.onExit }));
}

/** Runs the exit handler of a completed node, if it has one. */
export function runExitHandler(owner: HookOwner): HooksState {
  const { node, at } = owner;
  const hook = exitHookOf(owner.member, at.pass.spec.arguments);
  if (hook === undefined) return { isDone: true };
  const nodeName = `${node.name}.onExit`;
  // One that runs already has to be ended by a shutdown too.
  const isKnown = at.pass.nodes.named(nodeName) !== undefined;
  if (!isKnown && (owner.onlyKnown || !mayExecute(at.pass, true))) return { isDone: true };
  const holds = holdsFor(owner, hook, nodeName);
  if (!holds.ok) return failed(holds.error);
  return holds.value || isKnown ? stateOf(callHook(owner, hook, { nodeName, onExit: true })) : { isDone: true };
}

/** True without an expression. */
function holdsFor(owner: HookOwner, { expression }: LifecycleHook, nodeName: string): Result<boolean> {
  if (expression === undefined || expression === "") return ok(true);
  return evaluateConditionIn(expression, hookScope(owner).texts, exprContext(owner.at.pass, nodeName));
}

/** A hook that waits for a place, or for a fact, is only not done yet. */
function stateOf({ node, stop }: Executed): HooksState {
  // One that took too long, or lies too deep, has ended: nothing comes any more that would have it looked at again.
  const isOwnEnd = stop?.kind === "timeout" || stop?.kind === "depth";
  if (isOwnEnd && node !== undefined && isFulfilled(node)) return { isDone: true };
  if (stop !== undefined && stop.kind !== "parallelism" && stop.kind !== "need") return { isDone: true, stop };
  return { isDone: node !== undefined && isFulfilled(node) };
}

function failed(message: string): HooksState {
  return { isDone: true, stop: { kind: "error", message } };
}

/** `hooks.exit`, or the older `onExit`, which takes the workflow's arguments. */
function exitHookOf({ invocation }: Member, workflowArguments: Arguments | undefined): LifecycleHook | undefined {
  const hook = invocation.hooks?.[exitHookName];
  if (hook !== undefined) return hook;
  const template = invocation.onExit ?? "";
  if (template === "") return undefined;
  return { template, ...(workflowArguments === undefined ? {} : { arguments: workflowArguments }) };
}

/** The composite's variables, and the member's own status and outputs. */
function hookScope({ at, scope, prefix, node }: HookOwner): Variables {
  const own = new LocalScope();
  for (const [name, value] of scope.variables) own.set(name, value);
  for (const [name, value] of scope.artifacts) own.artifacts.set(name, value);
  own.addOutputs(prefix, shownNode(at.pass, node).outputs);
  own.set(`${prefix}.status`, node.phase ?? "");
  return own.over(at.pass.globals.variables);
}

function callHook(
  owner: HookOwner,
  hook: LifecycleHook,
  { nodeName, onExit }: { readonly nodeName: string; readonly onExit: boolean },
): Executed {
  const { at, boundary, member, node } = owner;
  const { pass, frame } = at;
  const known = pass.nodes.named(nodeName);
  if (known !== undefined && isFulfilled(known)) return { node: known };
  const args = hookArguments(owner, hook, nodeName);
  if (typeof args === "string") return { node: known, stop: { kind: "error", message: args } };
  const own: Frame = pass.frames.open(
    {
      nodeName,
      invocation: {
        ...(hook.template === undefined ? {} : { template: hook.template }),
        ...(hook.templateRef === undefined ? {} : { templateRef: hook.templateRef }),
      },
      invokedAs: "step",
      source: frame.resolved?.source ?? frame.call.source,
      args,
      boundaryId: boundary.id,
      nodeFlag: { hooked: true },
      onExit,
    },
    frame,
  );
  own.member = member;
  const executed = pass.execute(own);
  if (executed.stop?.kind === "parallelism") pass.frames.block(own);
  if (executed.node !== undefined) addChild(pass, node, executed.node.id);
  return executed;
}

function hookArguments(owner: HookOwner, { arguments: args }: LifecycleHook, nodeName: string): Arguments | string {
  if (args === undefined) return {};
  const context = exprContext(owner.at.pass, nodeName);
  const scope = hookScope(owner);
  const replaced = substitute(args, scope.texts, { mode: "allow-unresolved", context });
  if (!replaced.ok) return replaced.error.message;
  const resolved = resolveArgumentArtifacts(replaced.value, scope, context);
  if (!resolved.ok) return resolved.error.message;
  return resolved.value ?? {};
}
