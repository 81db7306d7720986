/** What becomes of a case's pods, seen at the API server in the order of its commits, and what must never be seen. */

import { annotations, labels, podFinalizer } from "../../src/core/model/argo/names.js";
import type { NodeStatus } from "../../src/core/model/argo/node.js";
import type { Workflow } from "../../src/core/model/argo/workflow.js";
import type { KubeObject } from "../../src/core/model/kube/meta.js";
import type { Pod } from "../../src/core/model/kube/pod.js";
import { pods, workflows } from "../../src/core/model/resources.js";
import { dispositionOf, gatherFacts, type OwnerSighting, viewPod } from "../../src/core/podlife/index.js";
import type { LifecycleCluster } from "./world/cluster.js";

export interface SeenPod {
  readonly uid: string;
  readonly pod: string;
  /** Name of its node; undefined: not a pod of the workflow. */
  readonly node: string | undefined;
  /** Seconds after the workflow was posted, as all times. */
  readonly createdAt: number;
  final: string;
  finalAt: number | undefined;
  labelledCompleted: boolean;
  hasFinalizer: boolean;
  deletedAt: number | undefined;
  exits: Readonly<Record<string, string>>;
  last: Pod;
}

const settled: readonly (string | undefined)[] = ["Succeeded", "Failed", "Error", "Skipped", "Omitted"];
const PODGC_DELAY_MS = 5000;

export class Observer {
  readonly pods: SeenPod[] = [];
  /** Freed before saved, started twice. */
  readonly broken: string[] = [];
  workflow: Workflow | undefined;
  workflowGoneAt: number | undefined;
  doneAt: number | undefined;
  #startsSeen = 0;
  readonly #podOfAttempt = new Map<string, string>();
  readonly #containers = new Set<string>();

  constructor(
    private readonly cluster: LifecycleCluster,
    private readonly postedAtMs: number,
  ) {}

  /** To be called after each step. */
  look(): void {
    for (const { type, before, after } of this.cluster.truth.take()) {
      if (type === workflows) this.#workflow(after as Workflow | undefined);
      if (type === pods) this.#pod(before as Pod | undefined, after as Pod | undefined);
    }
    const { starts } = this.cluster.machine;
    for (; this.#startsSeen < starts.length; this.#startsSeen++) this.#started(this.#startsSeen);
  }

  /** What stands in the way of rest; empty at rest. */
  unrest(): readonly string[] {
    const { truth, machine } = this.cluster;
    const present = new Set(truth.pods().map(({ metadata }) => metadata.uid));
    const left = machine.running().filter((uid) => !present.has(uid));
    return [
      ...truth.workflows().flatMap((workflow) => this.#openWorkflow(workflow)),
      ...truth.pods().flatMap((pod) => this.#openPod(pod)),
      ...left.map((uid) => `containers of pod ${uid} run without it`),
    ];
  }

  get #seconds(): number {
    return (this.cluster.clock.monotonic() - this.postedAtMs) / 1000;
  }

  #workflow(after: Workflow | undefined): void {
    if (after === undefined) {
      this.workflowGoneAt = this.#seconds;
      return;
    }
    this.workflow = after;
    const isDone = after.status?.finishedAt !== undefined;
    this.doneAt = isDone ? (this.doneAt ?? this.#seconds) : undefined;
  }

  #pod(before: Pod | undefined, after: Pod | undefined): void {
    const now = after ?? before;
    if (now === undefined) return;
    const seen = this.#seen(now);
    seen.last = now;
    seen.hasFinalizer = now.metadata.finalizers?.includes(podFinalizer) ?? false;
    seen.labelledCompleted = now.metadata.labels?.[labels.completed] === "true";
    seen.final = now.status?.phase ?? "Pending";
    if (seen.final === "Succeeded" || seen.final === "Failed") seen.finalAt ??= this.#seconds;
    seen.exits = exitsOf(now);
    if (after === undefined) seen.deletedAt = this.#seconds;
    const wasOurs = before?.metadata.finalizers?.includes(podFinalizer) ?? false;
    if (before !== undefined && wasOurs && (after === undefined || !seen.hasFinalizer)) this.#freed(before);
  }

  #seen(pod: Pod): SeenPod {
    const { uid = "", name = "" } = pod.metadata;
    const known = this.pods.find((one) => one.uid === uid);
    if (known !== undefined) return known;
    const made: SeenPod = {
      uid,
      pod: name,
      node: pod.metadata.annotations?.[annotations.nodeName],
      createdAt: this.#seconds,
      final: "Pending",
      finalAt: undefined,
      labelledCompleted: false,
      hasFinalizer: false,
      deletedAt: undefined,
      exits: {},
      last: pod,
    };
    this.pods.push(made);
    return made;
  }

