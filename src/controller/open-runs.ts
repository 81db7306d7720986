/** The workflows this process holds open: each with its run of the engine and the changes it has not yet been told. */

import type { Change, Decision, Run } from "../core/engine/contract.js";
import type { NodeId, NodeStatus } from "../core/model/argo/node.js";
import type { Workflow, WorkflowStatus } from "../core/model/argo/workflow.js";
import { jsonEqual } from "../kube/patch/equal.js";
import { jsonView } from "./json-view.js";

/** Everything in a status but the nodes, which the run itself keeps. */
export type StatusFields = Omit<WorkflowStatus, "nodes">;

/** One open workflow. Changes stay until the pass that used them has saved. */
export class OpenRun {
  private waiting: Change[] = [];
  private taken: Change[] = [];
  /** Nodes that this process itself saved as Pending: their pods were never created by anybody before. */
  private readonly savedPending = new Set<NodeId>();
  /** When a save that starts nothing was first put off; milliseconds of the monotonic clock. */
  deferredSince: number | undefined;
  readonly uid: string;
  /** resourceVersion of the object that the run's committed state equals. */
  revision: string;
  /** The saved status without its nodes. */
  status: StatusFields;

  constructor(
    workflow: Workflow,
    readonly run: Run,
  ) {
    this.uid = workflow.metadata.uid ?? "";
    this.revision = workflow.metadata.resourceVersion ?? "";
    this.status = withoutNodes(workflow.status ?? {});
  }

  tell(change: Change): void {
    this.waiting.push(change);
  }

  /** What a pass should use: what an earlier pass could not save, and all that came since. */
  take(): readonly Change[] {
    this.taken.push(...this.waiting);
    this.waiting = [];
    return this.taken;
  }

  /** The pass is in force: its changes are done with. */
  settle(revision: string, decision: Decision): void {
    this.run.commit(revision);
    this.revision = revision;
    this.status = withFields(this.status, decision.statusFields);
    this.taken = [];
    this.deferredSince = undefined;
    this.rememberPending(decision.changedNodes);
  }

  /** Whether someone else changed the status: then the run has to be opened anew (design 2). */
  isForeign(workflow: Workflow): boolean {
    const { nodes = {}, ...fields } = workflow.status ?? {};
    if (!jsonEqual(jsonView(fields), jsonView(this.status))) return true;
    let known = 0;
    for (const node of this.run.nodes()) {
      known++;
      if (!jsonEqual(jsonView(nodes[node.id]), jsonView(node))) return true;
    }
    return known !== Object.keys(nodes).length;
  }

  /** The pass is void: its changes will be told again. */
  undo(): void {
    this.run.rollback();
  }

  get hasNews(): boolean {
    return this.waiting.length > 0 || this.taken.length > 0;
  }

  private rememberPending(nodes: ReadonlyMap<NodeId, NodeStatus>): void {
    for (const node of nodes.values()) {
      if (node.phase === "Pending") this.savedPending.add(node.id);
      else this.savedPending.delete(node.id);
    }
  }

  /** Whether the attempt was first saved by this process, so that nobody can have created its pod (design law 6). */
  startedHere(node: NodeId): boolean {
    return this.savedPending.has(node);
  }
}

/** Open runs by workflow UID; a workflow that ended or is gone leaves nothing behind. */
export class OpenRuns {
  private readonly byUid = new Map<string, OpenRun>();
  private readonly uidOfKey = new Map<string, string>();

  get(uid: string): OpenRun | undefined {
    return this.byUid.get(uid);
  }

  add(key: string, open: OpenRun): void {
    this.close(key);
    this.byUid.set(open.uid, open);
    this.uidOfKey.set(key, open.uid);
  }

  /** Answers the UID of what was open under that key. */
  close(key: string): string | undefined {
    const uid = this.uidOfKey.get(key);
    if (uid !== undefined) this.byUid.delete(uid);
    this.uidOfKey.delete(key);
    return uid;
  }

  /** The outcome of a node as it stands in the saved workflow; never what is merely decided. */
  savedNode(workflow: Workflow, nodeId: NodeId): NodeStatus | undefined {
    const open = this.byUid.get(workflow.metadata.uid ?? "");
    return open === undefined ? workflow.status?.nodes?.[nodeId] : open.run.node(nodeId);
  }

  get size(): number {
    return this.byUid.size;
  }
}

function withoutNodes(status: WorkflowStatus): StatusFields {
  const { nodes: _, ...fields } = status;
  return fields;
}

function withFields(status: StatusFields, changes: Decision["statusFields"]): StatusFields {
  const merged: Record<string, unknown> = { ...status };
  for (const [field, value] of Object.entries(changes)) {
    if (value === null) delete merged[field];
    else merged[field] = value;
  }
  return merged;
}
