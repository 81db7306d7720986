/** One group of steps: expanded, begun as limits allow, and settled when all its steps are done (Argo 4.1 behaviour 3.6). */

import type { NodeId, NodeStatus } from "../../model/argo/node.js";
import type { WorkflowStep } from "../../model/argo/template.js";
import { plain } from "../../std/plain.js";
import { expandLoop, isLoop, resolveReferences } from "../../template/index.js";
import type { Call, Fault, GroupState, Member, StepsState } from "../frames.js";
import { TIMEOUT } from "../from-outside.js";
import { createNode, markNode } from "../nodes/change.js";
import { addChildren, appendChildren } from "../nodes/children.js";
import { isFulfilled, isSettled, isUnsuccessful } from "../nodes/phases.js";
import { failFast } from "../parallelism.js";
import { type At, exprContext, type Stop, shutdownMessage } from "../pass.js";
import {
  continuesOn,
  executeMember,
  finishMember,
  isQuiet,
  isShuttingDown,
  lossOf,
  type MemberContext,
  touchedMembers,
  worse,
} from "./members.js";
import { skippedBy } from "./skipped.js";

export interface GroupWork {
  readonly at: At;
  /** The Steps node. */
  readonly node: NodeStatus;
  readonly state: StepsState;
  readonly steps: readonly WorkflowStep[];
  readonly group: NodeStatus;
}

/** Carries the group on; its node says how it stands. */
export function proceedGroup(work: GroupWork): void {
  const { at, node, state, group } = work;
  if (isSettled(group)) {
    reopenForDaemons(work);
    return;
  }
  const opened = state.group ?? openMembers(work);
  if (opened === undefined) return;
  state.group = opened;
  opened.fault ??= state.fault ?? savedFault(group);
  const context = contextOf(work, opened);
  const added: NodeId[] = [];
  visit(context, opened, touchedMembers(at.frame), added);
  begin(context, opened, added);
  appendChildren(at.pass, group, added);
  if (!at.pass.begins && failFast(at, node) !== undefined) return;
  conclude(work, opened);
  if (at.pass.begins && !isSettled(at.pass.nodes.get(group.id) ?? group))
    failFast(at, at.pass.nodes.get(node.id) ?? node);
}

/** Settles the group once nothing is left to wait for; until then a fault is kept where a restart finds it. */
function conclude(work: GroupWork, opened: GroupState): void {
  const { fault, openCount, waiting } = opened;
  if (fault?.isAtOnce === true) settle(work, opened);
  else if (openCount === 0 && (waiting.length === 0 || fault !== undefined)) settle(work, opened);
  else if (openCount === 0 && isShuttingDown(work.at)) settle(work, { ...opened, fault: stopped(work.at) });
  else if (fault !== undefined) saveFault(work, fault);
}

/** What still waited for its place when the workflow was shut down will never have it. */
function stopped({ pass }: At): Fault {
  return { phase: "Failed", message: shutdownMessage(pass) ?? "" };
}

/** What is still open in a settled group that a new process comes upon are daemons: they need their frames to be heard. */
function reopenForDaemons(work: GroupWork): void {
  const { at, state, group } = work;
  const { pass } = at;
  if (state.group !== undefined || pass.nodes.open.size === 0 || isUnsuccessful(group)) return;
  if (!(group.children ?? []).some((id) => pass.nodes.open.has(id))) return;
  const opened = openMembers(work);
  if (opened === undefined) return;
  begin(contextOf(work, opened), opened, []);
  if (opened.fault !== undefined) state.fault ??= opened.fault;
}

/** While it waits for its steps at work, a group with a fault says so: a restart must know it. */
function savedFault({ message }: NodeStatus): Fault | undefined {
  if (message === undefined) return undefined;
  return { phase: message === TIMEOUT ? "Failed" : "Error", message };
}

function saveFault({ at, group }: GroupWork, { message }: Fault): void {
  markNode(at.pass, at.pass.nodes.get(group.id) ?? group, "Running", message);
}

