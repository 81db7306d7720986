/** The workflows this process holds open: each with its run of the engine, what it was not yet told, what is not yet saved. */

import type { Change, Decision, Demand, Run } from "../core/engine/contract.js";
import type { NodeId, NodeStatus } from "../core/model/argo/node.js";
import type { Workflow, WorkflowStatus } from "../core/model/argo/workflow.js";
import { currentRunOf, type WorkflowRun } from "../core/podlife/index.js";
import { plain } from "../core/std/plain.js";
import { jsonEqual } from "../kube/patch/equal.js";
import { jsonView } from "./json-view.js";

/** Everything in a status but the nodes, which the run itself keeps. */
export type StatusFields = Omit<WorkflowStatus, "nodes" | "compressedNodes">;

/** How the nodes are saved: what changed of them, or all of them in one compressed text. */
export type NodesForm = "plain" | "compressed";

type Texts = Readonly<Record<string, string | null>>;

/** What was decided since the last save, as one: decisions that start nothing wait for company (decision 9). */
export interface Unsaved {
  /** Nodes that changed, as they are saved; undefined where they are not saved at all. */
  readonly nodesBefore: ReadonlyMap<NodeId, NodeStatus | undefined>;
  /** Status fields as they are decided. */
  readonly status: StatusFields;
  readonly labels: Texts;
  readonly annotations: Texts;
  /** To be carried out once all of this is saved. */
  readonly demands: readonly Demand[];
}

/** One open workflow. What its run decided is not in force before `saved`. */
export class OpenRun {
  readonly uid: string;
  /** Which run of the workflow it is; another one is opened anew. */
  readonly current: WorkflowRun;
  /** resourceVersion of the object that is saved. */
  revision: string;
  nodesForm: NodesForm;
  /** When the first of what is unsaved was decided; milliseconds of the monotonic clock. */
  unsavedSince: number | undefined;
  #waiting: Change[] = [];
  #hasNews = false;
  #savedStatus: StatusFields;
  #status: StatusFields;
  #nodesBefore = new Map<NodeId, NodeStatus | undefined>();
  #labels: Texts = {};
  #annotations: Texts = {};
  #demands: readonly Demand[] = [];
  #decision: Pick<Decision, "wakeAt"> | undefined;
  /** Nodes that this process itself began just now: nobody else can have made their pods, or have ended their workflow. */
  readonly #savedPending = new Set<NodeId>();

  constructor(
    workflow: Workflow,
    readonly run: Run,
  ) {
    this.uid = workflow.metadata.uid ?? "";
    this.current = currentRunOf(workflow);
    this.revision = workflow.metadata.resourceVersion ?? "";
    this.nodesForm = (workflow.status?.compressedNodes ?? "") === "" ? "plain" : "compressed";
    this.#savedStatus = withoutNodes(workflow.status ?? {});
    this.#status = this.#savedStatus;
  }

  tell(change: Change): void {
    this.#waiting.push(change);
    if (!isExpected(change)) this.#hasNews = true;
    const asked = askedAnewFor(change);
    if (asked !== undefined) this.#savedPending.delete(asked);
  }

