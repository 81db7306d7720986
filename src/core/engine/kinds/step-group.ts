/** One group of steps: expanded, begun as limits allow, and settled when all its steps are done (Argo 4.1 behaviour 3.6). */

import { evaluateWhen } from "../../expr/index.js";
import type { NodeId, NodeStatus } from "../../model/argo/node.js";
import type { WorkflowStep } from "../../model/argo/template.js";
import { expandLoop, isLoop, resolveReferences } from "../../template/index.js";
import type { Call, GroupState, Member, StepsState } from "../frames.js";
import { addChildren } from "../nodes/children.js";
import { createNode, markNode } from "../nodes/change.js";
import { isSettled, isUnsuccessful } from "../nodes/phases.js";
import { failFast } from "../parallelism.js";
import { type At, exprContext, type Stop } from "../pass.js";
import { continuesOn, executeMember, finishMember, isShuttingDown, type MemberContext, touchedMembers } from "./members.js";

export interface GroupWork {
  readonly at: At;
  /** The Steps node. */
  readonly node: NodeStatus;
  readonly state: StepsState;
  readonly steps: readonly WorkflowStep[];
  readonly group: NodeStatus;
}

/** Carries the group on; its node says how it stands. A stop is only for what concerns the whole template. */
export function proceedGroup(work: GroupWork): { readonly stop?: Stop } {
  const { at, node, state, group } = work;
  if (isSettled(group)) return {};
  const opened = state.group ?? openMembers(work);
  if (opened === undefined) return {};
  state.group = opened;
  const context = contextOf(work);
  const added: NodeId[] = [];
  const stopped = visit(context, opened, touchedMembers(at.frame), added) ?? begin(context, opened, added);
  const current = at.pass.nodes.get(group.id) ?? group;
  addChildren(at.pass, current, added);
  if (stopped !== undefined) return onStop(work, stopped);
  if (failFast(at, node) !== undefined) return {};
  if (opened.openCount === 0 && opened.waiting.length === 0) settle(work, opened);
  return {};
}

function contextOf({ at, node, state }: GroupWork): MemberContext {
  return {
    at,
    boundary: node,
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
    const expanded = expandLoop(step, scope, exprContext(pass, `${group.name}.${step.name ?? ""}`));
    if (!expanded.ok) return fail(work, expanded.error.message);
    if (isLoop(step) && expanded.value.length === 0) empty.push(skipped(work, step, "Skipped, empty params").id);
    for (const invocation of expanded.value) {
      const name = step.name ?? "";
      members.push({
        nodeName: `${group.name}.${invocation.name ?? ""}`,
        invocation,
        name,
        frame: undefined,
        isDone: false,
      });
    }
  }
  addChildren(pass, pass.nodes.get(group.id) ?? group, empty);
  return { members, waiting: members, openCount: 0, isSwept: false };
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

interface Fault {
  readonly stop: Stop;
  readonly member: Member;
}

function visit(
  context: MemberContext,
  group: GroupState,
  touched: ReadonlySet<Member>,
  added: NodeId[],
): Fault | undefined {
  for (const member of touched) {
    const fault = carryOn(context, group, member, added);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Begins what waits, until a limit is reached. The first time also tells which steps are skipped. */
function begin(context: MemberContext, group: GroupState, added: NodeId[]): Fault | undefined {
  const { at } = context;
  const left: Member[] = [];
  let isBlocked = isShuttingDown(at);
  for (const [index, member] of group.waiting.entries()) {
    if (group.isSwept && isBlocked) {
      left.push(...group.waiting.slice(index));
      break;
    }
    const skip = group.isSwept ? {} : skipOf(context, member);
    if (skip.fault !== undefined) return { stop: skip.fault, member };
    if (skip.node !== undefined) {
      added.push(skip.node.id);
      member.isDone = true;
      continue;
    }
    if (isBlocked && at.pass.nodes.named(member.nodeName) === undefined) {
      left.push(member);
      continue;
    }
    group.openCount++;
    const fault = carryOn(context, group, member, added);
    if (fault === undefined) continue;
    if (fault.stop.kind !== "parallelism") return fault;
    group.openCount--;
    left.push(member);
    isBlocked = true;
    at.pass.frames.block(at.frame);
  }
  group.waiting = left;
  group.isSwept = true;
  return undefined;
}

function skipOf(
  { at, boundary }: MemberContext,
  member: Member,
): { readonly node?: NodeStatus; readonly fault?: Stop } {
  const { pass } = at;
  const when = evaluateWhen(member.invocation.when ?? "");
  const call = callOf(at, boundary, member);
  if (!when.ok) {
    const known = pass.nodes.named(member.nodeName);
    if (known === undefined) {
      createNode(pass, call, { type: "Skipped", phase: "Error", message: when.error, nodeFlag: {} });
    }
    return { fault: { kind: "error", message: when.error } };
  }
  if (when.value) return {};
  const known = pass.nodes.named(member.nodeName);
  if (known !== undefined) return { node: known };
  const message = `when '${member.invocation.when ?? ""}' evaluated false`;
  return { node: createNode(pass, call, { type: "Skipped", phase: "Skipped", message, nodeFlag: {} }) };
}

/** One member as far as it goes; counts it off when it is done. */
function carryOn(context: MemberContext, group: GroupState, member: Member, added: NodeId[]): Fault | undefined {
  if (member.isDone && member.frame?.isDirty !== true) return undefined;
  const wasDone = member.isDone;
  const executed = executeMember(context, member);
  if (executed.node !== undefined) added.push(executed.node.id);
  const { stop } = executed;
  if (stop !== undefined && stop.kind !== "depth") return stop.kind === "need" ? undefined : { stop, member };
  if (executed.node === undefined) return undefined;
  const finished = finishMember(context, member, executed.node);
  if (finished.stop !== undefined && finished.stop.kind !== "need") return { stop: finished.stop, member };
  if (member.isDone && !wasDone) group.openCount--;
  return undefined;
}

/** An error of one step is the whole group's (Argo 4.1 behaviour 3.6, 3). */
function onStop(work: GroupWork, { stop, member }: Fault): { readonly stop?: Stop } {
  const { at, group } = work;
  const current = at.pass.nodes.get(group.id) ?? group;
  if (stop.kind === "timeout") {
    markNode(at.pass, current, "Failed", stop.message);
  } else if (stop.kind === "error") {
    const child = at.pass.nodes.named(member.nodeName);
    if (child !== undefined) addChildren(at.pass, current, [child.id]);
    const latest = at.pass.nodes.get(group.id) ?? current;
    markNode(at.pass, latest, "Error", groupMessage(stop.message, child, member));
  }
  return {};
}

function groupMessage(message: string, child: NodeStatus | undefined, member: Member): string {
  const isOwn = child?.phase === "Error" && child.message === message && member.frame !== undefined;
  return isOwn ? `step group deemed errored due to child ${member.nodeName} error: ${message}` : message;
}

function settle({ at, group }: GroupWork, { members }: GroupState): void {
  const current = at.pass.nodes.get(group.id) ?? group;
  for (const member of members) {
    const node = at.pass.nodes.named(member.nodeName);
    if (node === undefined || !isUnsuccessful(node) || continuesOn(member, node)) continue;
    markNode(at.pass, current, "Failed", `child '${node.id}' failed`);
    return;
  }
  markNode(at.pass, current, "Succeeded");
}
