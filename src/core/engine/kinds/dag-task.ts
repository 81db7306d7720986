/** One task of a DAG: begun when its dependencies allow, expanded, carried on, and done with its hooks (Argo 4.1 behaviour 3.7). */

import type { NodeStatus } from "../../model/argo/node.js";
import type { DAGTask } from "../../model/argo/template.js";
import { expandLoop, isLoop, LocalScope, resolveReferences } from "../../template/index.js";
import type { Call, DagState, Member, TaskState } from "../frames.js";
import { settleWithHooks } from "../leftovers.js";
import { createNode, markNode, type NewNode } from "../nodes/change.js";
import { addChild, appendChildren, outboundNodes } from "../nodes/children.js";
import { isFulfilled, isSettled, isUnsuccessful } from "../nodes/phases.js";
import { type At, exprContext, type Stop, shutdownMessage } from "../pass.js";
import { scopeOfTasks } from "./dag-scope.js";
import { evaluateDependencies } from "./depends.js";
import { executeMember, finishMember, isQuiet, isShuttingDown, lossOf, type MemberContext, worse } from "./members.js";
import { skippedBy } from "./skipped.js";

export interface TaskWork {
  readonly at: At;
  /** The DAG node. */
  readonly node: NodeStatus;
  readonly state: DagState;
  readonly task: TaskState;
  /** Members of the task with news, in order. */
  readonly touched: readonly Member[];
  /** False while only what is at work is carried on. */
  readonly begins: boolean;
}

/** Takes the task as far as it goes now. A stop is the whole DAG's: what came before the task cannot be read. */
export function proceedTask(work: TaskWork): Stop | undefined {
  const { task, at, node, state } = work;
  if (task.phase === "waiting") {
    if (open(work)) return carryOnAll(work);
    const isUnreadable = at.pass.nodes.named(task.nodeName)?.phase === "Error";
    const scope = isUnreadable ? scopeOfTasks(at, state, task.ancestors) : undefined;
    return scope?.ok === false && !isSettled(node) ? { kind: "error", message: scope.error } : undefined;
  }
  return carryOnAll(work);
}

function carryOnAll(work: TaskWork): undefined {
  carryOnTouched(work);
  beginWaiting(work);
  joinMade(work);
  finishTask(work);
  return undefined;
}

/** Decides whether the task runs, and expands it; false while it waits, and when it will not run at all. */
function open(work: TaskWork): boolean {
  const { at, state, task } = work;
  const known = at.pass.nodes.named(task.nodeName);
  if (known === undefined) {
    if (isShuttingDown(at)) return false;
    const depends = evaluateDependencies(at, state, task);
    if (depends.kind === "wait") return false;
    if (depends.kind === "error") return settleAs(work, { type: "Skipped", phase: "Error", message: depends.message });
    if (depends.kind === "omit") {
      const message = "omitted: depends condition not met";
      return settleAs(work, { type: "Skipped", phase: "Omitted", message });
    }
  } else if (known.type === "Skipped") {
    return openSkipped(work);
  }
  return expand(work);
}

/** A task that did not begin may still have hooks, and an exit handler if it is an Error. */
function openSkipped(work: TaskWork): boolean {
  const { task } = work;
  const { hooks, onExit } = task.task;
  if (hooks === undefined && (onExit ?? "") === "") {
    task.phase = "done";
    return false;
  }
  task.members = [memberOf(work, task.task, 0)];
  task.waiting = task.members;
  task.openCount = 1;
  task.phase = "begun";
  return true;
}

function settleAs(work: TaskWork, made: Pick<NewNode, "type" | "phase" | "message">): boolean {
  const { at, node, task } = work;
  const created = createNode(at.pass, callOf(work, task.nodeName, task.task), { ...made, nodeFlag: {} });
  connect(at, node, work, created);
  return openSkipped(work);
}

function expand(work: TaskWork): boolean {
  const { at, state, task } = work;
  const { pass } = at;
  const scope = scopeOfTasks(at, state, task.ancestors);
  if (!scope.ok) return failTask(work, scope.error);
  const variables = scope.value.over(pass.globals.variables);
  const context = exprContext(pass, task.nodeName);
  const resolved = resolveReferences(task.task, variables, context);
  if (!resolved.ok) return failTask(work, resolved.error.message);
  const expanded = expandLoop(resolved.value, variables.texts, context);
  if (!expanded.ok) return failTask(work, expanded.error.message);
  const isGroup = isLoop(resolved.value);
  if (isGroup && expanded.value.length === 0) {
    return settleAs(work, { type: "Skipped", phase: "Skipped", message: "Skipped, empty params" });
  }
  task.members = expanded.value.map((one, index) => memberOf(work, one, index));
  task.waiting = task.members;
  task.openCount = task.members.length;
  task.group = isGroup ? openGroup(work, resolved.value) : undefined;
  task.phase = "begun";
  return true;
}

