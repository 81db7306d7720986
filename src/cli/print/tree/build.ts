/** Workflow status -> items of the live tree: attempts merged, loops gathered, tasks not begun filled in. */

import type { NodeId, NodeStatus } from "../../../core/model/argo/node.js";
import type { Workflow } from "../../../core/model/argo/workflow.js";
import { timeOf } from "../duration.js";
import { isQuiet } from "../pod-note.js";
import { oneLine } from "../step-output.js";
import { type Call, callsOf, isLoop } from "../templates.js";
import { type Attempts, attemptsOf, attemptText, shortMessage } from "./attempts.js";
import { Boundary, hasFailed } from "./boundary.js";
import type { ItemState, TreeItem } from "./item.js";
import { compareNodes, indexNodes, loopItem, type NodeIndex, pushTo } from "./node-index.js";
import { notBegun } from "./not-begun.js";

export interface TreeFacts {
  readonly workflow: Workflow;
  /** What pods wait for (`waits for a slot (8 of 8)`, `pulling 43 %`), by node ID. */
  readonly podNotes: ReadonlyMap<NodeId, string>;
  /** The last line each running step wrote, by node ID. */
  readonly lastLines: ReadonlyMap<NodeId, string>;
}

interface Builder extends TreeFacts {
  readonly index: NodeIndex;
  /** By node ID; made when one is asked for. */
  readonly boundaries: Map<NodeId, Boundary>;
}

/** The items below the workflow's name, exit handler last; empty before the controller has begun. */
export function buildTree(facts: TreeFacts): readonly TreeItem[] {
  const builder: Builder = { ...facts, index: indexNodes(facts.workflow), boundaries: new Map() };
  const name = facts.workflow.metadata.name ?? "";
  const root = builder.index.byId.get(name);
  const items = root === undefined ? [] : rootItems(builder, root);
  const exit = exitItem(builder, name);
  return exit === undefined ? items : [...items, exit];
}

/** The tasks of the entry template; a single step shows as itself, under its template's name. */
function rootItems(builder: Builder, root: NodeStatus): readonly TreeItem[] {
  const item = itemOf(builder, root, root.templateName || root.displayName);
  return item.kind === "group" && item.children.length > 0 ? item.children : [item];
}

function exitItem(builder: Builder, workflowName: string): TreeItem | undefined {
  const { spec, byId } = builder.index;
  const template = spec.onExit ?? spec.hooks?.["exit"]?.template;
  const node = [...byId.values()].find((candidate) => candidate.name === `${workflowName}.onExit`);
  if (node !== undefined) {
    const item = itemOf(builder, node, "onExit");
    return { ...item, note: item.note === "" ? (node.templateName ?? "") : item.note };
  }
  if (template === undefined || template === "") return undefined;
  const ended = timeOf(builder.workflow.status?.finishedAt) !== undefined;
  return leaf({ label: "onExit", state: ended ? "cannotRun" : "waiting", note: ended ? "did not run" : template });
}

function itemOf(builder: Builder, node: NodeStatus, label: string): TreeItem {
  if (node.type === "Retry") return retryItem(builder, node, label);
  if (node.type === "TaskGroup") {
    const children = (node.children ?? [])
      .map((id) => builder.index.byId.get(id))
      .filter((child): child is NodeStatus => child !== undefined && child.nodeFlag?.hooked !== true);
    return loopOf(builder, { label, nodes: children, state: stateOf(node), id: node.id });
  }
  const children = childrenOf(builder, node);
  const note = noteOf(builder, node, children.length > 0);
  return {
    ...leaf({ label, state: stateOf(node), note }),
    id: node.id,
    lastLine: node.phase === "Running" ? (builder.lastLines.get(node.id) ?? "") : "",
    startedAt: node.phase === "Pending" ? undefined : timeOf(node.startedAt),
    finishedAt: timeOf(node.finishedAt),
    kind: children.length > 0 ? "group" : "leaf",
    children,
  };
}

