/** What was seen of the world so far: pods, task results, and what became of demands. Facts, so a rollback keeps them. */

import type { NodeId } from "../model/argo/node.js";
import { isOfEarlierRun, isRatherOf, type PodView, type WorkflowRun } from "../podlife/index.js";
import type { Change, CreateResult, Demand, DemandOutcome, TaskResultView } from "./contract.js";

/** How far a demand to create something got; none of this is saved, the world is asked again after a restart. */
export type CreateState =
  | { readonly kind: "asked"; readonly times?: number }
  | { readonly kind: "created" }
  | { readonly kind: "refused-for-now"; readonly message: string; readonly retryAt: number; readonly times: number }
  | { readonly kind: "refused"; readonly message: string };

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export class Observations {
  /** Of those that are gone too, if they had begun: how they ended, or that they ran. */
  readonly pods = new Map<NodeId, PodView>();
  readonly results = new Map<NodeId, TaskResultView>();
  /** Nodes whose pod is proven gone, by the UID that it had. */
  readonly gone = new Map<NodeId, string>();
  /** UIDs of pods whose machine is lost; they are so, too, when somebody removes them afterwards. */
  readonly hostsLost = new Set<string>();
  /** How often the pod of a node has gone before a machine took it. */
  private readonly losses = new Map<NodeId, number>();
  readonly podCreates = new Map<NodeId, CreateState>();
  readonly claimCreates = new Map<string, CreateState>();
  /** Claims whose deletion was asked for; one that was refused is not among them. */
  readonly claimDeletes = new Set<string>();
  readonly claimsGone = new Set<string>();
  /** Whose pod or task result changed since the last commit. */
  readonly news = new Set<NodeId>();
  /** All pods and task results there are were told. */
  isComplete = false;

  /** `current`: what is left of earlier runs says nothing of it (design law 2). */
  constructor(private readonly current: WorkflowRun) {}

  /** False for what tells nothing new. */
  take(change: Change, now: number): boolean {
    switch (change.kind) {
      case "pod":
        return this.takePod(change.view);
      case "pod-gone":
        return isOfEarlierRun(change, this.current) ? this.freeName(change.nodeId) : this.takeGone(change, now);
      case "host-lost":
        return this.takeHostLost(change);
      case "task-result":
        if (isOfEarlierRun(change.result, this.current)) return false;
        this.results.set(change.result.nodeId, change.result);
        this.news.add(change.result.nodeId);
        return true;
      case "outcome":
        return this.takeOutcome(change.outcome, now);
      case "observed": {
        const isNew = !this.isComplete;
        this.isComplete = true;
        return isNew;
      }
      case "workflow":
        return true;
    }
  }

  /** The decision is taken over: its demands go out once it is saved. */
  asked(demands: Iterable<Demand>): void {
    for (const demand of demands) {
      if (demand.kind === "create-pod") {
        this.podCreates.set(demand.nodeId, askedAfter(this.podCreates.get(demand.nodeId)));
        // What is said of it from now on is of the new pod.
        this.hostsLost.delete(this.pods.get(demand.nodeId)?.uid ?? this.gone.get(demand.nodeId) ?? "");
        this.gone.delete(demand.nodeId);
        this.pods.delete(demand.nodeId);
      } else if (demand.kind === "create-pvc") {
        const name = demand.claim.metadata.name ?? "";
        this.claimCreates.set(name, askedAfter(this.claimCreates.get(name)));
      } else this.claimDeletes.add(demand.name);
    }
    this.news.clear();
  }

  private takePod(view: PodView): boolean {
    if (isOfEarlierRun(view, this.current)) return false;
    const { nodeId } = view;
    const known = this.pods.get(nodeId);
    const gone = this.gone.get(nodeId);
    if (gone === view.uid) return false;
    const isRival = known !== undefined && known.uid !== view.uid && known.uid !== gone;
    if (isRival && !isRatherOf(view, known)) return false;
    this.pods.set(nodeId, view);
    this.gone.delete(nodeId);
    if (view.hostNodeName !== undefined) this.losses.delete(nodeId);
    this.podCreates.set(nodeId, { kind: "created" });
    this.news.add(nodeId);
    return true;
  }

  private takeHostLost({ nodeId, uid }: Extract<Change, { kind: "host-lost" }>): boolean {
    if (this.hostsLost.has(uid) || this.pods.get(nodeId)?.uid !== uid) return false;
    this.hostsLost.add(uid);
    this.news.add(nodeId);
    return true;
  }

  /** A pod of an earlier run is gone: if the new one waited for its name, it need not any more. */
  private freeName(nodeId: NodeId): boolean {
    if (this.podCreates.get(nodeId)?.kind !== "refused-for-now") return false;
    this.podCreates.delete(nodeId);
    this.news.add(nodeId);
    return true;
  }

  private takeGone({ nodeId, uid }: Extract<Change, { kind: "pod-gone" }>, now: number): boolean {
    const known = this.pods.get(nodeId);
    if (known !== undefined && known.uid !== uid) return false;
    if (known?.phase === "Pending") this.pods.delete(nodeId);
    if (this.gone.get(nodeId) !== uid) this.takeLoss(nodeId, now);
    this.gone.set(nodeId, uid);
    this.news.add(nodeId);
    return true;
  }

  /**
   * The first time the next pod may be made at once. Whoever lets them go again and again (someone who cleans up, the API
   * that knows of an end of the workflow which we have still to see) is not answered without pause. The node does not say
   * so: a run opened anew could not.
   */
  private takeLoss(nodeId: NodeId, now: number): void {
    const times = (this.losses.get(nodeId) ?? 0) + 1;
    this.losses.set(nodeId, times);
    if (times === 1) this.podCreates.delete(nodeId);
    else this.podCreates.set(nodeId, refusedAfter(times - 1, "", now));
  }

  private takeOutcome(outcome: DemandOutcome, now: number): boolean {
    if (outcome.demand === "create-pvc") {
      this.claimCreates.set(outcome.name, next(this.claimCreates.get(outcome.name), outcome.result, now));
      return true;
    }
    if (outcome.demand === "delete-pvc") {
      if (outcome.result.kind === "gone") this.claimsGone.add(outcome.name);
      else this.claimDeletes.delete(outcome.name);
      return true;
    }
    const known = this.podCreates.get(outcome.nodeId);
    // The pod itself may have been seen before the answer to its creation.
    if (known?.kind === "created" || this.gone.has(outcome.nodeId)) return false;
    this.podCreates.set(outcome.nodeId, next(known, outcome.result, now));
    this.news.add(outcome.nodeId);
    return true;
  }
}

function askedAfter(known: CreateState | undefined): CreateState {
  return known?.kind === "refused-for-now" ? { kind: "asked", times: known.times } : { kind: "asked" };
}

function next(known: CreateState | undefined, result: CreateResult, now: number): CreateState {
  if (result.kind !== "refused-for-now") return result;
  const times = known?.kind === "asked" || known?.kind === "refused-for-now" ? (known.times ?? 0) + 1 : 1;
  return refusedAfter(times, result.message, now);
}

function refusedAfter(times: number, message: string, now: number): CreateState {
  const wait = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(times - 1, 10));
  return { kind: "refused-for-now", message, retryAt: now + wait, times };
}
