/** The controller's three streams (workflows, pods, task results), and what each of their events puts on which queue. */

import { annotations, labels } from "../core/model/argo/names.js";
import type { Workflow, WorkflowTaskResult } from "../core/model/argo/workflow.js";
import type { KubeObject } from "../core/model/kube/meta.js";
import type { Pod } from "../core/model/kube/pod.js";
import { pods, type ResourceType, workflows, workflowTaskResults } from "../core/model/resources.js";
import { concernsNode, isOfEarlierRun, isSettled, type PodView, significantChange } from "../core/podlife/index.js";
import type { Client, ObjectKey } from "../kube/client.js";
import type { Chance, Clock } from "../kube/clock.js";
import { keyText, keyTextOf } from "../kube/key.js";
import { Overlay } from "../kube/overlay.js";
import { jsonEqual } from "../kube/patch/equal.js";
import { recordingWrites } from "../kube/recording-client.js";
import { type Change, Reflector, type ReflectorObserver } from "../kube/reflector.js";
import { ownerUids } from "../kube/store.js";
import type { Caches } from "./caches.js";
import { controllerUid } from "./carry-out.js";
import { jsonView } from "./json-view.js";
import { podChanges, viewTaskResult } from "./observe.js";
import type { OpenRun, OpenRuns } from "./open-runs.js";
import { viewOf } from "./pod-views.js";
import { withNodes } from "./stored-nodes.js";
import type { TaskResultReader } from "./task-results.js";

export interface WatchOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Left out: all namespaces. */
  readonly namespace?: string;
  readonly observer?: ReflectorObserver;
}

/** Where news goes. */
export interface Inbox {
  readonly runs: OpenRuns;
  readonly results: TaskResultReader;
  /** The key, `namespace/name`, of a workflow that changed. */
  workflow(key: string): void;
  /** The key of a workflow that has news of its pods or task results. */
  news(key: string, urgency: Urgency): void;
  /** A pod's UID. */
  pod(uid: string, urgency: Urgency): void;
}

/** "idle": nobody waits for it; it may come a moment later, together with what follows. */
export type Urgency = "now" | "idle";

type PodIndex = "owner" | "node";

/** Keeps the caches and answers questions about them. */
export class ControllerWatch implements Caches {
  readonly #workflows: Reflector<Workflow>;
  readonly #pods: Reflector<Pod, PodIndex>;
  readonly #results: Reflector<WorkflowTaskResult, "owner">;
  readonly #overlay = new Overlay();
  /** The API, with each write remembered until the streams show it. */
  readonly client: Client;

