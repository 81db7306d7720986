/** DAG: tasks as soon as what they depend on allows (Argo 4.1 behaviour 3.7). */

import type { NodeId, NodeStatus } from "../../model/argo/node.js";
import { compositeOutputs } from "../../template/index.js";
import type { DagState, TaskState } from "../frames.js";
import { outboundNodes } from "../nodes/children.js";
import { createNode, markNode, updateNode } from "../nodes/change.js";
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
  const touched = touchedMembers(at.frame);
  // Those at work first: what they free, others may take.
  for (const task of state.order) if (task.phase === "begun") proceedTask({ at, node, state, task, touched });
  const failed = failFast(at, pass.nodes.get(node.id) ?? node);
  if (failed !== undefined) return failed;
  for (const task of state.order) {
    if (task.phase !== "done") proceedTask({ at, node, state, task, touched: new Set() });
  }
  const current = pass.nodes.get(node.id) ?? node;
  return settle(at, current, state, phaseOf(at, current, state));
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
    }),
  );
  const state: DagState = {
    kind: "dag",
    targets,
    order: states,
    tasks: new Map(states.map((one) => [one.task.name, one])),
    all: tasks,
  };
  frame.state = state;
  return state;
}

function phaseOf(at: At, node: NodeStatus, state: DagState): DagPhase {
  if (state.order.some(({ phase, openCount }) => phase === "begun" && openCount > 0)) return "Running";
  if (isShuttingDown(at)) return state.order.every(({ phase }) => phase === "done") ? assessDag(at, node, state) : "Failed";
  if (state.order.some(({ phase }) => phase === "begun")) return "Running";
  return assessDag(at, node, state);
}

function settle(at: At, node: NodeStatus, state: DagState, phase: DagPhase): Executed {
  const { pass, frame, template } = at;
  if (phase === "Running") return { node };
  const outbound = outboundOf(at, state);
  const joined = outbound.length === 0 ? node : updateNode(pass, node, { outboundNodes: outbound });
  if (phase !== "Succeeded") {
    const failed = markNode(pass, joined, phase);
    endDaemons(pass, failed);
    return { node: failed };
  }
  const all = [...state.all.keys()];
  const scope = scopeOfTasks(at, state, all);
  if (!scope.ok) return failWith(scope.error, joined);
  const context = exprContext(pass, frame.call.nodeName);
  const outputs = compositeOutputs(template, scope.value.over(pass.globals.variables), context);
  if (!outputs.ok) return failWith(outputs.error, joined);
  const done = updateNode(pass, joined, {
    phase: "Succeeded",
    ...(outputs.value === undefined ? {} : { outputs: outputs.value }),
  });
  endDaemons(pass, done);
  return { node: done };
}

function outboundOf({ pass }: At, state: DagState): readonly NodeId[] {
  return state.targets.flatMap((name) => {
    const node = pass.nodes.named(state.tasks.get(name)?.nodeName ?? "");
    return node === undefined ? [] : outboundNodes(pass, node.id);
  });
}
