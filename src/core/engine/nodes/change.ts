/** The ways a node comes to be and moves on; every change of a phase goes through the table of phases. */

import type { NodeId, NodePhase, NodeStatus, NodeType } from "../../model/argo/node.js";
import type { Inputs, Outputs, Template } from "../../model/argo/template.js";
import { jsonEquals } from "../../std/json.js";
import { plain } from "../../std/plain.js";
import type { Call } from "../frames.js";
import { addGlobalOutputsOf } from "../global-outputs.js";
import { nodeById, type Pass } from "../pass.js";
import { eventOf, isFulfilled, isSettled, transitions } from "./phases.js";
import { finishedProgress, initialProgress, isExecutable } from "./progress.js";

export interface NewNode {
  readonly type: NodeType;
  readonly phase: NodePhase;
  readonly message?: string;
  /** The bound template: its inputs and display name go to the node. */
  readonly template?: Template;
  readonly outputs?: Outputs;
  readonly nodeFlag?: NodeStatus["nodeFlag"];
}

/** The node of a call, put beside what there is. */
export function createNode(pass: Pass, call: Call, made: NewNode): NodeStatus {
  const { invocation } = call;
  const flag = made.nodeFlag ?? call.nodeFlag;
  const hasRef = (invocation.templateRef?.name ?? "") !== "";
  return insert(pass, {
    id: pass.nodes.idFor(call.nodeName),
    name: call.nodeName,
    displayName: ownNameOf(made.template) ?? nameIn(pass, call.nodeName, call.boundaryId),
    type: made.type,
    ...(invocation.template === undefined || invocation.template === "" ? {} : { templateName: invocation.template }),
    ...(hasRef && invocation.templateRef !== undefined ? { templateRef: invocation.templateRef } : {}),
    templateScope: call.source.scope,
    phase: made.phase,
    ...(call.boundaryId === undefined ? {} : { boundaryID: call.boundaryId }),
    ...(flag === undefined ? {} : { nodeFlag: flag }),
    ...(made.message === undefined || made.message === "" ? {} : { message: made.message }),
    ...inputsOf(made.template?.inputs),
    ...(made.outputs === undefined ? {} : { outputs: made.outputs }),
    ...beginning(pass, made.type, made.phase),
  });
}

/** A step group: it belongs to no template. */
export function createGroupNode(
  pass: Pass,
  place: { readonly name: string; readonly boundaryId: NodeId; readonly scope: string },
): NodeStatus {
  return insert(pass, {
    id: pass.nodes.idFor(place.name),
    name: place.name,
    displayName: nameIn(pass, place.name, place.boundaryId),
    type: "StepGroup",
    templateScope: place.scope,
    phase: "Running",
    boundaryID: place.boundaryId,
    nodeFlag: {},
    ...beginning(pass, "StepGroup", "Running"),
  });
}

function insert(pass: Pass, node: NodeStatus): NodeStatus {
  pass.nodes.put(node);
  return node;
}

function beginning(pass: Pass, type: NodeType, phase: NodePhase): Partial<NodeStatus> {
  const now = pass.timestamp;
  return {
    startedAt: now,
    ...(isSettled({ phase }) ? { finishedAt: now } : {}),
    ...(isExecutable(type) ? { progress: initialProgress } : {}),
  };
}

/** Its name without that of the node around it. */
function nameIn(pass: Pass, name: string, boundaryId: NodeId | undefined): string {
  const boundary = nodeById(pass, boundaryId);
  return boundary === undefined || !name.startsWith(boundary.name)
    ? name
    : name.slice(boundary.name.length).replace(/^(\[\d+\])?\./, "");
}

const DISPLAY_NAME = "workflows.argoproj.io/display-name";

function ownNameOf(template: Template | undefined): string | undefined {
  const own = template?.annotations?.[DISPLAY_NAME];
  return own !== undefined && /^[a-zA-Z0-9][a-zA-Z0-9-.]{0,61}[a-zA-Z0-9]$/.test(own) ? own : undefined;
}