function contextOf({ at, node, state }: GroupWork, { fault }: GroupState): MemberContext {
  return {
    at,
    boundary: node,
    isFaulty: fault !== undefined,
    invokedAs: "step",
    prefixOf: (member) => `steps.${member.name}`,
    scopeOf: () => state.scope,
  };
}

/** Members of the group's steps; undefined when a step is wrong, which the group's node then says. */
function openMembers(work: GroupWork): GroupState | undefined {
  const { at, group } = work;
  const { pass } = at;
  const scope = work.state.scope.over(pass.globals.variables);
  const members: Member[] = [];
  const empty: NodeId[] = [];
  const resolved: WorkflowStep[] = [];
  for (const step of work.steps) {
    const one = resolveReferences(step, scope, exprContext(pass, group.name));
    if (!one.ok) return fail(work, `failed to resolve references: ${one.error.message}`);
    resolved.push(one.value);
  }
  for (const step of resolved) {
    const expanded = expandLoop(step, scope.texts, exprContext(pass, `${group.name}.${step.name ?? ""}`));
    if (!expanded.ok) return fail(work, expanded.error.message);
    if (isLoop(step) && expanded.value.length === 0) empty.push(skipped(work, step, "Skipped, empty params").id);
    for (const invocation of expanded.value) {
      const name = step.name ?? "";
      members.push({
        nodeName: `${group.name}.${invocation.name ?? ""}`,
        invocation,
        name,
        index: members.length,
        frame: undefined,
        isDone: false,
        hasOpenHooks: false,
      });
    }
  }
  addChildren(pass, pass.nodes.get(group.id) ?? group, empty);
  return { members, waiting: members, openCount: 0, isSwept: false, fault: undefined };
}

function fail({ at, group }: GroupWork, message: string): undefined {
  markNode(at.pass, at.pass.nodes.get(group.id) ?? group, "Error", message);
  return undefined;
}

function skipped({ at, node, group }: GroupWork, step: WorkflowStep, message: string): NodeStatus {
  const nodeName = `${group.name}.${step.name ?? ""}`;
  const known = at.pass.nodes.named(nodeName);
  if (known !== undefined) return known;
  const call = callOf(at, node, { nodeName, invocation: step });
  return createNode(at.pass, call, { type: "Skipped", phase: "Skipped", message, nodeFlag: {} });
}

function callOf(at: At, boundary: NodeStatus, { nodeName, invocation }: Pick<Member, "nodeName" | "invocation">): Call {
  const { frame } = at;
  return {
    nodeName,
    invocation,
    invokedAs: "step",
    source: frame.resolved?.source ?? frame.call.source,
    args: {},
    boundaryId: boundary.id,
    nodeFlag: undefined,
    onExit: frame.call.onExit,
  };
}

function visit(context: MemberContext, group: GroupState, touched: readonly Member[], added: NodeId[]): void {
  for (const member of touched) {
    if (group.members[member.index] === member) carryOn(context, group, member, added);
    else carryOnDaemon(context, group, member);
  }
}

/** Of an earlier group: only a daemon still has news. */
function carryOnDaemon({ at }: MemberContext, group: GroupState, member: Member): void {
  if (member.frame?.isDirty !== true) return;
  const before = at.pass.nodes.named(member.nodeName);
  const { node } = at.pass.execute(member.frame);
  group.fault = worse(group.fault, lossOf(at, before, node, member));
}

/** Begins what waits, until a limit is reached. The first time also tells which steps are skipped. */
function begin(context: MemberContext, group: GroupState, added: NodeId[]): void {
  const { pass, frame } = context.at;
  if (!pass.begins && group.waiting.length > 0) pass.frames.block(frame);
  let isBlocked = isShuttingDown(context.at) || !pass.begins;
  const left: Member[] = [];
  for (const [index, member] of group.waiting.entries()) {
    if (group.isSwept && (isBlocked || group.fault !== undefined)) {
      left.push(...group.waiting.slice(index));
      break;
    }
    if (!beginMember(context, group, member, { added, isBlocked })) {
      left.push(member);
      isBlocked = true;
    }
  }
  group.waiting = left;
  group.isSwept = true;
}

