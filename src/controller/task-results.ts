/**
 * When a task result is final (design 4): complete, or read by a live read made after its pod was seen terminal; for a
 * pod that is gone a bounded wait, then the same read. One rule, for every cause.
 */

import type { TaskResultView } from "../core/engine/contract.js";
import type { Workflow, WorkflowTaskResult } from "../core/model/argo/workflow.js";
import { isPodOver } from "../core/model/kube/pod-phase.js";
import { workflowTaskResults } from "../core/model/resources.js";
import { currentRunOf, expectsTaskResult, isOfEarlierRun, type PodView } from "../core/podlife/index.js";
import type { Client } from "../kube/client.js";
import type { Clock } from "../kube/clock.js";
import { isNotFound } from "../kube/errors.js";
import type { Caches } from "./caches.js";
import { noTaskResult, viewTaskResult } from "./observe.js";
import type { OpenRun } from "./open-runs.js";
import { viewOf } from "./pod-views.js";

/** How long an executor that outlived its pod may still report. */
const GONE_WAIT_MS = 10_000;

interface Ended {
  readonly nodeId: string;
  /** The pod's; of one that nobody saw the workflow's. */
  readonly retryGeneration: number | undefined;
  /** Likewise. */
  readonly createdAt: string | undefined;
  readonly namespace: string;
  /** Monotonic time from which no more is waited for; pods seen terminal are not waited for at all. */
  readonly until: number;
}

interface Settled {
  readonly pod: Ended;
  readonly view: TaskResultView;
}

export class TaskResultReader {
  private readonly ended = new Map<string, Map<string, Ended>>();

  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
    private readonly caches: Caches,
  ) {}

  /** A pod is gone: its result may still come, for a while. */
  podGone(workflowUid: string, pod: Pick<PodView, "nodeId" | "namespace" | "retryGeneration" | "createdAt">): void {
    const { nodeId, namespace, retryGeneration, createdAt } = pod;
    const known = this.ended.get(workflowUid)?.has(nodeId) ?? false;
    const until = this.clock.monotonic() + GONE_WAIT_MS;
    if (!known) this.add(workflowUid, { nodeId, namespace, retryGeneration, createdAt, until });
  }

  /** At the first look: which pods have ended, and which have gone while nobody looked. */
  firstLook(workflow: Workflow): void {
    const { uid = "", namespace = "" } = workflow.metadata;
    const current = currentRunOf(workflow);
    const pods = this.caches
      .podsOf(uid)
      .map(viewOf)
      .filter((view) => !isOfEarlierRun(view, current));
    for (const view of pods) this.sawPod(uid, view);
    const seen = new Set(pods.map((view) => view.nodeId));
    for (const node of Object.values(workflow.status?.nodes ?? {})) {
      if (node.type !== "Pod" || node.phase !== "Running" || seen.has(node.id)) continue;
      const { retryGeneration, startedAt: createdAt } = current;
      this.podGone(uid, { nodeId: node.id, namespace, retryGeneration, createdAt });
    }
  }

  /** A pod as it was seen: once it is terminal, its result is asked for. */
  sawPod(workflowUid: string, view: PodView): void {
    if (isPodOver(view.phase) && expectsTaskResult(view)) this.podEnded(workflowUid, view);
  }

  /** Tells the run each result that has become final; answers when to look again, in milliseconds from now. */
  async settle(open: OpenRun): Promise<number | undefined> {
    const ended = this.ended.get(open.uid);
    if (ended === undefined) return undefined;
    const settled = await Promise.all([...ended.values()].map((pod) => this.finalResult(open.uid, pod)));
    for (const result of settled) {
      if (result === undefined) continue;
      open.tell({ kind: "task-result", result: result.view });
      // Meanwhile a newer pod of the node may have ended: its result is still to come.
      if (ended.get(result.pod.nodeId) === result.pod) ended.delete(result.pod.nodeId);
    }
    if (ended.size === 0) this.ended.delete(open.uid);
    return this.nextLook(open.uid);
  }

  /** Nothing is kept for a workflow that is gone or done. */
  forget(workflowUid: string): void {
    this.ended.delete(workflowUid);
  }

  private podEnded(workflowUid: string, { nodeId, namespace, retryGeneration, createdAt }: PodView): void {
    this.add(workflowUid, { nodeId, namespace, retryGeneration, createdAt, until: this.clock.monotonic() });
  }

  private add(workflowUid: string, ended: Ended): void {
    const pods = this.ended.get(workflowUid) ?? new Map<string, Ended>();
    pods.set(ended.nodeId, ended);
    this.ended.set(workflowUid, pods);
  }

  /** Workflows of which anything is waited for. */
  get size(): number {
    return this.ended.size;
  }

  private async finalResult(workflowUid: string, pod: Ended): Promise<Settled | undefined> {
    const view = await this.finalView(workflowUid, pod);
    return view && { pod, view };
  }

  private async finalView(workflowUid: string, pod: Ended): Promise<TaskResultView | undefined> {
    const cached = this.caches.taskResult(workflowUid, pod.nodeId);
    if (cached !== undefined && isCompletedBy(cached, pod)) return viewTaskResult(cached, "final");
    // A report that still comes is told by its stream.
    if (this.clock.monotonic() < pod.until) return undefined;
    const live = await this.read(workflowUid, pod);
    const isOurs = live !== undefined && !isEarlier(live, pod);
    return isOurs ? viewTaskResult(live, "final") : noTaskResult(pod.nodeId, pod.retryGeneration);
  }

  private async read(workflowUid: string, pod: Ended): Promise<WorkflowTaskResult | undefined> {
    try {
      const result = await this.client.get<WorkflowTaskResult>(workflowTaskResults, {
        namespace: pod.namespace,
        name: pod.nodeId,
      });
      const ours = result.metadata.ownerReferences?.some((owner) => owner.uid === workflowUid) ?? false;
      return ours ? result : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private nextLook(workflowUid: string): number | undefined {
    const waiting = [...(this.ended.get(workflowUid)?.values() ?? [])].map((pod) => pod.until - this.clock.monotonic());
    return waiting.length === 0 ? undefined : Math.max(0, Math.min(...waiting));
  }
}

function isCompletedBy(result: WorkflowTaskResult, pod: Ended): boolean {
  return viewTaskResult(result, "open").completed && !isEarlier(result, pod);
}

/** A result of an earlier run of the node may still be in the cache when the pod of this one has ended. */
function isEarlier(result: WorkflowTaskResult, pod: Ended): boolean {
  const { retryGeneration = 0, createdAt: startedAt } = pod;
  return isOfEarlierRun(viewTaskResult(result, "open"), { retryGeneration, startedAt });
}