function inputsOf(inputs: Inputs | undefined): Partial<Pick<NodeStatus, "inputs">> {
  const isEmpty = (inputs?.parameters?.length ?? 0) === 0 && (inputs?.artifacts?.length ?? 0) === 0;
  return inputs === undefined || isEmpty ? {} : { inputs };
}

export type MarkedPhase = keyof typeof eventOf;

/** Moves a node on; `message` undefined keeps what it says, an empty one takes it away. */
export function markNode(pass: Pass, node: NodeStatus, phase: MarkedPhase, message?: string): NodeStatus {
  return updateNode(pass, node, { phase, ...(message === undefined ? {} : { message }) });
}

/** Changes to a node; an empty message and `daemoned: false` take the field away. `phase` obeys the table. */
export type NodeChange = Partial<Omit<NodeStatus, "phase" | "id" | "name">> & { readonly phase?: MarkedPhase };

export function updateNode(pass: Pass, node: NodeStatus, change: NodeChange): NodeStatus {
  const phase = nextPhase(pass, node, change.phase);
  if (phase === undefined) return node;
  const after = settled(pass, node, changed(node, change, phase));
  if (after === node) return node;
  pass.nodes.put(after);
  if (isFulfilled(after) && !isFulfilled(node)) addGlobalOutputsOf(pass, after);
  if (after.type === "Pod" && node.resourcesDuration === undefined) addResourcesDuration(pass, after);
  return after;
}

/** The workflow's is the sum of its pods' (Argo 4.1 behaviour 3.23). */
function addResourcesDuration(pass: Pass, { resourcesDuration }: NodeStatus): void {
  if (resourcesDuration === undefined) return;
  pass.status = { ...pass.status, resourcesDuration: addDurations(pass.status.resourcesDuration, resourcesDuration) };
}

export type ResourcesDuration = NonNullable<NodeStatus["resourcesDuration"]>;

export function addDurations(sum: ResourcesDuration | undefined, added: ResourcesDuration): ResourcesDuration {
  const total: Record<string, number> = { ...sum };
  for (const [resource, seconds] of Object.entries(added)) total[resource] = (total[resource] ?? 0) + seconds;
  return total;
}

function nextPhase(pass: Pass, node: NodeStatus, wanted: MarkedPhase | undefined): NodePhase | undefined {
  const current = node.phase ?? "Pending";
  if (wanted === undefined) return current;
  const next = transitions[current][eventOf[wanted]];
  if (next === undefined) pass.options.onDefect?.(`node ${node.name}: ${current} cannot become ${wanted}`);
  return next;
}

/** The node itself where it says all of it already. */
function changed(node: NodeStatus, change: NodeChange, phase: NodePhase): NodeStatus {
  if (phase === node.phase && isSaid(node, change)) return node;
  const { message = node.message, daemoned = node.daemoned, ...changes } = change;
  const says = message === undefined || message === "" ? {} : { message };
  return { ...plain, ...silent(node), ...changes, phase, ...says, ...(daemoned === true ? { daemoned } : {}) };
}

/** Without what a change may take away; most have neither. */
function silent(node: NodeStatus): NodeStatus {
  if (node.message === undefined && node.daemoned === undefined) return node;
  const { message: _message, daemoned: _daemoned, ...others } = node;
  return others;
}

function settled(pass: Pass, before: NodeStatus, after: NodeStatus): NodeStatus {
  if (!isSettled(after)) return after;
  const finished = after.finishedAt === undefined ? { finishedAt: pass.timestamp } : {};
  const isDone = isExecutable(after.type) && after.phase === "Succeeded";
  const progress = isDone ? { progress: finishedProgress(after) } : {};
  return before.phase === after.phase && after.finishedAt !== undefined
    ? after
    : { ...plain, ...after, ...finished, ...progress };
}

/** What stands for the fields that a change takes away. */
const TAKEN_AWAY: Readonly<Record<string, unknown>> = { message: "", daemoned: false };

function isSaid(node: NodeStatus, change: NodeChange): boolean {
  return Object.entries(change).every(
    ([field, value]) =>
      field === "phase" || value === undefined || jsonEquals(Reflect.get(node, field) ?? TAKEN_AWAY[field], value),
  );
}