  /** A pod that ran is let go only when it has ended and its end is saved (or nobody is left to save it). */
  #freed(pod: Pod): void {
    const view = viewPod(pod);
    const hasStarted = this.cluster.machine.starts.some((start) => start.pod.metadata.uid === view.uid);
    if (!hasStarted) return;
    if (view.phase !== "Succeeded" && view.phase !== "Failed") {
      this.broken.push(`pod ${view.name} was freed while it was ${view.phase}`);
      return;
    }
    const workflow = this.cluster.truth.workflows().find(({ metadata }) => metadata.uid === view.ownerUid);
    const isUnderWay = workflow !== undefined && workflow.metadata.deletionTimestamp === undefined;
    const node: NodeStatus | undefined = workflow?.status?.nodes?.[view.nodeId];
    if (!isUnderWay || node === undefined || settled.includes(workflow.status?.phase)) return;
    if (generationOf(pod) < generationOf(workflow)) return;
    if (!settled.includes(node.phase)) this.broken.push(`pod ${view.name} was freed, its node was ${node.phase}`);
  }

  #started(index: number): void {
    const start = this.cluster.machine.starts[index];
    if (start === undefined) return;
    const { pod, container, restartCount } = start;
    const { uid = "", name = "" } = pod.metadata;
    const one = `${uid}/${container.name}/${restartCount}`;
    if (this.#containers.has(one)) this.broken.push(`container ${container.name} of pod ${name} started twice`);
    this.#containers.add(one);
    const { ownerUid, nodeId } = viewPod(pod);
    if (ownerUid === undefined || !pod.spec.containers.includes(container)) return;
    const attempt = `${ownerUid}/${generationOf(pod)}/${nodeId}`;
    const before = this.#podOfAttempt.get(attempt);
    if (before !== undefined && before !== uid) this.broken.push(`main of node ${nodeId} started in two pods`);
    this.#podOfAttempt.set(attempt, uid);
  }

  #openWorkflow(workflow: Workflow): readonly string[] {
    const { name, deletionTimestamp } = workflow.metadata;
    if (deletionTimestamp !== undefined) return [`workflow ${name} is still being deleted`];
    if (workflow.metadata.labels?.[labels.completed] === "true") return [];
    const waits = this.cluster.truth.pods().some((pod) => isUnbound(pod));
    // What no machine will take waits for one: that is asked for.
    return waits ? [] : [`workflow ${name} is ${workflow.status?.phase ?? "new"}: ${workflow.status?.message ?? ""}`];
  }

  #openPod(pod: Pod): readonly string[] {
    const view = viewPod(pod);
    const hasEnded = view.phase === "Succeeded" || view.phase === "Failed";
    if (hasEnded && view.finalizers.includes(podFinalizer)) return [`pod ${view.name} has ended, and is not freed`];
    if (view.deletionTimestamp !== undefined) return [`pod ${view.name} is still being deleted`];
    const workflow = this.cluster.truth.workflows().find(({ metadata }) => metadata.uid === view.ownerUid);
    const sighting: OwnerSighting = workflow === undefined ? { kind: "gone" } : { kind: "seen", workflow };
    const wanted = dispositionOf(
      gatherFacts(view, {
        sighting,
        node: workflow?.status?.nodes?.[view.nodeId],
        template: undefined,
        hostLost: false,
        podGCDelayMs: PODGC_DELAY_MS,
        now: this.cluster.clock.now(),
      }),
    );
    const isRepaired = wanted.kind === "keep" && Object.keys(wanted.repair).length === 0;
    return isRepaired ? [] : [`pod ${view.name} should be: ${wanted.kind} (${wanted.row})`];
  }
}

function isUnbound({ spec, status }: Pod): boolean {
  return spec.nodeName === undefined && (status?.phase ?? "Pending") === "Pending";
}

function generationOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.[annotations.retryGeneration] ?? "0");
}

/** By container: `143:Error`. */
function exitsOf({ status }: Pod): Readonly<Record<string, string>> {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return Object.fromEntries(
    all.flatMap(({ name, state }) => {
      const { terminated } = state ?? {};
      return terminated === undefined ? [] : [[name, `${terminated.exitCode}:${terminated.reason ?? ""}`]];
    }),
  );
}
