/** Suspended nodes are changed from outside: answered, failed, given outputs (Argo 4.1 behaviour 3.24). */

import type { NodePhase, NodeStatus } from "../model/argo/node.js";
import type { Parameter } from "../model/argo/template.js";
import type { Workflow } from "../model/argo/workflow.js";
import { err, ok, type Result } from "../std/result.js";
import { rfc3339OfMs } from "../std/time.js";
import { nodesOf, withNodes } from "./common.js";
import { parseNodeSelector } from "./node-selector.js";

export interface NodeChange {
  readonly phase?: NodePhase;
  readonly message?: string;
  readonly outputParameters?: Readonly<Record<string, string>>;
}

export interface SuspendedChange {
  readonly nodeFieldSelector: string;
  readonly change: NodeChange;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function isActiveSuspend(node: NodeStatus): boolean {
  return node.type === "Suspend" && node.phase === "Running";
}

/** Every suspended node that the selector matches; none is an error. */
export function changeSuspended(workflow: Workflow, request: SuspendedChange): Result<Workflow, string> {
  const selector = parseNodeSelector(request.nodeFieldSelector);
  if (!selector.ok) return selector;
  let matched = 0;
  const nodes: NodeStatus[] = [];
  for (const node of nodesOf(workflow)) {
    if (!isActiveSuspend(node) || !selector.value(node)) {
      nodes.push(node);
      continue;
    }
    matched++;
    const changed = changeNode(node, request.change, request.now);
    if (!changed.ok) return changed;
    nodes.push(changed.value);
  }
  if (matched > 0) return ok(withNodes(workflow, nodes));
  const what = "currently, set only targets suspend nodes: no suspend nodes matching nodeFieldSelector";
  return err(`${what}: ${request.nodeFieldSelector}`);
}

function changeNode(node: NodeStatus, change: NodeChange, now: number): Result<NodeStatus> {
  const answered = withOutputs(node, change.outputParameters ?? {});
  if (!answered.ok) return answered;
  const spoken = withMessage(answered.value, change.message);
  if (change.phase === undefined) return ok(spoken);
  if (change.phase === "Succeeded") return succeeded(spoken, now);
  const ends = change.phase === "Running" || change.phase === "Pending" ? {} : { finishedAt: rfc3339OfMs(now) };
  return ok({ ...spoken, phase: change.phase, ...ends });
}

/** Resumed: outputs that nobody supplied take their default; one without is an error. */
export function succeeded(node: NodeStatus, now: number): Result<NodeStatus> {
  const parameters: Parameter[] = [];
  for (const parameter of node.outputs?.parameters ?? []) {
    if (parameter.valueFrom?.supplied === undefined) {
      parameters.push(parameter);
    } else if (parameter.valueFrom.default === undefined) {
      return err(`raw output parameter '${parameter.name}' has not been set and does not have a default value`);
    } else {
      parameters.push(withValue(parameter, parameter.valueFrom.default));
    }
  }
  const ended = { ...node, phase: "Succeeded" as const, finishedAt: rfc3339OfMs(now) };
  return ok(node.outputs === undefined ? ended : { ...ended, outputs: { ...node.outputs, parameters } });
}

export function withMessage(node: NodeStatus, message: string | undefined): NodeStatus {
  if (message === undefined || message === "") return node;
  return { ...node, message: node.message ? `${node.message}; ${message}` : message };
}

function withOutputs(node: NodeStatus, given: Readonly<Record<string, string>>): Result<NodeStatus> {
  let parameters: readonly Parameter[] = node.outputs?.parameters ?? [];
  for (const [name, value] of Object.entries(given)) {
    if (node.outputs === undefined) {
      return err("cannot set output parameters because node is not expecting any raw parameters");
    }
    const parameter = parameters.find((one) => one.name === name);
    if (parameter === undefined) return err(`node is not expecting output parameter '${name}'`);
    if (parameter.valueFrom?.supplied === undefined) {
      return err(`cannot set output parameter '${name}' because it does not use valueFrom.raw or it was already set`);
    }
    parameters = parameters.map((one) => (one === parameter ? withValue(one, value) : one));
  }
  return ok(node.outputs === undefined ? node : { ...node, outputs: { ...node.outputs, parameters } });
}

function withValue({ valueFrom, ...parameter }: Parameter, value: string): Parameter {
  return { ...parameter, value };
}
