/** What several operations say and do of a workflow: finished or not, its nodes, labels, parameters. */

import { isFinal } from "../model/argo/final-phase.js";
import { labels } from "../model/argo/names.js";
import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Arguments, Parameter } from "../model/argo/template.js";
import type { Workflow, WorkflowSpec, WorkflowStatus } from "../model/argo/workflow.js";

export interface ParameterValue {
  readonly name: string;
  readonly value: string;
}

export function isCompleted(workflow: Workflow): boolean {
  if (workflow.metadata.labels?.[labels.completed] === "true") return true;
  return workflow.status?.finishedAt !== undefined && isFinal(workflow.status.phase);
}

export function nodesOf(workflow: Workflow): readonly NodeStatus[] {
  return Object.values(workflow.status?.nodes ?? {});
}

export function withSpec(workflow: Workflow, fields: Partial<WorkflowSpec>): Workflow {
  return { ...workflow, spec: { ...workflow.spec, ...fields } };
}

/** Nodes that are stored compressed, or in a database, are not in this object: what is changed here would begin anew. */
export function hasNodesElsewhere({ status = {} }: Workflow): boolean {
  const { nodes = {}, compressedNodes = "", offloadNodeStatusVersion = "" } = status;
  return Object.keys(nodes).length === 0 && (compressedNodes !== "" || offloadNodeStatusVersion !== "");
}

export function withNodes(workflow: Workflow, nodes: readonly NodeStatus[]): Workflow {
  if (nodes.length === 0 && workflow.status?.nodes === undefined) return workflow;
  const status: WorkflowStatus = { ...workflow.status, nodes: nodesById(nodes) };
  return { ...workflow, status };
}

export function nodesById(nodes: readonly NodeStatus[]): Readonly<Record<NodeId, NodeStatus>> {
  return Object.fromEntries(nodes.map((node) => [node.id, node]));
}

/** A value given on the command line beats the workflow's; one that the workflow does not name is added. */
export function withParameters(spec: WorkflowSpec, given: readonly ParameterValue[]): WorkflowSpec {
  if (given.length === 0) return spec;
  const own = spec.arguments?.parameters ?? [];
  const overridden = own.map((parameter) => {
    const value = given.findLast(({ name }) => name === parameter.name);
    return value === undefined ? parameter : supplied(parameter, value.value);
  });
  const names = new Set(own.map(({ name }) => name));
  const added = new Map(given.filter(({ name }) => !names.has(name)).map((one) => [one.name, one]));
  const parameters: readonly Parameter[] = [...overridden, ...added.values()];
  const args: Arguments = { ...spec.arguments, parameters };
  return { ...spec, arguments: args };
}

/** `valueFrom` would win over the value that was given. */
function supplied({ valueFrom, ...parameter }: Parameter, value: string): Parameter {
  return { ...parameter, value };
}

/** The workflow spec of a retry or a new run: no shutdown, and no deadline of 0 that would end it at once. */
export function withoutShutdown({ shutdown, activeDeadlineSeconds, ...spec }: WorkflowSpec): WorkflowSpec {
  if (activeDeadlineSeconds === undefined || activeDeadlineSeconds === 0) return spec;
  return { ...spec, activeDeadlineSeconds };
}
