/** What a run session has seen so far of its workflows and their pods. */

import { annotations } from "../../core/model/argo/names.js";
import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { nodeIdOfPod, podNote, waitsForSlot } from "../print/pod-note.js";

export class RunState {
  readonly #workflows = new Map<string, Workflow>();
  readonly #pods = new Map<string, Pod>();
  /** In the order they were asked for. */
  readonly #order: readonly string[];

  constructor(names: readonly string[]) {
    this.#order = names;
  }

  /** The state before, for telling what changed; undefined for a workflow of somebody else. */
  setWorkflow(workflow: Workflow): { readonly before: Workflow | undefined } | undefined {
    const name = workflow.metadata.name ?? "";
    if (!this.#order.includes(name)) return undefined;
    const before = this.#workflows.get(name);
    this.#workflows.set(name, workflow);
    return { before };
  }

  setPod(pod: Pod): void {
    this.#pods.set(pod.metadata.uid ?? pod.metadata.name ?? "", pod);
  }

  removePod(pod: Pod): void {
    this.#pods.delete(pod.metadata.uid ?? pod.metadata.name ?? "");
  }

  get workflows(): readonly Workflow[] {
    return this.#order.flatMap((name) => this.#workflows.get(name) ?? []);
  }

  workflow(name: string): Workflow | undefined {
    return this.#workflows.get(name);
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

  ownerOf(pod: Pod): Workflow | undefined {
    const uid = ownerUid(pod);
    return this.workflows.find((workflow) => workflow.metadata.uid === uid);
  }

  nodeOf(pod: Pod): NodeStatus | undefined {
    return this.ownerOf(pod)?.status?.nodes?.[nodeIdOfPod(pod) ?? ""];
  }

  /**
   * What a step's lines are labelled with: the name people know it by, without the number of its attempt; of a workflow
   * of one step, its template. The pod's event may come before the node's.
   */
  labelOf(pod: Pod): string {
    const owner = this.ownerOf(pod);
    const nodeName = pod.metadata.annotations?.[annotations.nodeName] ?? "";
    if (owner !== undefined && nodeName.replace(/\(\d+\)$/, "") === owner.metadata.name) {
      return (owner.status?.storedWorkflowTemplateSpec ?? owner.spec).entrypoint ?? nodeName;
    }
    const name = this.nodeOf(pod)?.displayName ?? lastPart(nodeName);
    return name.replace(/\(\d+\)$/, "") || (pod.metadata.name ?? "");
  }
}

function lastPart(nodeName: string): string {
  return nodeName.split(".").at(-1) ?? nodeName;
}

export function ownerUid(pod: Pod): string | undefined {
  return pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
}

function takesSlot(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return (phase === "Pending" || phase === "Running") && !waitsForSlot(pod);
}
