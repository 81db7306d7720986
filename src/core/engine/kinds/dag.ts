/** DAG: tasks as soon as what they depend on allows (Argo 4.1 behaviour 3.7). */

import type { NodeId, NodeStatus } from "../../model/argo/node.js";
import type { Outputs } from "../../model/argo/template.js";
import { ok, type Result } from "../../std/result.js";
import { compositeOutputs } from "../../template/index.js";
import type { DagState, Fault, Member, TaskState } from "../frames.js";
import { addGlobalOutputsOf } from "../global-outputs.js";
import { settleBelow } from "../leftovers.js";
import { createNode, markNode, updateNode } from "../nodes/change.js";
import { outboundNodes } from "../nodes/children.js";
import { failFast } from "../parallelism.js";
import { type At, type Executed, exprContext } from "../pass.js";
import { endDaemons } from "./daemons.js";
import { assessDag, type DagPhase } from "./dag-assess.js";
import { ancestorsOf, dependenciesOf, orderOf, targetsOf } from "./dag-graph.js";
import { scopeOfTasks } from "./dag-scope.js";
import { proceedTask } from "./dag-task.js";
import { failWith, type Kind } from "./kind.js";
import { isShuttingDown, touchedMembers } from "./members.js";

export const dagKind: Kind = { begin, proceed, wants: (_at, node) => ({ node }) };

function begin({ pass, frame, template }: At): NodeStatus {
  return createNode(pass, frame.call, { type: "DAG", phase: "Running", template });
}

function proceed(at: At, node: NodeStatus): Executed {
  const { pass } = at;
  const state = stateOf(at, node);
  takeNews(at, node, state);
  if (state.fault?.isAtOnce === true) return endWithFault(at, pass.nodes.get(node.id) ?? node, state, state.fault);
  if (!pass.begins) {
    pass.frames.block(at.frame);
    const now = pass.nodes.get(node.id) ?? node;
    return failFast(at, now) ?? { node: now };
  }
  beginTasks(at, node, state);
  const current = pass.nodes.get(node.id) ?? node;
  if (state.fault !== undefined) return endWithFault(at, current, state, state.fault);
  const phase = phaseOf(at, current, state);
  if (phase === "Running") return failFast(at, current) ?? { node: current };
  return settle(at, current, state, phase);
}

/** Those at work first: what they free, others may take. */
function takeNews(at: At, node: NodeStatus, state: DagState): void {
  const news = new Map<string, Member[]>();
  for (const member of touchedMembers(at.frame)) {
    const list = news.get(member.name);
    if (list === undefined) news.set(member.name, [member]);
    else list.push(member);
  }
  for (const task of state.order) {
    const touched = news.get(task.task.name) ?? [];
    // A task that is done has news only of a daemon.
    const isAtWork = task.phase !== "done" && at.pass.nodes.named(task.nodeName) !== undefined;
    if (isAtWork || touched.length > 0) proceedTask({ at, node, state, task, touched, begins: false });
  }
}

function beginTasks(at: At, node: NodeStatus, state: DagState): void {
  for (const task of state.order) {
    if (task.phase === "done" || (state.fault !== undefined && task.phase === "waiting")) continue;
    const stop = proceedTask({ at, node, state, task, touched: [], begins: state.fault === undefined });
    if (stop?.kind !== "error" || state.fault !== undefined) continue;
    state.fault = { phase: "Error", message: stop.message };
    // Hooks that wait for a place are not to begin any more, and must hear of it.
    at.pass.frames.unblock();
  }
}

function stateOf({ frame, template }: At, node: NodeStatus): DagState {
  if (frame.state?.kind === "dag") return frame.state;
  const dag = template.dag ?? { tasks: [] };
  const tasks = new Map(dag.tasks.map((task) => [task.name, task]));
  const targets = targetsOf(dag);
  const order = orderOf(targets, tasks);
  const ancestors = ancestorsOf(order);
  const states = order.map(
    (task): TaskState => ({
      task,
      nodeName: `${node.name}.${task.name}`,
      dependencies: dependenciesOf(task),
      ancestors: ancestors.get(task.name) ?? [],
      phase: "waiting",
      members: [],
      waiting: [],
      openCount: 0,
      group: undefined,
      made: [],
    }),
  );
  const state: DagState = {
    kind: "dag",
    targets,
    order: states,
    tasks: new Map(states.map((one) => [one.task.name, one])),
    all: tasks,
    // While it waits for its tasks at work, a DAG with a fault says so: a restart must know it.
    fault: node.message === undefined ? undefined : { phase: "Error", message: node.message },
  };
  frame.state = state;
  return state;
}

/** Members that wait for a place are not; a loop is while a hook of its own, or its exit handler, is. */
function isAtWork({ phase, openCount, waiting, group }: TaskState): boolean {
  return phase === "begun" && (openCount > waiting.length || group?.hasOpenHooks === true);
}

function endWithFault({ pass }: At, node: NodeStatus, state: DagState, { phase, message, isAtOnce }: Fault): Executed {
  if (isAtOnce === true) {
    const failed = updateNode(pass, node, { phase, message });
    settleBelow(pass, failed);
    endDaemons(pass, failed);
    return { node: failed };
  }
  return state.order.some(isAtWork) ? { node: markNode(pass, node, "Running", message) } : failWith(message, node);
}

function phaseOf(at: At, node: NodeStatus, state: DagState): DagPhase {
  if (state.order.some(isAtWork)) return "Running";
  if (isShuttingDown(at))
    return state.order.every(({ phase }) => phase === "done") ? assessDag(at, node, state) : "Failed";
  if (state.order.some(({ phase }) => phase === "begun")) return "Running";
  return assessDag(at, node, state);
}

function settle(at: At, node: NodeStatus, state: DagState, phase: Exclude<DagPhase, "Running">): Executed {
  const { pass } = at;
  const outputs = phase === "Succeeded" ? outputsOf(at, state) : ok(undefined);
  if (!outputs.ok) return failWith(outputs.error, node);
  const outbound = outboundOf(at, state);
  const done = updateNode(pass, node, {
    phase,
    ...(outbound.length === 0 ? {} : { outboundNodes: outbound }),
    ...(outputs.value === undefined ? {} : { outputs: outputs.value }),
  });
  endDaemons(pass, done);
  return { node: done };
}

function outputsOf(at: At, state: DagState): Result<Outputs | undefined> {
  const { pass, frame, template } = at;
  const all = [...state.all.keys()];
  for (const name of all) {
    const task = pass.nodes.named(state.tasks.get(name)?.nodeName ?? "");
    if (task !== undefined) addGlobalOutputsOf(pass, task);
  }
  const scope = scopeOfTasks(at, state, all);
  if (!scope.ok) return scope;
  return compositeOutputs(template, scope.value.over(pass.globals.variables), exprContext(pass, frame.call.nodeName));
}

function outboundOf({ pass }: At, state: DagState): readonly NodeId[] {
  return state.targets.flatMap((name) => {
    const node = pass.nodes.named(state.tasks.get(name)?.nodeName ?? "");
    return node === undefined ? [] : outboundNodes(pass, node.id);
  });
}
