/** What a play came to, as facts that another play of the same sample must share: named, each one text. */

import { labels } from "../../../src/core/model/argo/names.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { persistentVolumeClaims, workflowTaskResults } from "../../../src/core/model/resources.js";
import type { World } from "../world/world.js";

export class Ending {
  readonly facts = new Map<string, string>();
  readonly #world: World;
  readonly #pods = new Map<string, Pod>();
  #workflow: Workflow | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** The workflow's last phase. */
  get phase(): string {
    return this.#workflow?.status?.phase ?? "";
  }

  get isGone(): boolean {
    return this.#world.truth.workflows().length === 0;
  }

  /** After each step: what is deleted in the end is known as it was last. */
  look(): void {
    const { truth } = this.#world;
    for (const workflow of truth.workflows()) this.#workflow = workflow;
    for (const pod of truth.pods()) this.#pods.set(pod.metadata.uid ?? "", pod);
  }

  /** Rejects while the server is down. */
  async close(): Promise<void> {
    this.look();
    const { truth } = this.#world;
    if (this.#workflow !== undefined) this.#addWorkflow(this.#workflow);
    this.#add("workflow at the end", this.isGone ? "gone" : "there");
    for (const pod of this.#pods.values()) this.#addPod(pod);
    for (const pod of truth.pods())
      this.#add(`pod ${pod.metadata.name} at the end`, {
        finalizers: pod.metadata.finalizers,
        labels: pod.metadata.labels,
      });
    this.#addStarts();
    for (const type of [persistentVolumeClaims, workflowTaskResults]) {
      const { items } = await this.#world.outside().list(type);
      this.#add(`${type.plural} at the end`, items.map(({ metadata }) => metadata.name).sort());
    }
  }

  #addWorkflow({ metadata, status = {} }: Workflow): void {
    const { phase, message, outputs, conditions, progress, persistentVolumeClaims: claims } = status;
    const completed = metadata.labels?.[labels.completed];
    this.#add("workflow", { phase, message, outputs, conditions, progress, claims, completed });
    for (const node of Object.values(status.nodes ?? {})) this.#add(`node ${node.name}`, timeless(node));
  }

  #addPod({ metadata, status }: Pod): void {
    const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    const containers = all.map(({ name, restartCount, state }) => {
      const { exitCode, reason, message } = state?.terminated ?? {};
      return { name, restartCount, exitCode, reason, message };
    });
    const { phase, reason, message } = status ?? {};
    this.#add(`pod ${metadata.name}`, { phase, reason, message, containers });
  }

  /** Each container of an attempt, main above all, is started as often as when nothing goes wrong: once. */
  #addStarts(): void {
    const counts = new Map<string, number>();
    for (const { pod, container, restartCount } of this.#world.machine.starts) {
      const what = `starts of ${pod.metadata.name}/${container.name} (${restartCount})`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    for (const [what, count] of counts) this.#add(what, count);
  }

  /** Of one name told twice (a pod was made again) both are kept. */
  #add(name: string, value: unknown): void {
    const known = this.facts.get(name);
    const text = canonical(value);
    this.facts.set(name, known === undefined ? text : `${known} and ${text}`);
  }
}

/** Without what a fault changes of itself: when things happened, and how long they took. */
function timeless(node: NodeStatus): object {
  const { startedAt: _startedAt, finishedAt: _finishedAt, estimatedDuration: _estimated, ...rest } = node;
  const { resourcesDuration: _duration, ...timeless } = rest;
  return timeless;
}

/** Members in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
