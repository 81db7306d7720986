/** The node table of `get`: boundaries, step groups and retries drawn as Argo draws them (Argo 4.1 behaviour 8.6). */

import type { NodeId, NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { podNameOfNode } from "../../core/operations/index.js";
import { shortDuration, timeOf } from "./duration.js";
import type { Style } from "./style.js";
import { table } from "./table.js";
import { compareNodes, pushTo } from "./tree/node-index.js";

export interface GetTreeOptions {
  readonly columns: "default" | "short" | "wide";
  readonly style: Style;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Rows that match; the others are hidden, their children not. */
  readonly selects: (node: NodeStatus) => boolean;
  /** What the pods of nodes wait for; left out where nobody looked. */
  readonly waits?: ReadonlyMap<NodeId, string>;
}

/** Header and rows; empty when the workflow has no nodes yet. */
export function getTreeLines(workflow: Workflow, options: GetTreeOptions): readonly string[] {
  const nodes = new Map(Object.entries(workflow.status?.nodes ?? {}));
  if (nodes.size === 0) return [];
  const name = workflow.metadata.name ?? "";
  const drawing: Drawing = { workflow, nodes, options, contained: containedNodes(nodes), rows: [headerCells(options)] };
  const root = nodes.get(name);
  if (root !== undefined) draw(drawing, root, { own: " ", below: " " });
  const exit = [...nodes.values()].find((node) => node.name === `${name}.onExit`);
  if (exit !== undefined) {
    drawing.rows.push(headerCells(options).map(() => ""));
    draw(drawing, exit, { own: " ", below: " " });
  }
  return table(drawing.rows, 2);
}

interface Drawing {
  readonly workflow: Workflow;
  readonly nodes: ReadonlyMap<NodeId, NodeStatus>;
  readonly options: GetTreeOptions;
  readonly contained: ReadonlyMap<NodeId, readonly NodeStatus[]>;
  readonly rows: string[][];
}

interface Prefix {
  readonly own: string;
  readonly below: string;
}

const BOUNDARIES: ReadonlySet<string> = new Set(["Steps", "DAG"]);
const BETWEEN: ReadonlySet<string> = new Set(["StepGroup", "Retry"]);
const NOT_DRAWN: ReadonlySet<string> = new Set(["TaskGroup", "Container"]);

/** What each boundary, step group and retry holds, in the order drawn. */
function containedNodes(nodes: ReadonlyMap<NodeId, NodeStatus>): ReadonlyMap<NodeId, readonly NodeStatus[]> {
  const contained = new Map<NodeId, NodeStatus[]>();
  const placed = new Set<NodeId>();
  for (const parent of nodes.values()) {
    if (!BETWEEN.has(parent.type)) continue;
    const children = childrenBetween(parent, nodes);
    for (const child of children) placed.add(child.id);
    contained.set(parent.id, children);
  }
  for (const node of nodes.values()) {
    if (placed.has(node.id) || isHiddenLeaf(node)) continue;
    const boundary = nodes.get(node.boundaryID ?? "");
    if (boundary === undefined || !BOUNDARIES.has(boundary.type)) continue;
    pushTo(contained, boundary.id, node);
  }
  for (const list of contained.values()) list.sort(compareNodes);
  return contained;
}

/** A step group's children stay inside its own boundary: the next group is a child of its last steps. */
function childrenBetween(parent: NodeStatus, nodes: ReadonlyMap<NodeId, NodeStatus>): NodeStatus[] {
  const children: NodeStatus[] = [];
  for (const id of parent.children ?? []) {
    const child = nodes.get(id);
    if (child === undefined || isHiddenLeaf(child) || child.type === "StepGroup") continue;
    children.push(child);
  }
  return children;
}

function isHiddenLeaf(node: NodeStatus): boolean {
  return NOT_DRAWN.has(node.type) || (node.type === "Skipped" && node.phase === "Omitted");
}

function draw(drawing: Drawing, node: NodeStatus, prefix: Prefix): void {
  const hidden = isHidden(drawing, node);
  if (!hidden) drawing.rows.push(cellsOf(drawing, node, prefix.own));
  const children = drawing.contained.get(node.id) ?? [];
  for (const [index, child] of children.entries()) {
    const last = index === children.length - 1;
    draw(drawing, child, childPrefix(drawing.options.style, prefix, { hidden, first: index === 0, last }));
  }
}

function isHidden({ options }: Drawing, node: NodeStatus): boolean {
  if (node.type === "StepGroup") return true;
  if (node.type === "Retry" && node.children?.length === 1) return true;
  return !options.selects(node);
}

/** Children of a hidden row go on in its line: `──` for an only child, `┬─` for the first of several. */
function childPrefix(
  style: Style,
  prefix: Prefix,
  at: { readonly hidden: boolean; readonly first: boolean; readonly last: boolean },
): Prefix {
  const parts = style.utf8
    ? { only: "──", fork: "┬─", last: "└─", more: "├─", bar: "│ " }
    : { only: "--", fork: "+-", last: "`-", more: "|-", bar: "| " };
  const joins = at.hidden && at.first;
  const lastPart = at.last ? parts.last : parts.more;
  const joined = at.last ? parts.only : parts.fork;
  return {
    own: joins ? prefix.own + joined : prefix.below + lastPart,
    below: prefix.below + (at.last ? "  " : parts.bar),
  };
}

function headerCells(options: GetTreeOptions): string[] {
  if (options.columns === "wide") {
    return ["STEP", "TEMPLATE", "PODNAME", "DURATION", "ARTIFACTS", "MESSAGE", "RESOURCESDURATION", "NODENAME"];
  }
  const cells = ["STEP", "TEMPLATE", "PODNAME", "DURATION", "MESSAGE"];
  return options.columns === "short" ? [...cells, "NODENAME"] : cells;
}

function cellsOf(drawing: Drawing, node: NodeStatus, prefix: string): string[] {
  const { workflow, options } = drawing;
  const isPod = node.type === "Pod";
  const template = node.templateRef
    ? `${node.templateRef.name ?? ""}/${node.templateRef.template ?? ""}`
    : (node.templateName ?? "");
  const pod = isPod ? podNameOfNode(workflow.metadata.name ?? "", node) : "";
  const step = `${prefix}${iconOf(node, options.style)} ${node.displayName}`;
  const message = [node.message ?? "", waitText(node, options)]
    .filter((part) => part !== "")
    .join("; ")
    .replace(/\s+/g, " ");
  const host = isPod ? (node.hostNodeName ?? "") : "";
  const duration = isPod ? nodeDuration(node, options.now) : "";
  if (options.columns === "wide") {
    const artifacts = (node.outputs?.artifacts ?? []).map((artifact) => artifact.name).join(",");
    return [step, template, pod, duration, artifacts, message, resourcesText(node.resourcesDuration), host];
  }
  const cells = [step, template, pod, duration, message];
  return options.columns === "short" ? [...cells, host] : cells;
}

function waitText({ id }: NodeStatus, { waits }: GetTreeOptions): string {
  const text = waits?.get(id);
  return text === undefined ? "" : `pod ${text}`;
}

function nodeDuration(node: NodeStatus, now: number): string {
  const started = timeOf(node.startedAt);
  return started === undefined ? "" : shortDuration((timeOf(node.finishedAt) ?? now) - started);
}

interface Icon {
  readonly symbol: string;
  readonly word: string;
  readonly color?: "yellow" | "cyan" | "green" | "red";
}

const ICONS: Readonly<Record<string, Icon>> = {
  Pending: { symbol: "◷", word: "Pending", color: "yellow" },
  Running: { symbol: "●", word: "Running", color: "cyan" },
  Succeeded: { symbol: "✔", word: "Succeeded", color: "green" },
  Skipped: { symbol: "○", word: "Skipped" },
  Omitted: { symbol: "○", word: "Omitted" },
  Failed: { symbol: "✖", word: "Failed", color: "red" },
  Error: { symbol: "⚠", word: "Error", color: "red" },
};
const PENDING: Icon = { symbol: "◷", word: "Pending", color: "yellow" };
const SUSPENDED: Icon = { symbol: "ǁ", word: "Suspend", color: "cyan" };

function iconOf(node: NodeStatus, style: Style): string {
  const suspended = node.type === "Suspend" && node.phase === "Running";
  const icon = suspended ? SUSPENDED : (ICONS[node.phase ?? ""] ?? PENDING);
  const text = style.utf8 ? icon.symbol : icon.word;
  return icon.color === undefined ? text : style.paint[icon.color](text);
}

const DENOMINATORS: Readonly<Record<string, string>> = {
  memory: "100Mi",
  storage: "10Gi",
  "ephemeral-storage": "10Gi",
};

/** `4s*(1 cpu),1m4s*(100Mi memory)` */
export function resourcesText(durations: Readonly<Record<string, number>> | undefined): string {
  return Object.entries(durations ?? {})
    .map(([resource, seconds]) => `${goSeconds(seconds)}*(${DENOMINATORS[resource] ?? "1"} ${resource})`)
    .sort()
    .join(",");
}

function goSeconds(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}
