/** The phase of a DAG, from its targets: a search that carries the phase of each branch along (Argo 4.1 behaviour 3.7). */

import type { NodeId, NodePhase, NodeStatus } from "../../model/argo/node.js";
import type { DagState } from "../frames.js";
import { isCompleted, isFulfilled } from "../nodes/phases.js";
import type { At, Pass } from "../pass.js";

export type DagPhase = "Running" | "Succeeded" | "Failed" | "Error";

/** To be asked when no task of it is at work. */
export function assessDag({ pass, template }: At, dag: NodeStatus, state: DagState): DagPhase {
  const found = branchPhases(pass, dag, state);
  if (found === undefined) return "Running";
  const failFast = template.dag?.failFast ?? true;
  let result: DagPhase = "Succeeded";
  for (const name of state.targets) {
    const phase = found.get(name) ?? settledPhase(pass, state, name);
    if (phase === undefined) {
      result = "Running";
      if (!failFast) break;
    } else if (phase === "Failed" || phase === "Error") {
      const { continueOn } = state.tasks.get(name)?.task ?? {};
      if (phase === "Failed" ? continueOn?.failed === true : continueOn?.error === true) continue;
      result = phase;
      if (failFast) break;
    }
  }
  return result;
}

interface Branch {
  readonly id: NodeId;
  readonly phase: NodePhase;
}

/**
 * Phases of the targets that the search reaches; undefined while a node on the way is not fulfilled. Whoever did not
 * complete hands on the phase of what came before it. What came after the DAG hangs on its last nodes, or on itself: after
 * a retry by hand it is open again, and waits for the DAG.
 */
function branchPhases(pass: Pass, dag: NodeStatus, state: DagState): ReadonlyMap<string, NodePhase> | undefined {
  const targets = new Map(state.targets.map((name) => [state.tasks.get(name)?.nodeName ?? "", name]));
  const found = new Map<string, NodePhase>();
  // Its own hooks are named as if they were inside it.
  const isInside = ({ name, boundaryID }: NodeStatus): boolean =>
    name.startsWith(`${dag.name}.`) && boundaryID !== dag.boundaryID;
  const queue = new BranchQueue();
  queue.add(dag.children ?? [], "Succeeded");
  for (const { id, phase: before } of queue) {
    const node = pass.nodes.get(id);
    if (node === undefined || !isInside(node)) continue;
    if (!isFulfilled(node) && !isFinishedGroup(pass, node)) return undefined;
    const phase = isCompleted(node) ? (node.phase ?? before) : before;
    const target = targets.get(node.name);
    if (target !== undefined && !isFailure(found.get(target))) found.set(target, phase);
    queue.add(node.type === "Retry" ? beyondRetry(pass, node) : (node.children ?? []), phase);
  }
  return found;
}

function isFailure(phase: NodePhase | undefined): boolean {
  return phase === "Failed" || phase === "Error";
}

/** Grows while it is walked; each node once for each phase it is reached with. */
class BranchQueue implements Iterable<Branch> {
  private readonly branches: Branch[] = [];
  private readonly seen = new Set<string>();

  add(ids: readonly NodeId[], phase: NodePhase): void {
    for (const id of ids) {
      if (this.seen.has(`${phase} ${id}`)) continue;
      this.seen.add(`${phase} ${id}`);
      this.branches.push({ id, phase });
    }
  }

  *[Symbol.iterator](): Generator<Branch> {
    for (let at = 0; at < this.branches.length; at++) {
      const branch = this.branches[at];
      if (branch !== undefined) yield branch;
    }
  }
}

function isFinishedGroup(pass: Pass, node: NodeStatus): boolean {
  if (node.type !== "TaskGroup") return false;
  return (node.children ?? []).every((id) => {
    const child = pass.nodes.get(id);
    return child === undefined || isFulfilled(child);
  });
}

/** What follows a retry: its hooks, and what comes after its attempts; a failed attempt is no failed branch. */
function beyondRetry(pass: Pass, retry: NodeStatus): readonly NodeId[] {
  return (retry.children ?? []).flatMap((id) => {
    const child = pass.nodes.get(id);
    return child?.nodeFlag?.hooked === true && child.nodeFlag.retried !== true ? [id] : (child?.children ?? []);
  });
}

/** Of a target that no edge leads to, as when what it depends on never began (lessons G.2, 5: Argo waits for ever). */
function settledPhase(pass: Pass, state: DagState, name: string): NodePhase | undefined {
  const node = pass.nodes.named(state.tasks.get(name)?.nodeName ?? "");
  if (node === undefined || !isFulfilled(node)) return undefined;
  return isCompleted(node) ? node.phase : "Succeeded";
}
