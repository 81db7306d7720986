/** Steps: groups one after another, the steps of a group at once (Argo 4.1 behaviour 3.6). */

import type { NodeStatus } from "../../model/argo/node.js";
import type { WorkflowStep } from "../../model/argo/template.js";
import { aggregateOutputs, compositeOutputs, LocalScope } from "../../template/index.js";
import type { StepsState } from "../frames.js";
import { settleBelow } from "../leftovers.js";
import { createGroupNode, createNode, markNode, updateNode } from "../nodes/change.js";
import { addChild, outboundNodes, shownNode } from "../nodes/children.js";
import { isSettled, isUnsuccessful } from "../nodes/phases.js";
import { type At, type Executed, exprContext, type Stop } from "../pass.js";
import { absentOutputsOf } from "./absent.js";
import { endDaemons } from "./daemons.js";
import { failWith, type Kind } from "./kind.js";
import { proceedGroup } from "./step-group.js";

export const stepsKind: Kind = { begin, proceed, wants: (_at, node) => ({ node }) };

function begin({ pass, frame, template }: At): NodeStatus {
  return createNode(pass, frame.call, { type: "Steps", phase: "Running", template });
}

function proceed(at: At, node: NodeStatus): Executed {
  const state = stateOf(at);
  const groups = at.template.steps ?? [];
  while (state.index < groups.length) {
    const group = openGroup(at, node, state.index);
    if (group === undefined) return { node };
    proceedGroup({ at, node, state, steps: groups[state.index] ?? [], group });
    const self = at.pass.nodes.get(node.id) ?? node;
    const current = at.pass.nodes.get(group.id) ?? group;
    if (isSettled(self) || !isSettled(current)) return { node: self };
    const done = closeGroup(at, node, current);
    if (done !== undefined) return done;
  }
  return finish(at, node, state);
}

function stateOf({ frame, template }: At): StepsState {
  if (frame.state?.kind === "steps") return frame.state;
  const scope = new LocalScope();
  scope.addInputs(template);
  const state: StepsState = { kind: "steps", scope, index: 0, group: undefined, fault: undefined };
  frame.state = state;
  return state;
}

/** The group's node, joined to what came before it; undefined while nothing new may begin. */
function openGroup({ pass, frame }: At, node: NodeStatus, index: number): NodeStatus | undefined {
  const name = `${node.name}[${index}]`;
  const known = pass.nodes.named(name);
  if (known !== undefined) return known;
  if (!pass.begins) {
    pass.frames.block(frame);
    return undefined;
  }
  const scope = frame.resolved?.source.scope ?? frame.call.source.scope;
  const group = createGroupNode(pass, { name, boundaryId: node.id, scope });
  const before = index === 0 ? undefined : pass.nodes.named(`${node.name}[${index - 1}]`);
  if (before === undefined) {
    addChild(pass, node, group.id);
  } else if ((before.children?.length ?? 0) === 0) {
    addChild(pass, before, group.id);
  } else {
    for (const child of before.children ?? []) {
      for (const id of outboundNodes(pass, child)) {
        const parent = pass.nodes.get(id);
        if (parent !== undefined) addChild(pass, parent, group.id);
      }
    }
  }
  return group;
}

/** Takes up what the group left, or ends with its failure. */
function closeGroup(at: At, node: NodeStatus, group: NodeStatus): Executed | undefined {
  const state = stateOf(at);
  if (isUnsuccessful(group)) {
    setOutbound(at, node, group);
    const current = at.pass.nodes.get(node.id) ?? node;
    const failed = markNode(at.pass, current, "Failed", group.message ?? "");
    settleBelow(at.pass, failed);
    endDaemons(at.pass, failed);
    return { node: failed };
  }
  const problem = addGroupOutputs(at, state, group);
  if (problem !== undefined) return { node, stop: problem };
  state.index++;
  state.group = undefined;
  return undefined;
}

function addGroupOutputs(at: At, { scope, index }: StepsState, group: NodeStatus): Stop | undefined {
  for (const step of at.template.steps?.[index] ?? []) {
    const prefix = `steps.${step.name ?? ""}`;
    const node = at.pass.nodes.named(`${group.name}.${step.name ?? ""}`);
    if (node !== undefined) {
      scope.addNode(prefix, shownNode(at.pass, node));
      if (node.phase === "Skipped") scope.addAbsentOutputs(prefix, absentOutputsOf(at, step));
      continue;
    }
    const aggregated = aggregateOutputs(scope, prefix, itemsOf(at, group, step));
    if (!aggregated.ok) return { kind: "error", message: aggregated.error };
    scope.addNode(prefix, group);
  }
  return undefined;
}

function itemsOf({ pass }: At, group: NodeStatus, step: WorkflowStep): readonly NodeStatus[] {
  const prefix = `${group.name}.${step.name ?? ""}(`;
  const items: NodeStatus[] = [];
  for (const id of group.children ?? []) {
    const node = pass.nodes.get(id);
    if (node?.name.startsWith(prefix) === true) items.push(node);
  }
  return items;
}

function setOutbound(at: At, node: NodeStatus, last: NodeStatus | undefined): void {
  const { pass } = at;
  const outbound = (last?.children ?? []).flatMap((child) => outboundNodes(pass, child));
  const current = pass.nodes.get(node.id) ?? node;
  if (outbound.length > 0) updateNode(pass, current, { outboundNodes: outbound });
}

function finish(at: At, node: NodeStatus, { scope }: StepsState): Executed {
  const { pass, frame, template } = at;
  const count = template.steps?.length ?? 0;
  setOutbound(at, node, pass.nodes.named(`${node.name}[${count - 1}]`));
  const outputs = compositeOutputs(
    template,
    scope.over(pass.globals.variables),
    exprContext(pass, frame.call.nodeName),
  );
  if (!outputs.ok) return failWith(outputs.error, node);
  const current = pass.nodes.get(node.id) ?? node;
  const done = updateNode(pass, current, {
    phase: "Succeeded",
    ...(outputs.value === undefined ? {} : { outputs: outputs.value }),
  });
  endDaemons(pass, done);
  return { node: done };
}