  /** The last decision, if it would be the same again: nothing was told since, and its time has not come. */
  standing(now: number): Pick<Decision, "wakeAt"> | undefined {
    // Told while the facts of that decision were fetched.
    if (this.hasNews) return undefined;
    const isDue = now >= (this.#decision?.wakeAt ?? Number.POSITIVE_INFINITY);
    return isDue ? undefined : this.#decision;
  }

  /** Whether it was told anything that can decide. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** All that came since the last pass. */
  take(): readonly Change[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#hasNews = false;
    return taken;
  }

  /** A pass broke off before it decided: its changes are told again. */
  giveBack(changes: readonly Change[]): void {
    this.run.rollback();
    this.#decision = undefined;
    this.#waiting = [...changes, ...this.#waiting];
    this.#hasNews = true;
  }

  /** The staged decision stands; it waits to be saved with what was decided before. */
  accept(decision: Decision, monotonicMs: number): void {
    for (const id of decision.changedNodes.keys()) {
      if (!this.#nodesBefore.has(id)) this.#nodesBefore.set(id, this.run.node(id));
    }
    this.run.commit(this.revision);
    this.#decision = { wakeAt: decision.wakeAt };
    this.#status = withFields(this.#status, decision.statusFields);
    this.#labels = { ...this.#labels, ...decision.labels };
    this.#annotations = { ...this.#annotations, ...decision.annotations };
    this.#demands = [...this.#demands, ...decision.demands];
    if (this.hasUnsaved) this.unsavedSince ??= monotonicMs;
  }

  /** Nothing of what was decided can be saved: this is, instead. The run itself stays ahead, and is to be closed. */
  replaceUnsaved({ nodesBefore, status, labels, annotations, demands }: Unsaved): void {
    this.#nodesBefore = new Map(nodesBefore);
    this.#status = status;
    this.#labels = labels;
    this.#annotations = annotations;
    this.#demands = demands;
  }

  get unsaved(): Unsaved {
    return {
      nodesBefore: this.#nodesBefore,
      status: this.#status,
      labels: this.#labels,
      annotations: this.#annotations,
      demands: this.#demands,
    };
  }

  /** Whether anything of the object would be changed by a save. */
  get hasUnsaved(): boolean {
    return (
      this.#nodesBefore.size > 0 ||
      this.#status !== this.#savedStatus ||
      Object.keys(this.#labels).length > 0 ||
      Object.keys(this.#annotations).length > 0
    );
  }

  /** The save succeeded: what was decided is in force. */
  saved(revision: string): void {
    for (const [id, before] of this.#nodesBefore) {
      if (this.run.node(id)?.phase !== "Pending") this.#savedPending.delete(id);
      else if (before === undefined) this.#savedPending.add(id);
    }
    this.revision = revision;
    this.#savedStatus = this.#status;
    this.#nodesBefore = new Map();
    this.#labels = {};
    this.#annotations = {};
    this.unsavedSince = undefined;
  }

  takeDemands(): readonly Demand[] {
    const demands = this.#demands;
    this.#demands = [];
    return demands;
  }

  /** A node as it stands in the saved workflow; never what is merely decided. */
  savedNode(id: NodeId): NodeStatus | undefined {
    return this.#nodesBefore.has(id) ? this.#nodesBefore.get(id) : this.run.node(id);
  }

  get savedStatus(): StatusFields {
    return this.#savedStatus;
  }

  /** Whether someone else changed the status: then the run has to be opened anew (design 2). */
  isForeign(workflow: Workflow): boolean {
    const { nodes = {} } = workflow.status ?? {};
    const fields = withoutNodes(workflow.status ?? {});
    if (!jsonEqual(jsonView(fields), jsonView(this.#savedStatus))) return true;
    let known = 0;
    for (const { id } of this.run.nodes()) {
      const saved = this.savedNode(id);
      if (saved === undefined) continue;
      known++;
      if (!jsonEqual(jsonView(nodes[id]), jsonView(saved))) return true;
    }
    return known !== Object.keys(nodes).length;
  }

  /** Whether the attempt was first saved by this process, so that nobody can have created its pod (design law 6). */
  startedHere(node: NodeId): boolean {
    return this.#savedPending.has(node);
  }
}

/** The engine counts on the pods that it asked for: that one was made tells it nothing before the pod itself is seen. */
function isExpected(change: Change): boolean {
  return (
    change.kind === "outcome" && change.outcome.demand === "create-pod" && change.outcome.result.kind === "created"
  );
}

/**
 * The node whose pod is asked for once more: it may have gone because its workflow has, or been refused for so long that the
 * workflow has gone since. The next one is made only when that has been looked at.
 */
function askedAnewFor(change: Change): NodeId | undefined {
  if (change.kind === "pod-gone") return change.nodeId;
  if (change.kind !== "outcome" || change.outcome.demand !== "create-pod") return undefined;
  return change.outcome.result.kind === "refused-for-now" ? change.outcome.nodeId : undefined;
}

/** Open runs by workflow UID; a workflow that ended or is gone leaves nothing behind. */
export class OpenRuns {
  readonly #byUid = new Map<string, OpenRun>();
  readonly #uidOfKey = new Map<string, string>();

  get(uid: string): OpenRun | undefined {
    return this.#byUid.get(uid);
  }

  add(key: string, open: OpenRun): void {
    this.close(key);
    this.#byUid.set(open.uid, open);
    this.#uidOfKey.set(key, open.uid);
  }

  /** Answers the UID of what was open under that key. */
  close(key: string): string | undefined {
    const uid = this.#uidOfKey.get(key);
    if (uid !== undefined) this.#byUid.delete(uid);
    this.#uidOfKey.delete(key);
    return uid;
  }

  /** The outcome of a node as it stands in the saved workflow. */
  savedNode(workflow: Workflow, nodeId: NodeId): NodeStatus | undefined {
    const open = this.#byUid.get(workflow.metadata.uid ?? "");
    return open === undefined ? workflow.status?.nodes?.[nodeId] : open.savedNode(nodeId);
  }

  get size(): number {
    return this.#byUid.size;
  }
}

function withoutNodes(status: WorkflowStatus): StatusFields {
  const { nodes: _nodes, compressedNodes: _compressed, ...fields } = status;
  return fields;
}

function withFields(status: StatusFields, changes: Decision["statusFields"]): StatusFields {
  if (Object.keys(changes).length === 0) return status;
  const merged: Record<string, unknown> = { ...plain, ...status };
  for (const [field, value] of Object.entries(changes)) {
    if (value === null) delete merged[field];
    else merged[field] = value;
  }
  return merged;
}