/** A Retry node shows as its last attempt, with what came before in the note. */
function retryItem(builder: Builder, retry: NodeStatus, label: string): TreeItem {
  const attempts = attemptsOf(retry, builder.index, builder.index.templates.of(retry));
  const last = attempts.last;
  if (last === undefined) {
    return { ...leaf({ label, state: stateOf(retry), note: shortMessage(retry.message) }), id: retry.id };
  }
  const item = itemOf(builder, last, label);
  const isOpen = retry.phase === "Running" || retry.phase === "Pending";
  if (!isOpen) return { ...item, state: stateOf(retry), note: settledNote(retry, attempts) };
  const isBetween = last.finishedAt !== undefined && last.phase !== "Succeeded";
  if (!isBetween) return { ...item, note: joined([openNote(attempts), item.note]) };
  const again = [attemptText(attempts), `ended: ${shortMessage(last.message)}`, retry.message ?? "tries again"];
  return { ...item, state: "pending", note: joined(again), lastLine: "" };
}

/** `exit 2, attempt 3 of 3` */
function settledNote(retry: NodeStatus, attempts: Attempts): string {
  const failed = retry.phase === "Failed" || retry.phase === "Error";
  const reason = failed ? shortMessage(attempts.last?.message ?? retry.message) : "";
  return joined([reason, attempts.all.length > 1 || failed ? attemptText(attempts) : ""]);
}

