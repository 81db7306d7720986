/** What is really so: every change of every object that matters, in the order of its commit, seen by nobody inside. */

import { withNodes } from "../../../src/controller/stored-nodes.js";
import type { Workflow, WorkflowTaskResult } from "../../../src/core/model/argo/workflow.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, type ResourceType, workflows, workflowTaskResults } from "../../../src/core/model/resources.js";
import type { Client } from "../../../src/kube/client.js";
import { typeName } from "../../../src/kube/key.js";
import type { SimApi } from "./api.js";
import { type ChangedNode, changedNodes, nodesOf } from "./changed-nodes.js";

export interface TruthEvent {
  readonly type: ResourceType;
  readonly revision: number;
  /** Undefined: it was created. */
  readonly before: KubeObject | undefined;
  /** Undefined: it is gone. */
  readonly after: KubeObject | undefined;
  /** Of a workflow. */
  readonly nodes: readonly ChangedNode[];
}

const watched: readonly ResourceType[] = [workflows, pods, workflowTaskResults];

export class Truth {
  readonly #api: Pick<SimApi, "client">;
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #events: TruthEvent[] = [];
  /** By UID of the workflow, as many as it ever had at once. */
  readonly #nodes = new Map<string, number>();
  #waiting: TruthEvent[] = [];
  #stop = new AbortController();

  constructor(api: Pick<SimApi, "client">) {
    this.#api = api;
    for (const type of watched) this.#objects.set(typeName(type), new Map());
  }

  /** Looks at a server that has just come up: what it lost or kept without our seeing is told as changes. */
  async follow(): Promise<void> {
    this.#stop.abort("over");
    this.#stop = new AbortController();
    const client = this.#api.client();
    for (const type of watched) {
      const list = await client.list(type);
      this.#compare(type, list.items, Number(list.resourceVersion));
      void this.#watch(client, type, list.resourceVersion);
    }
  }

  pods(): readonly Pod[] {
    return this.#all<Pod>(pods);
  }

  workflows(): readonly Workflow[] {
    return this.#all<Workflow>(workflows);
  }

  taskResults(): readonly WorkflowTaskResult[] {
    return this.#all<WorkflowTaskResult>(workflowTaskResults);
  }

  /** Nodes that came to be, of all workflows. */
  get nodes(): number {
    return [...this.#nodes.values()].reduce((sum, count) => sum + count, 0);
  }

  byUid<T extends KubeObject>(type: ResourceType, uid: string): T | undefined {
    return this.#of(type).get(uid) as T | undefined;
  }

  /** Events since the last call, in the order of their commit. */
  take(): readonly TruthEvent[] {
    if (this.#waiting.length === 0) return [];
    const events = this.#waiting.sort((one, other) => one.revision - other.revision);
    this.#waiting = [];
    this.#events.push(...events);
    return events;
  }

  /** The objects of a type as they stood at a revision. */
  at(type: ResourceType, revision: number): readonly KubeObject[] {
    const objects = new Map<string, KubeObject>();
    for (const event of [...this.#events, ...this.#waiting]) {
      if (event.type !== type || event.revision > revision) continue;
      const uid = (event.after ?? event.before)?.metadata.uid ?? "";
      if (event.after === undefined) objects.delete(uid);
      else objects.set(uid, event.after);
    }
    return [...objects.values()];
  }

  /** Revisions of this type, oldest first. */
  revisions(type: ResourceType): readonly number[] {
    return this.#events.filter((event) => event.type === type).map((event) => event.revision);
  }

  close(): void {
    this.#stop.abort("over");
  }

  async #watch(client: Client, type: ResourceType, resourceVersion: string): Promise<void> {
    const { signal } = this.#stop;
    for await (const event of client.watch(type, { resourceVersion, signal })) {
      if (signal.aborted) return;
      if (event.type === "BOOKMARK") continue;
      const revision = Number(event.object.metadata.resourceVersion ?? "0");
      this.#saw(type, event.object, { revision, isGone: event.type === "DELETED" });
    }
  }

  #saw(type: ResourceType, object: KubeObject, news: { readonly revision: number; readonly isGone: boolean }): void {
    const objects = this.#of(type);
    const uid = object.metadata.uid ?? "";
    const before = objects.get(uid);
    const known = type === workflows ? this.#counted(withNodes(object as Workflow)) : object;
    if (news.isGone) objects.delete(uid);
    else objects.set(uid, known);
    const after = news.isGone ? undefined : known;
    const nodes =
      type === workflows
        ? changedNodes(nodesOf(before as Workflow | undefined), nodesOf(after as Workflow | undefined))
        : [];
    this.#waiting.push({ type, revision: news.revision, before, after, nodes });
  }

  #counted(workflow: Workflow): Workflow {
    const { uid = "" } = workflow.metadata;
    const count = Object.keys(workflow.status?.nodes ?? {}).length;
    this.#nodes.set(uid, Math.max(count, this.#nodes.get(uid) ?? 0));
    return workflow;
  }

  #compare(type: ResourceType, items: readonly KubeObject[], revision: number): void {
    const present = new Set(items.map((item) => item.metadata.uid ?? ""));
    for (const item of items) {
      const known = this.#of(type).get(item.metadata.uid ?? "");
      if (known?.metadata.resourceVersion === item.metadata.resourceVersion) continue;
      this.#saw(type, item, { revision: Number(item.metadata.resourceVersion), isGone: false });
    }
    for (const [uid, object] of [...this.#of(type)])
      if (!present.has(uid)) this.#saw(type, object, { revision, isGone: true });
  }

  #of(type: ResourceType): Map<string, KubeObject> {
    const objects = this.#objects.get(typeName(type));
    if (objects === undefined) throw new Error(`${type.plural} are not watched`);
    return objects;
  }

  #all<T extends KubeObject>(type: ResourceType): readonly T[] {
    return [...this.#of(type).values()] as unknown as readonly T[];
  }
}
