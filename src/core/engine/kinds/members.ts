/** What steps and DAG share: carrying on one member with its hooks and exit handler, and how errors reach the group. */

import type { NodeStatus } from "../../model/argo/node.js";
import type { LocalScope } from "../../template/index.js";
import type { Call, Fault, Frame, Member } from "../frames.js";
import { runExitHandler, runHooks } from "../hooks.js";
import { attemptsOf } from "../nodes/children.js";
import { isCompleted, isFulfilled, isSettled, isUnsuccessful } from "../nodes/phases.js";
import { type At, type Executed, mayExecute, type Pass, type Stop } from "../pass.js";

/** How a composite calls its members. */
export interface MemberContext {
  readonly at: At;
  /** The composite's own node. */
  readonly boundary: NodeStatus;
  readonly invokedAs: "step" | "task";
  /** `steps.<name>` or `tasks.<name>`: how the member's outputs are called in its hooks. */
  readonly prefixOf: (member: Member) => string;
  readonly scopeOf: (member: Member) => LocalScope;
  /** The composite is about to end with a fault; only what is at work is finished. */
  readonly isFaulty: boolean;
}

/** Carries the member's node on; makes its frame at the first call. */
export function executeMember({ at, boundary, invokedAs }: MemberContext, member: Member): Executed {
  const { pass, frame } = at;
  const call: Call = {
    nodeName: member.nodeName,
    invocation: member.invocation,
    invokedAs,
    source: frame.resolved?.source ?? frame.call.source,
    args: member.invocation.arguments ?? {},
    boundaryId: boundary.id,
    nodeFlag: undefined,
    onExit: frame.call.onExit,
  };
  const own = pass.frames.open(call, frame);
  own.member = member;
  member.frame = own;
  return pass.execute(own);
}

/** Done, and without news: only a daemon that is done still has some. */
export function isQuiet({ isDone, frame }: Member): boolean {
  return isDone && frame?.isDirty !== true;
}

/** The fault that the end of a daemon is: what it was there for cannot go well any more (lessons G.3, 9). */
export function lossOf(
  { pass }: At,
  before: NodeStatus | undefined,
  after: NodeStatus | undefined,
  member: Member,
): Fault | undefined {
  if (before === undefined || isSettled(before) || after === undefined || !isUnsuccessful(after)) return undefined;
  if (!wasUp(pass, before) || continuesOn(member, after)) return undefined;
  const reason = after.message ?? after.phase ?? "";
  return { phase: "Failed", message: `daemon '${after.displayName}' failed: ${reason}`, isAtOnce: true };
}

/** What ends everything at once is not put off by an earlier fault that waits for what is at work. */
export function worse(fault: Fault | undefined, loss: Fault | undefined): Fault | undefined {
  return fault?.isAtOnce === true ? fault : (loss ?? fault);
}

/** Only a daemon that is up, or was before its pod ended, has an address; of a retry one of its attempts. */
function wasUp(pass: Pass, node: NodeStatus): boolean {
  const isKnownUp = ({ daemoned, podIP }: NodeStatus): boolean => daemoned === true || podIP !== undefined;
  return isKnownUp(node) || (node.type === "Retry" && attemptsOf(pass, node).some(isKnownUp));
}

/**
 * Runs hooks and the exit handler of a member whose node exists. Afterwards `isDone` says whether nothing of it is left to
 * do; where it answers a stop, that of a hook which cannot begin, it is for the caller to say.
 */
export function finishMember(context: MemberContext, member: Member, node: NodeStatus): { readonly stop?: Stop } {
  const { at } = context;
  if (member.invocation.hooks === undefined && (member.invocation.onExit ?? "") === "") {
    member.isDone = isFulfilled(node);
    return {};
  }
  const owner = {
    member,
    node,
    prefix: context.prefixOf(member),
    scope: context.scopeOf(member),
    onlyKnown: context.isFaulty,
    ...context,
  };
  const hooks = runHooks(owner);
  member.hasOpenHooks = !hooks.isDone;
  if (hooks.stop !== undefined) return { stop: hooks.stop };
  const current = at.pass.nodes.get(node.id) ?? node;
  if (!hooks.isDone || !isFulfilled(current)) {
    member.isDone = false;
    return {};
  }
  if (!isCompleted(current)) {
    member.isDone = true;
    return {};
  }
  const exit = runExitHandler(owner);
  member.hasOpenHooks = !exit.isDone;
  if (exit.stop !== undefined) return { stop: exit.stop };
  member.isDone = exit.isDone;
  return {};
}

/** Nothing new may begin in this composite. */
export function isShuttingDown({ pass, frame }: At): boolean {
  return !mayExecute(pass, frame.call.onExit);
}

/** Members whose own frame, hook or exit handler has news, in their order: news have none of their own. */
export function touchedMembers(frame: Frame): readonly Member[] {
  const touched = new Set<Member>();
  for (const { member } of frame.dirtyChildren) if (member !== undefined) touched.add(member);
  frame.dirtyChildren.clear();
  return [...touched].sort((a, b) => a.index - b.index);
}

/** Phases that `continueOn` forgives. */
export function continuesOn({ invocation }: Member, node: NodeStatus): boolean {
  const { continueOn } = invocation;
  return (
    (node.phase === "Failed" && continueOn?.failed === true) || (node.phase === "Error" && continueOn?.error === true)
  );
}
