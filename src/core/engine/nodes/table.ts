/** The nodes of one workflow: what is committed, what is staged above it, and the counts that limits need. */

import { nodeIdOf } from "../../model/argo/names.js";
import type { NodeId, NodeStatus } from "../../model/argo/node.js";
import { isSettled, isUnsuccessful } from "./phases.js";
import { addProgress, isExecutable, type Progress, progressOf } from "./progress.js";

/** Kept with each change, forwards and backwards, so that nothing ever counts all nodes. */
interface Counts {
  activePods: number;
  runningPods: number;
  done: number;
  total: number;
}

interface BoundaryCounts {
  activePods: number;
  activeChildren: number;
  unsuccessful: number;
  open: number;
}

export class NodeTable {
  private readonly inForce: Map<NodeId, NodeStatus>;
  private readonly staged = new Map<NodeId, NodeStatus>();
  private readonly ids = new Map<string, NodeId>();
  private readonly boundaries = new Map<NodeId, BoundaryCounts>();
  private readonly counts: Counts = { activePods: 0, runningPods: 0, done: 0, total: 0 };
  /** Not settled: the only ones that a deadline, a shutdown or the end can concern. */
  readonly open = new Set<NodeId>();
  /** Daemons that are up. */
  readonly daemons = new Set<NodeId>();
  /** Counts up whenever a place becomes free, a failure may matter to limits, or a daemon is up and nothing waits for it. */
  releases = 0;

  constructor(
    private readonly workflowName: string,
    nodes: Iterable<NodeStatus>,
  ) {
    this.inForce = new Map();
    for (const node of nodes) {
      this.inForce.set(node.id, node);
      this.ids.set(node.name, node.id);
      this.count(undefined, node);
    }
  }

  get(id: NodeId): NodeStatus | undefined {
    return this.staged.get(id) ?? this.inForce.get(id);
  }

  named(name: string): NodeStatus | undefined {
    const id = this.ids.get(name);
    return id === undefined ? undefined : this.get(id);
  }

  committed(id: NodeId): NodeStatus | undefined {
    return this.inForce.get(id);
  }

  allCommitted(): IterableIterator<NodeStatus> {
    return this.inForce.values();
  }

  *all(): Generator<NodeStatus> {
    for (const [id, node] of this.inForce) yield this.staged.get(id) ?? node;
    for (const [id, node] of this.staged) if (!this.inForce.has(id)) yield node;
  }

  /** The node's ID, Argo's unless another node's name has the same hash; then the salted one (design 2). */
  idFor(name: string): NodeId {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    for (let salt = 0; ; salt++) {
      const id = nodeIdOf(this.workflowName, name, salt);
      const holder = this.get(id);
      if (holder === undefined || holder.name === name) return id;
    }
  }

  /** 0 unless the node's ID had to be salted; pod names take the same salt. */
  saltFor(name: string): number {
    const id = this.idFor(name);
    let salt = 0;
    while (name !== this.workflowName && nodeIdOf(this.workflowName, name, salt) !== id && salt < SALT_MAX) salt++;
    return salt;
  }

  put(node: NodeStatus): void {
    this.count(this.get(node.id), node);
    this.staged.set(node.id, node);
    this.ids.set(node.name, node.id);
  }

  /** Staged nodes that differ from the committed ones. */
  changes(): Map<NodeId, NodeStatus> {
    const changed = new Map<NodeId, NodeStatus>();
    for (const [id, node] of this.staged) if (this.inForce.get(id) !== node) changed.set(id, node);
    return changed;
  }

  commit(): void {
    for (const [id, node] of this.staged) this.inForce.set(id, node);
    this.staged.clear();
  }

  rollback(): void {
    for (const [id, node] of this.staged) {
      const before = this.inForce.get(id);
      this.count(node, before);
      if (before === undefined) this.ids.delete(node.name);
    }
    this.staged.clear();
  }

  get activePods(): number {
    return this.counts.activePods;
  }

  get runningPods(): number {
    return this.counts.runningPods;
  }

  get progress(): Progress {
    return { done: this.counts.done, total: this.counts.total };
  }

  /** Daemons that are up left out: nobody waits for their end. */
  activePodsOf(boundary: NodeId): number {
    return this.boundaries.get(boundary)?.activePods ?? 0;
  }

  activeChildrenOf(boundary: NodeId): number {
    return this.boundaries.get(boundary)?.activeChildren ?? 0;
  }

  unsuccessfulChildrenOf(boundary: NodeId): number {
    return this.boundaries.get(boundary)?.unsuccessful ?? 0;
  }

  /** Steps and DAG children of the boundary that failed in this pass. */
  newlyFailedComposites(boundary: NodeId): number {
    let count = 0;
    for (const [id, node] of this.staged) {
      if (node.boundaryID !== boundary || (node.type !== "Steps" && node.type !== "DAG") || !isUnsuccessful(node))
        continue;
      const before = this.inForce.get(id);
      if (before === undefined || !isUnsuccessful(before)) count++;
    }
    return count;
  }

  /** Nodes of the boundary that are not settled. */
  openChildrenOf(boundary: NodeId): number {
    return this.boundaries.get(boundary)?.open ?? 0;
  }

  private count(before: NodeStatus | undefined, after: NodeStatus | undefined): void {
    if (before !== undefined) this.add(before, -1);
    if (after !== undefined) this.add(after, 1);
    if (isActive(before) && (!isActive(after) || isUp(after) !== isUp(before))) this.releases++;
    const id = (after ?? before)?.id;
    if (id === undefined) return;
    keep(this.open, id, after !== undefined && !isSettled(after));
    keep(this.daemons, id, after?.daemoned === true);
  }

  private add(node: NodeStatus, by: 1 | -1): void {
    if (isActivePod(node)) this.counts.activePods += by;
    if (node.type === "Pod" && node.phase === "Running") this.counts.runningPods += by;
    if (isExecutable(node.type)) addProgress(this.counts, progressOf(node), by);
    if (node.boundaryID !== undefined) this.addToBoundary(this.boundaryOf(node.boundaryID), node, by);
  }

  private addToBoundary(counts: BoundaryCounts, node: NodeStatus, by: 1 | -1): void {
    if (!isSettled(node)) counts.open += by;
    if (!CHILD_TYPES.includes(node.type)) return;
    if (isActivePod(node) && !isUp(node)) counts.activePods += by;
    if (isActive(node)) counts.activeChildren += by;
    if (isUnsuccessful(node)) counts.unsuccessful += by;
  }

  private boundaryOf(id: NodeId): BoundaryCounts {
    const known = this.boundaries.get(id);
    if (known !== undefined) return known;
    const counts = { activePods: 0, activeChildren: 0, unsuccessful: 0, open: 0 };
    this.boundaries.set(id, counts);
    return counts;
  }
}

const SALT_MAX = 1000;

/** What a template's parallelism and failFast count (Argo 4.1 behaviour 3.14). */
const CHILD_TYPES: readonly NodeStatus["type"][] = ["Pod", "Steps", "DAG"];

function keep(set: Set<NodeId>, id: NodeId, isIn: boolean): void {
  if (isIn) set.add(id);
  else set.delete(id);
}

function isActive(node: NodeStatus | undefined): boolean {
  return node?.phase === "Pending" || node?.phase === "Running";
}

function isUp(node: NodeStatus | undefined): boolean {
  return node?.daemoned === true;
}

function isActivePod(node: NodeStatus): boolean {
  return node.type === "Pod" && isActive(node);
}