function failTask(work: TaskWork, message: string): boolean {
  const known = work.at.pass.nodes.named(work.task.nodeName);
  if (known === undefined) return settleAs(work, { type: "Skipped", phase: "Error", message });
  if (!isSettled(known)) fail(work, known, message);
  work.task.phase = "done";
  return false;
}

function memberOf({ node, task }: TaskWork, invocation: DAGTask, index: number): Member {
  const nodeName = `${node.name}.${invocation.name}`;
  return { nodeName, invocation, name: task.task.name, index, frame: undefined, isDone: false, hasOpenHooks: false };
}

function openGroup(work: TaskWork, resolved: DAGTask): Member {
  const { at, node, task } = work;
  if (at.pass.nodes.named(task.nodeName) === undefined) {
    const group = createNode(at.pass, callOf(work, task.nodeName, task.task), {
      type: "TaskGroup",
      phase: "Running",
      nodeFlag: {},
    });
    connect(at, node, work, group);
  }
  const { nodeName } = task;
  return {
    nodeName,
    invocation: resolved,
    name: task.task.name,
    index: -1,
    frame: undefined,
    isDone: false,
    hasOpenHooks: false,
  };
}

function callOf({ at, node }: TaskWork, nodeName: string, invocation: DAGTask): Call {
  const { frame } = at;
  return {
    nodeName,
    invocation,
    invokedAs: "task",
    source: frame.resolved?.source ?? frame.call.source,
    args: {},
    boundaryId: node.id,
    nodeFlag: undefined,
    onExit: frame.call.onExit,
  };
}

/** Joins a task's node to the DAG, or to the last nodes of what it depends on. */
function connect({ pass }: At, dag: NodeStatus, { state, task }: TaskWork, made: NodeStatus): void {
  if (task.dependencies.length === 0) {
    addChild(pass, dag, made.id);
    return;
  }
  for (const name of task.dependencies) {
    const before = pass.nodes.named(state.tasks.get(name)?.nodeName ?? "");
    if (before === undefined) continue;
    for (const id of outboundNodes(pass, before.id)) {
      const parent = pass.nodes.get(id);
      if (parent !== undefined) addChild(pass, parent, made.id);
    }
  }
}

function contextOf({ at, node, state, task }: TaskWork, member: Member): MemberContext {
  return {
    at,
    boundary: node,
    invokedAs: "task",
    isFaulty: state.fault !== undefined || isAbandoned(at, task, member),
    prefixOf: (member) => `tasks.${member.name}`,
    scopeOf: () => {
      const scope = scopeOfTasks(at, state, task.ancestors);
      return scope.ok ? scope.value : new LocalScope();
    },
  };
}

/** An item of a loop that has failed: it had ended before, or was ended with its loop. */
function isAbandoned({ pass }: At, { group, nodeName }: TaskState, member: Member): boolean {
  if (group === undefined || group === member) return false;
  const loop = pass.nodes.named(nodeName);
  return loop !== undefined && isUnsuccessful(loop);
}

function carryOnTouched(work: TaskWork): void {
  for (const member of work.touched) {
    if (member !== work.task.group) carryOn(work, member);
  }
}

/** Begins what waits, until a limit is reached. */
function beginWaiting(work: TaskWork): void {
  const { at, task } = work;
  const left: Member[] = [];
  let isBlocked = isShuttingDown(at) || !work.begins;
  for (const member of task.waiting) {
    if (work.begins) skipUnlessWhen(work, member);
    const isNew = at.pass.nodes.named(member.nodeName) === undefined;
    if ((isNew && isBlocked) || !carryOn(work, member)) {
      left.push(member);
      isBlocked = true;
    }
  }
  task.waiting = left;
}

/** The node of a member whose `when` decided: it is skipped, or wrong. Its hooks may have something to say to that. */
function skipUnlessWhen(work: TaskWork, member: Member): void {
  if (work.at.pass.nodes.named(member.nodeName) !== undefined) return;
  const made = skippedBy(member.invocation.when);
  if (made === undefined) return;
  join(work, createNode(work.at.pass, callOf(work, member.nodeName, work.task.task), made));
}

/** An item belongs to its group; a task alone follows what it depends on. */
function join(work: TaskWork, made: NodeStatus): void {
  const { at, node, task } = work;
  const group = task.group === undefined ? undefined : at.pass.nodes.named(task.nodeName);
  if (group === undefined) connect(at, node, work, made);
  else task.made.push(made.id);
}

/** All at once: to copy a long list of children for each of them would take its square. */
function joinMade({ at, task }: TaskWork): void {
  const group = at.pass.nodes.named(task.nodeName);
  if (group !== undefined) appendChildren(at.pass, group, task.made.splice(0));
}

