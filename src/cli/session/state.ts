/** What a run session has seen so far of its workflows and their pods. */

import { annotations } from "../../core/model/argo/names.js";
import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { generationIn, retryGenerationOf } from "../../core/podlife/index.js";
import { nodeIdOfPod, podNote } from "../print/pod-note.js";
import { workflowKey } from "../workflow-key.js";
import { type NamedNode, StepNames } from "./step-names.js";

export class RunState {
  readonly #workflows = new Map<string, Workflow>();
  readonly #pods = new Map<string, Pod>();
  readonly #names = new StepNames();
  /** Workflow -> nodes that had ended before this session began. */
  readonly #endedBefore = new Map<string, ReadonlySet<string>>();
  /** In the order they were asked for. */
  readonly #order: readonly string[];

  /** As they were when the session began: freshly created, retried, or left by an owner that died. */
  constructor(begun: readonly Workflow[]) {
    this.#order = begun.map(workflowKey);
    for (const workflow of begun) {
      const ended = Object.values(workflow.status?.nodes ?? {}).filter((node) => node.finishedAt !== undefined);
      this.#endedBefore.set(workflowKey(workflow), new Set(ended.map((node) => node.id)));
    }
  }

  /** The state before, for telling what changed; undefined for a workflow of somebody else. */
  setWorkflow(workflow: Workflow): { readonly before: Workflow | undefined } | undefined {
    const key = workflowKey(workflow);
    if (!this.#order.includes(key)) return undefined;
    const before = this.#workflows.get(key);
    this.#workflows.set(key, workflow);
    return { before };
  }

  setPod(pod: Pod): void {
    this.#pods.set(pod.metadata.uid ?? pod.metadata.name ?? "", pod);
  }

  removePod(pod: Pod): void {
    this.#pods.delete(pod.metadata.uid ?? pod.metadata.name ?? "");
  }

  get workflows(): readonly Workflow[] {
    return this.#order.flatMap((key) => this.#workflows.get(key) ?? []);
  }

  get finished(): boolean {
    const all = this.workflows;
    return all.length === this.#order.length && all.every((workflow) => Boolean(workflow.status?.finishedAt));
  }

  podsOf(workflow: Workflow): readonly Pod[] {
    const uid = workflow.metadata.uid;
    return [...this.#pods.values()].filter((pod) => ownerUid(pod) === uid);
  }

  get pods(): readonly Pod[] {
    return [...this.#pods.values()];
  }

  podNotes(workflow: Workflow): ReadonlyMap<string, string> {
    const notes = new Map<string, string>();
    for (const pod of this.podsOf(workflow)) {
      const nodeId = nodeIdOfPod(pod);
      const note = podNote(pod);
      if (nodeId !== undefined && note !== "") notes.set(nodeId, note);
    }
    return notes;
  }

  /** Pods that take a slot now. */
  get slotsUsed(): number {
    return this.pods.filter((pod) => takesSlot(pod) && !this.#isDaemon(pod)).length;
  }

  #isDaemon(pod: Pod): boolean {
    return this.nodeOf(pod)?.daemoned === true;
  }

  /** Its step belongs to what this session watches: not to an earlier retry, nor to what had ended before. */
  isNew(pod: Pod): boolean {
    const owner = this.ownerOf(pod);
    if (owner === undefined) return false;
    const generation = generationIn(pod.metadata) ?? 0;
    const ended = this.#endedBefore.get(workflowKey(owner));
    return generation === retryGenerationOf(owner) && ended?.has(nodeIdOfPod(pod) ?? "") !== true;
  }

  ownerOf(pod: Pod): Workflow | undefined {
    const uid = ownerUid(pod);
    return this.workflows.find((workflow) => workflow.metadata.uid === uid);
  }

  nodeOf(pod: Pod): NodeStatus | undefined {
    return this.ownerOf(pod)?.status?.nodes?.[nodeIdOfPod(pod) ?? ""];
  }

  /** What a step's lines are labelled with. The pod's event may come before the node's. */
  labelOf(pod: Pod): string {
    const owner = this.ownerOf(pod);
    const name = pod.metadata.annotations?.[annotations.nodeName] ?? pod.metadata.name ?? "";
    if (owner === undefined) return lastPart(name);
    return this.stepLabel(owner, this.nodeOf(pod) ?? { name, displayName: lastPart(name) });
  }

  /** Without the number of its attempt; of a workflow of one step, its template. */
  stepLabel(owner: Workflow, node: NamedNode): string {
    return `${this.#prefixOf(owner)}${this.stepName(owner, node)}`;
  }

  /** The same where its workflow is plain to see. */
  stepName(owner: Workflow, node: NamedNode): string {
    return this.#names.of(owner, node);
  }

  /** `nightly/` where several workflows run at once, or nobody could tell their steps apart. */
  #prefixOf(workflow: Workflow): string {
    if (this.#order.length === 1) return "";
    const name = workflow.metadata.name ?? "";
    const namesakes = this.#order.filter((key) => key.endsWith(`/${name}`));
    return `${namesakes.length > 1 ? workflowKey(workflow) : name}/`;
  }
}

function lastPart(nodeName: string): string {
  return nodeName.split(".").at(-1) ?? nodeName;
}

export function ownerUid(pod: Pod): string | undefined {
  return pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
}

/** The kubelet has let it begin: of a pod that it has not looked at yet nobody knows. */
function takesSlot({ status }: Pod): boolean {
  return status?.startTime !== undefined && (status.phase === "Pending" || status.phase === "Running");
}
