/** What there is beside the engine: pods, task results, claims. What happens to them is to be told by mail. */

import type { Change, Demand, DemandOutcome, TaskResultView } from "../../../src/core/engine/contract.js";
import { annotations } from "../../../src/core/model/argo/names.js";
import type { NodeId, NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Outputs } from "../../../src/core/model/argo/template.js";
import type { Pod, PodStatus } from "../../../src/core/model/kube/pod.js";
import { expectsTaskResult, viewPod } from "../../../src/core/podlife/index.js";
import { rfc3339OfMs } from "../../../src/core/std/time.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { Mail } from "./mail.js";
import { completed } from "./statuses.js";

type CreatePod = Extract<Demand, { readonly kind: "create-pod" }>;
type CreateResult = Extract<DemandOutcome, { readonly demand: "create-pod" }>["result"];

/** How far the executor got with its report. */
export type Report = "completed" | "cut short" | "none";

export class Outside {
  readonly mail = new Mail();
  readonly claims = new Set<string>();
  readonly #pods = new Map<NodeId, Pod>();
  readonly #results = new Map<NodeId, TaskResultView>();
  /** Pods that were told to have ended, or to have gone: what they reported is final soon. */
  readonly #ended = new Map<NodeId, number>();
  readonly #now: () => number;
  #uids = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  pod(id: NodeId): Pod | undefined {
    return this.#pods.get(id);
  }

  pods(): readonly (readonly [NodeId, Pod])[] {
    return [...this.#pods];
  }

  alive(): readonly NodeId[] {
    return this.pods().flatMap(([id, { status }]) => (isOver(status) ? [] : [id]));
  }

  create({ nodeId, pod }: CreatePod): CreateResult {
    const known = this.#pods.get(nodeId);
    if (known !== undefined && generationOf(known) === generationOf(pod)) return { kind: "created" };
    if (known !== undefined) {
      this.remove(nodeId);
      return { kind: "refused-for-now", message: `waits for pod ${pod.metadata.name} of an earlier run` };
    }
    this.#uids++;
    const created = { uid: `pod-${this.#uids}`, resourceVersion: "1", creationTimestamp: rfc3339OfMs(this.#now()) };
    this.#pods.set(nodeId, { ...pod, metadata: { ...pod.metadata, ...created }, status: { phase: "Pending" } });
    // What is left of an earlier run is taken away before (law 2).
    this.#results.delete(nodeId);
    this.#tell(nodeId);
    return { kind: "created" };
  }

  show(id: NodeId, status: PodStatus): void {
    const pod = this.#pods.get(id);
    if (pod === undefined || isOver(pod.status)) return;
    const isPlaced = status.phase !== "Pending";
    const spec = isPlaced ? { ...pod.spec, nodeName: "machine" } : pod.spec;
    this.#pods.set(id, { ...pod, spec, status: completed(status, spec) });
    this.#tell(id);
  }

  /** Told as it was before, and then as it is. */
  tellOld(id: NodeId, status: PodStatus): void {
    const pod = this.#pods.get(id);
    if (pod === undefined) return;
    this.mail.add("pods", { kind: "pod", view: viewPod({ ...pod, status: completed(status, pod.spec) }) });
    this.#tell(id);
  }

  report(id: NodeId, outputs: Outputs | undefined, report: Report): void {
    const pod = this.#pods.get(id);
    if (pod === undefined || report === "none") return;
    const completed = report === "completed";
    const result = { nodeId: id, outputs, progress: undefined, completed, final: completed };
    this.#results.set(id, { ...result, retryGeneration: generationOf(pod) });
    this.mail.add("results", { kind: "task-result", result: { ...result, retryGeneration: generationOf(pod) } });
  }

  terminating(id: NodeId): void {
    const pod = this.#pods.get(id);
    if (pod === undefined) return;
    const metadata = { ...pod.metadata, deletionTimestamp: rfc3339OfMs(this.#now()), deletionGracePeriodSeconds: 30 };
    this.#pods.set(id, { ...pod, metadata });
    this.#tell(id);
  }

  /** The machine under a pod that is going does not answer. */
  loseHost(id: NodeId): void {
    const pod = this.#pods.get(id);
    if (pod?.spec.nodeName === undefined) return;
    this.terminating(id);
    this.mail.add("pods", { kind: "host-lost", nodeId: id, uid: pod.metadata.uid ?? "" });
  }

  remove(id: NodeId): void {
    const pod = this.#pods.get(id);
    if (pod === undefined) return;
    // The deletion is told with the last that was seen.
    this.#tell(id);
    this.#pods.delete(id);
    const { uid = "", creationTimestamp: createdAt } = pod.metadata;
    this.mail.add("pods", { kind: "pod-gone", nodeId: id, uid, retryGeneration: generationOf(pod), createdAt });
  }

  /** Everything there is, as whoever opens the workflow anew is told it. */
  firstLook(nodes: Iterable<NodeStatus>, generation: number): readonly Change[] {
    this.mail.clear();
    this.#ended.clear();
    const results = [...this.#results.values()].map((result): Change => ({ kind: "task-result", result }));
    const pods = [...this.#pods.values()].map((pod): Change => ({ kind: "pod", view: viewPod(pod) }));
    for (const change of pods) this.heard(change, generation);
    for (const { id, type, phase } of nodes)
      if (type === "Pod" && phase === "Running" && !this.#pods.has(id)) this.#ended.set(id, generation);
    return [...results, ...pods, { kind: "observed" }];
  }

  /** The shell looks for the report of a pod that it hears to have ended. */
  heard(change: Change, current: number): void {
    if (change.kind === "pod-gone" && (change.retryGeneration ?? 0) === current)
      this.#ended.set(change.nodeId, current);
    if (change.kind !== "pod" || change.view.retryGeneration !== current) return;
    const { phase, nodeId } = change.view;
    if ((phase === "Succeeded" || phase === "Failed") && expectsTaskResult(change.view))
      this.#ended.set(nodeId, current);
  }

  /** What it found: nothing more will come. */
  finalResults(chance: SeededChance | undefined): readonly Change[] {
    const changes: Change[] = [];
    for (const [nodeId, retryGeneration] of this.#ended) {
      if (chance !== undefined && chance.below(2) === 0) continue;
      this.#ended.delete(nodeId);
      const none = { nodeId, outputs: undefined, progress: undefined, completed: false, retryGeneration };
      const known = this.#results.get(nodeId);
      const result = known?.retryGeneration === retryGeneration ? known : none;
      changes.push({ kind: "task-result", result: { ...result, final: true } });
    }
    return changes;
  }

  get isSilent(): boolean {
    return this.mail.isEmpty && this.#ended.size === 0;
  }

  #tell(id: NodeId): void {
    const pod = this.#pods.get(id);
    if (pod !== undefined) this.mail.add("pods", { kind: "pod", view: viewPod(pod) });
  }
}

export function isOver(status: PodStatus | undefined): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

export function generationOf(pod: Pod): number {
  return Number(pod.metadata.annotations?.[annotations.retryGeneration] ?? 0);
}