/** `attempt 2 of 4 (before: OOMKilled, exit 137)` */
function openNote(attempts: Attempts): string {
  const before = attempts.all.at(-2);
  const past = before === undefined ? "" : ` (before: ${shortMessage(before.message)})`;
  return `${attemptText(attempts)}${past}`.trim();
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function boundaryOf({ boundaries, index }: Builder, node: NodeStatus): Boundary {
  const known = boundaries.get(node.id);
  if (known !== undefined) return known;
  const boundary = new Boundary(node, callsOf(index.templates.of(node)), index.inside(node.id));
  boundaries.set(node.id, boundary);
  return boundary;
}

/** What stands inside a boundary, in the order of the template, then what is not in it (hooks) by start. */
function childrenOf(builder: Builder, node: NodeStatus): readonly TreeItem[] {
  const boundary = boundaryOf(builder, node);
  const { calls, inside } = boundary;
  if (inside.length === 0 && calls.length === 0) return [];
  const byCall = new Map<string, NodeStatus[]>();
  for (const one of inside) pushTo(byCall, callNameOf(boundary, one), one);
  const items: TreeItem[] = [];
  for (const call of calls) {
    const nodes = byCall.get(call.name);
    byCall.delete(call.name);
    if (nodes !== undefined) items.push(...calledItems(builder, call, nodes));
    else items.push(...notBegun(boundary, call));
  }
  const others = [...byCall.values()].flat().sort(compareNodes);
  return [...items, ...others.map((other) => itemOf(builder, other, other.displayName))];
}

/** The call that made a node: its name, taken from the node's full name (display names may be changed by users). */
function callNameOf(boundary: Boundary, node: NodeStatus): string {
  const { name } = boundary.node;
  const rest = node.name.startsWith(name) ? node.name.slice(name.length) : node.displayName;
  const own = rest.replace(/^(?:\[\d+\])?\./, "");
  return boundary.call(own) === undefined ? (loopItem(own)?.base ?? own) : own;
}

function calledItems(builder: Builder, call: Call, nodes: readonly NodeStatus[]): readonly TreeItem[] {
  const whole = nodes.find((node) => loopItem(node.displayName) === undefined);
  if (!isLoop(call.invocation) || (whole !== undefined && whole.type === "TaskGroup")) {
    return nodes.map((node) => itemOf(builder, node, node.displayName));
  }
  if (whole !== undefined) return [itemOf(builder, whole, whole.displayName)];
  return [loopOf(builder, { label: call.name, nodes, state: undefined, id: "" })];
}

interface Loop {
  readonly label: string;
  readonly nodes: readonly NodeStatus[];
  /** Undefined: from its items. */
  readonly state: ItemState | undefined;
  readonly id: string;
}

function loopOf(builder: Builder, loop: Loop): TreeItem {
  const nodes = [...loop.nodes].sort(
    (a, b) => (loopItem(a.displayName)?.index ?? 0) - (loopItem(b.displayName)?.index ?? 0),
  );
  const children = nodes.map((node) => itemOf(builder, node, loopItem(node.displayName)?.item ?? node.displayName));
  const starts = children.flatMap((child) => child.startedAt ?? []);
  const ends = children.flatMap((child) => child.finishedAt ?? []);
  const ended = ends.length === children.length && ends.length > 0;
  return {
    id: loop.id,
    label: loop.label,
    state: loop.state ?? loopState(children),
    note: "",
    lastLine: "",
    startedAt: starts.length > 0 ? starts.reduce((a, b) => Math.min(a, b)) : undefined,
    finishedAt: ended ? ends.reduce((a, b) => Math.max(a, b)) : undefined,
    kind: "loop",
    children,
  };
}

const LOOP_ORDER = ["running", "suspended", "pending", "error", "failed", "succeeded", "skipped"] as const;

function loopState(children: readonly TreeItem[]): ItemState {
  return LOOP_ORDER.find((state) => children.some((child) => child.state === state)) ?? "waiting";
}

function noteOf(builder: Builder, node: NodeStatus, hasChildren: boolean): string {
  switch (node.phase) {
    case "Pending":
      return oneLine(builder.podNotes.get(node.id) ?? node.synchronizationStatus?.waiting ?? loudMessage(node));
    case "Running":
      return node.type === "Suspend" ? suspendNote(builder, node) : oneLine(builder.podNotes.get(node.id) ?? "");
    case "Failed":
    case "Error":
      return hasChildren ? "" : shortMessage(node.message);
    case "Skipped":
      return shortMessage(node.message);
    case "Omitted":
      return omittedNote(builder, node);
    default:
      return "";
  }
}

/** What somebody said of it, how long it waits, or how to go on. */
function suspendNote({ index, workflow }: Builder, node: NodeStatus): string {
  if (node.message) return shortMessage(node.message);
  return waitText(workflow, index.templates.of(node)?.suspend?.duration);
}

/** `waits: tiphys resume nightly`; of a wait that ends by itself, how long it takes. */
export function waitText({ metadata }: Workflow, duration: string | undefined): string {
  if (duration) return `waits ${/^\d+$/.test(duration) ? `${duration}s` : duration}`;
  return `waits: tiphys resume ${metadata.name ?? ""}`;
}

/** A node keeps what its pod last said before it ran. */
function loudMessage({ message = "" }: NodeStatus): string {
  return isQuiet(message) ? "" : shortMessage(message);
}

function omittedNote(builder: Builder, node: NodeStatus): string {
  const outer = builder.index.byId.get(node.boundaryID ?? "");
  const boundary = outer && boundaryOf(builder, outer);
  const call = boundary?.call(node.displayName);
  const failed = call?.waitsFor.find((name) =>
    boundary?.nodesOf(name).some((other) => other.displayName === name && hasFailed(other)),
  );
  return failed === undefined ? shortMessage(node.message) : `cannot run: ${failed} failed`;
}

const STATES: Readonly<Record<string, ItemState>> = {
  Pending: "pending",
  Running: "running",
  Succeeded: "succeeded",
  Skipped: "skipped",
  Failed: "failed",
  Error: "error",
  Omitted: "cannotRun",
};

function stateOf(node: NodeStatus): ItemState {
  if (node.type === "Suspend" && node.phase === "Running") return "suspended";
  return STATES[node.phase ?? ""] ?? "pending";
}

function leaf(item: Pick<TreeItem, "label" | "state" | "note">): TreeItem {
  return { ...item, id: "", lastLine: "", startedAt: undefined, finishedAt: undefined, kind: "leaf", children: [] };
}