/** False when it has to wait. */
function beginMember(
  context: MemberContext,
  group: GroupState,
  member: Member,
  { added, isBlocked }: { readonly added: NodeId[]; readonly isBlocked: boolean },
): boolean {
  const { pass, frame } = context.at;
  const isKnown = pass.nodes.named(member.nodeName) !== undefined;
  if (!isKnown && group.fault !== undefined) return false;
  if (!group.isSwept && skip(context, group, member, added)) return true;
  if (!isKnown && isBlocked) return false;
  group.openCount++;
  if (carryOn(context, group, member, added)) return true;
  group.openCount--;
  pass.frames.block(frame);
  return false;
}

/** True when the member's `when` decided: it is skipped, or wrong. */
function skip(context: MemberContext, group: GroupState, member: Member, added: NodeId[]): boolean {
  const { at, boundary } = context;
  const made = skippedBy(member.invocation.when);
  if (made === undefined) return false;
  const call = callOf(at, boundary, member);
  if (at.pass.nodes.named(member.nodeName) === undefined) added.push(createNode(at.pass, call, made).id);
  member.isDone = true;
  if (made.phase === "Error") group.fault ??= { phase: "Error", message: made.message ?? "" };
  return true;
}

/** One member as far as it goes; counts it off when it is done. False when there was no place for it. */
function carryOn(context: MemberContext, group: GroupState, member: Member, added: NodeId[]): boolean {
  if (isQuiet(member)) return true;
  const wasDone = member.isDone;
  const before = context.at.pass.nodes.named(member.nodeName);
  const { node, stop } = executeMember(context, member);
  if (stop?.kind === "parallelism") return false;
  if (before === undefined && node !== undefined) added.push(node.id);
  group.fault = worse(group.fault, lossOf(context.at, before, node, member));
  if (stop !== undefined) takeFault(group, member, stop);
  if (node === undefined) member.isDone = stop?.kind === "error";
  else if (stop?.kind !== "need") finish(context, group, member, node);
  // A daemon whose next attempt is on its way is open again.
  if (member.isDone !== wasDone) group.openCount += wasDone ? 1 : -1;
  return true;
}

function finish(context: MemberContext, group: GroupState, member: Member, node: NodeStatus): void {
  const { stop } = finishMember({ ...plain, ...context, isFaulty: group.fault !== undefined }, member, node);
  if (stop?.kind !== "error") return;
  group.fault ??= { phase: "Error", message: stop.message };
  member.isDone = isFulfilled(node) && !member.hasOpenHooks;
}

/** An error of one step is the whole group's (Argo 4.1 behaviour 3.6, 3); of the step, what is at work goes on. */
function takeFault(group: GroupState, member: Member, stop: Stop): void {
  if (stop.kind === "timeout") {
    group.fault ??= { phase: "Failed", message: stop.message };
  } else if (stop.kind === "error") {
    const message = `step group deemed errored due to child ${member.nodeName} error: ${stop.message}`;
    group.fault ??= { phase: "Error", message };
  }
}

function settle({ at, group }: GroupWork, { members, fault }: GroupState): void {
  const current = at.pass.nodes.get(group.id) ?? group;
  if (fault !== undefined) {
    markNode(at.pass, current, fault.phase, fault.message);
    return;
  }
  for (const member of members) {
    const node = at.pass.nodes.named(member.nodeName);
    if (node === undefined || !isUnsuccessful(node) || continuesOn(member, node)) continue;
    markNode(at.pass, current, "Failed", `child '${node.id}' failed`);
    return;
  }
  markNode(at.pass, current, "Succeeded");
}