  constructor(options: WatchOptions) {
    const { client, clock, chance, namespace, observer } = options;
    const common = {
      client,
      clock,
      chance,
      ...(namespace !== undefined && { namespace }),
      ...(observer && { observer }),
    };
    this.#workflows = new Reflector<Workflow>({ ...common, type: workflows, strip: withNodes });
    // No label selector: pods are ours by owner UID, whatever became of their labels (design 4).
    this.#pods = new Reflector<Pod, PodIndex>({
      ...common,
      type: pods,
      indexes: { owner: ownerUids, node: nodeOfPod },
    });
    this.#results = new Reflector<WorkflowTaskResult, "owner">({
      ...common,
      type: workflowTaskResults,
      indexes: { owner: ownerUids },
    });
    this.client = recordingWrites(client, this.#overlay);
    for (const stream of [this.#workflows, this.#pods, this.#results]) this.#overlay.follow(stream);
  }

  /** Runs the streams until `signal` aborts; `inbox` hears of everything from the first list on. */
  async run(inbox: Inbox, signal: AbortSignal): Promise<void> {
    this.#overlay.onCurrent(({ type, key, uid, isAwaited }) => {
      if (type === workflows && isAwaited) inbox.workflow(key);
      if (type === pods) inbox.pod(uid, isAwaited ? "now" : "idle");
    });
    this.#workflows.addHandler({ changed: (change) => this.#workflowChanged(change, inbox) });
    this.#results.addHandler({ changed: (change) => this.#resultChanged(change, inbox) });
    this.#pods.addHandler({ changed: (change) => this.#podChanged(change, inbox) });
    await Promise.all([this.#workflows.run(signal), this.#pods.run(signal), this.#results.run(signal)]);
  }

  /** True once all three lists are in: nothing is decided before (design law 6). */
  async synced(): Promise<boolean> {
    const synced = await Promise.all([this.#workflows.synced, this.#pods.synced, this.#results.synced]);
    return synced.every(Boolean);
  }

  workflow(key: ObjectKey): Workflow | undefined {
    return this.#workflows.store.get(keyText(key));
  }

  podsOf(workflowUid: string): readonly Pod[] {
    return this.#pods.store.byIndex("owner", workflowUid).filter((pod) => controllerUid(pod) === workflowUid);
  }

  podsOfNode(workflowUid: string, nodeId: string): readonly Pod[] {
    return this.#pods.store.byIndex("node", `${workflowUid}/${nodeId}`);
  }

  pod(uid: string): Pod | undefined {
    return this.#pods.store.getByUid(uid);
  }

  taskResultsOf(workflowUid: string): readonly WorkflowTaskResult[] {
    return this.#results.store.byIndex("owner", workflowUid);
  }

  taskResult(workflowUid: string, nodeId: string): WorkflowTaskResult | undefined {
    const namespace = this.#namespaceOf(workflowUid);
    const result = this.#results.store.get(keyText({ name: nodeId, ...(namespace !== undefined && { namespace }) }));
    return result !== undefined && ownerUids(result).includes(workflowUid) ? result : undefined;
  }

  /** Objects in the caches: as many as there are. */
  get cached(): number {
    return this.#workflows.store.size + this.#pods.store.size + this.#results.store.size;
  }

  /** Writes of our own that the streams have not shown yet. */
  get unseen(): number {
    return this.#overlay.size;
  }

  isCurrent(type: ResourceType, object: KubeObject): boolean {
    return this.#overlay.isCurrent(type, object.metadata.uid ?? "");
  }

  awaitView(type: ResourceType, object: KubeObject): void {
    this.#overlay.wrote(type, object);
  }

  #namespaceOf(workflowUid: string): string | undefined {
    return this.#workflows.store.getByUid(workflowUid)?.metadata.namespace;
  }

  #workflowChanged(change: Change<Workflow>, inbox: Inbox): void {
    const isOurs =
      inbox.runs.get(change.object.metadata.uid ?? "")?.revision === change.object.metadata.resourceVersion;
    // Our own save tells nothing to who made it.
    if (change.type === "deleted" || !isOurs) inbox.workflow(keyTextOf(change.object));
    if (!changesFate(change)) return;
    for (const pod of this.podsOf(change.object.metadata.uid ?? "")) inbox.pod(pod.metadata.uid ?? "", "now");
  }

  #resultChanged(change: Change<WorkflowTaskResult>, inbox: Inbox): void {
    if (change.type === "deleted") return;
    const [ownerUid = ""] = ownerUids(change.object);
    const owner = this.#workflows.store.getByUid(ownerUid);
    if (owner === undefined) return;
    inbox.runs.get(ownerUid)?.tell({ kind: "task-result", result: viewTaskResult(change.object, "open") });
    inbox.news(keyTextOf(owner), "now");
  }

  #podChanged(change: Change<Pod>, inbox: Inbox): void {
    const view = viewOf(change.object);
    const previous = change.type === "updated" ? viewOf(change.previous) : undefined;
    if (previous !== undefined && !significantChange(previous, view)) return;
    const isOfConcern = previous === undefined || concernsNode(previous, view);
    if (isOfConcern && view.ownerUid !== undefined) this.#tellOwner(change, view, { inbox, ownerUid: view.ownerUid });
    inbox.pod(view.uid, urgencyOf(change, view));
  }

  /** Before the pod's own turn: what follows its end begins with its workflow. */
  #tellOwner(
    change: Change<Pod>,
    view: PodView,
    { inbox, ownerUid }: { readonly inbox: Inbox; readonly ownerUid: string },
  ): void {
    const open = inbox.runs.get(ownerUid);
    if (open !== undefined) tellPod(change, view, { open, results: inbox.results, ownerUid });
    const owner = this.#workflows.store.getByUid(ownerUid);
    if (owner !== undefined) inbox.news(keyTextOf(owner), urgencyOf(change, view));
  }
}

/** A pod that is as it was asked for decides nothing yet. */
function urgencyOf(change: Change<Pod>, { phase, deletionTimestamp }: PodView): Urgency {
  return change.type === "added" && phase === "Pending" && deletionTimestamp === undefined ? "idle" : "now";
}

/** Only an open run is told: one that is opened later looks at everything there is (and nothing is kept for others). */
function tellPod(
  change: Change<Pod>,
  view: PodView,
  {
    open,
    results,
    ownerUid,
  }: { readonly open: OpenRun; readonly results: TaskResultReader; readonly ownerUid: string },
): void {
  const node = open.run.node(view.nodeId);
  const isAwaited = !isOfEarlierRun(view, open.current) && (node === undefined || !isSettled(node));
  if (isAwaited) results.sawPod(ownerUid, view);
  if (isAwaited && change.type === "deleted") results.podGone(ownerUid, view);
  for (const told of podChanges(change.type, view)) open.tell(told);
}

/** Whether the workflow's change can decide otherwise about all of its pods; outcomes of single nodes are told apart. */
function changesFate(change: Change<Workflow>): boolean {
  if (change.type !== "updated") return true;
  const { object, previous } = change;
  return (
    object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    object.metadata.labels?.[labels.completed] !== previous.metadata.labels?.[labels.completed] ||
    object.metadata.annotations?.[annotations.retryGeneration] !==
      previous.metadata.annotations?.[annotations.retryGeneration] ||
    !jsonEqual(jsonView(object.spec), jsonView(previous.spec))
  );
}

function nodeOfPod(pod: Pod): readonly string[] {
  const { ownerUid, nodeId } = viewOf(pod);
  return ownerUid === undefined ? [] : [`${ownerUid}/${nodeId}`];
}