/** One member as far as it goes; counts it off when it is done. False when it could not begin. */
function carryOn(work: TaskWork, member: Member): boolean {
  const { at, state, task } = work;
  if (isQuiet(member)) return true;
  const wasDone = member.isDone;
  const before = at.pass.nodes.named(member.nodeName);
  const { node, stop } = executeMember(contextOf(work, member), member);
  if (before === undefined && node !== undefined) join(work, node);
  state.fault = worse(state.fault, lossOf(at, before, node, member));
  if (stop?.kind === "parallelism" || stop?.kind === "need") {
    if (stop.kind === "parallelism") at.pass.frames.block(at.frame);
    return false;
  }
  if (stop !== undefined) onStop(work, member, stop);
  finish(work, member);
  // A daemon whose next attempt is on its way is open again.
  if (member.isDone !== wasDone) task.openCount += wasDone ? 1 : -1;
  return true;
}

function finish(work: TaskWork, member: Member): void {
  const node = work.at.pass.nodes.named(member.nodeName);
  if (node === undefined) return;
  const { stop } = finishMember(contextOf(work, member), member, node);
  if (stop !== undefined) onHookStop(work, member, stop);
}

function onStop(work: TaskWork, member: Member, stop: Stop): void {
  const { pass } = work.at;
  const node = pass.nodes.named(member.nodeName);
  if (node === undefined) return;
  if (stop.kind === "error" && node.phase === "Error") {
    markNode(pass, node, "Error", `task '${member.nodeName}' errored: ${stop.message}`);
  }
}

/**
 * A hook that cannot even begin makes an Error of the task. One that has a node has ended at that, and the others and the
 * exit handler have their turn; what cannot be judged will not be judged otherwise.
 */
function onHookStop(work: TaskWork, member: Member, stop: Stop): void {
  const { pass } = work.at;
  let current: Stop | undefined = stop;
  for (let left = hookCount(member); current?.kind === "error"; left--) {
    const node = pass.nodes.named(member.nodeName);
    if (node === undefined) return;
    fail(work, node, current.message);
    if (left === 0) {
      member.isDone = true;
      return;
    }
    current = finishMember(contextOf(work, member), member, pass.nodes.named(member.nodeName) ?? node).stop;
  }
}

function hookCount({ invocation: { hooks, onExit } }: Member): number {
  return Object.keys(hooks ?? {}).length + (onExit === undefined ? 0 : 1);
}

/** Nothing of it will be heard any more: what is at work in it ends too, and no further item begins. */
function fail({ at, task }: TaskWork, node: NodeStatus, message: string): void {
  settleWithHooks(at.pass, node.phase === "Error" ? node : markNode(at.pass, node, "Error", message));
  if (node.name === task.nodeName) task.waiting = [];
}

function finishTask(work: TaskWork): void {
  const { at, state, task } = work;
  giveUpWaiting(work);
  const isOpen = task.openCount > 0 || task.waiting.length > 0;
  if (task.group === undefined) {
    task.phase = isOpen ? "begun" : "done";
    return;
  }
  const group = at.pass.nodes.named(task.nodeName);
  if (group === undefined) return;
  // What the DAG ends at once it ends as a whole, whatever of it had news.
  const stays = isOpen || isFulfilled(group) || state.fault?.isAtOnce === true;
  const settled = stays ? group : settleGroup(work, group);
  const finished = finishMember(contextOf(work, task.group), task.group, settled);
  if (finished.stop !== undefined) onHookStop(work, task.group, finished.stop);
  if (task.group.isDone) task.phase = "done";
}

/** Items that still waited for a place when the workflow was shut down will never have it: their loop ends without them. */
function giveUpWaiting({ at, task }: TaskWork): void {
  const group = task.group === undefined ? undefined : at.pass.nodes.named(task.nodeName);
  const isWaiting = task.waiting.length > 0 && task.openCount === task.waiting.length;
  if (group === undefined || isFulfilled(group) || !isWaiting || !isShuttingDown(at)) return;
  markNode(at.pass, group, "Failed", shutdownMessage(at.pass));
  task.openCount = 0;
  task.waiting = [];
}

/** Succeeded, unless an item is not: then the last such item's phase. */
function settleGroup({ at, task }: TaskWork, group: NodeStatus): NodeStatus {
  let phase: "Succeeded" | "Failed" | "Error" = "Succeeded";
  for (const member of task.members) {
    const node = at.pass.nodes.named(member.nodeName);
    if (node !== undefined && isUnsuccessful(node)) phase = node.phase === "Error" ? "Error" : "Failed";
  }
  return markNode(at.pass, group, phase);
}
