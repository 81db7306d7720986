/** The cluster a case is played on: the real API server, controller, kubelet and executor in one process on virtual time. */

import { join } from "node:path";
import { type Kubelet, startKubelet } from "../../../src/cluster/kubelet/index.js";
import { startController } from "../../../src/controller/index.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, type ResourceType, workflowTaskResults } from "../../../src/core/model/resources.js";
import { invalidSpecOrNeed } from "../../../src/core/validate/index.js";
import { executorImages } from "../../../src/executor/index.js";
import type { Client, ListOptions, ObjectList, WatchEvent, WatchOptions } from "../../../src/kube/client.js";
import type { Clock } from "../../../src/kube/clock.js";
import { ApiError, TransportError } from "../../../src/kube/errors.js";
import { EventPipe } from "../../../src/kube/testing/event-pipe.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { settle, VirtualClock } from "../../../src/kube/testing/virtual-clock.js";
import { SimApi } from "../../simulation/world/api.js";
import { SimProcess } from "../../simulation/world/process.js";
import { Truth } from "../../simulation/world/truth.js";
import { clientOf } from "./client.js";
import { Machine, type MachineOptions } from "./machine.js";

const SEED = 1;
/** As the machine was called on which the cases were recorded: one of them names it. */
const NODE_NAME = "vm";
/** How long a scheduler and the way to the node take. */
export const SCHEDULING_MS = 20;
const UNSCHEDULABLE =
  "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, " +
  "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

export interface ClusterOptions extends Omit<MachineOptions, "clock"> {
  /** For the few files that the executor writes. */
  readonly folder: string;
  /** No node will have it: nobody binds it. */
  isUnschedulable(pod: Pod): boolean;
  /** Why the executor may not write task results; undefined: it may. */
  readonly resultsForbidden?: string;
}

/** What is done to a cluster, and what is seen of it; whatever runs its containers. */
export interface LifecycleCluster {
  readonly clock: Clock;
  readonly truth: Truth;
  readonly machine: Pick<Machine, "starts" | "running" | "signal">;
  statusFinalizer: boolean;
  outside(): Client;
  stopController(): void;
  startController(): void;
  stopKubelet(): void;
  startKubelet(): Promise<void>;
  signal(pod: Pod, containerName: string, signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export class Cluster implements LifecycleCluster {
  readonly clock = new VirtualClock();
  readonly api: SimApi;
  readonly truth: Truth;
  readonly machine: Machine;
  /** Of a controller that is started from now on. */
  statusFinalizer = true;
  /** Errors nobody expects: of handlers, of the engine. */
  readonly defects: string[] = [];
  readonly #options: ClusterOptions;
  #kubelet: Kubelet | undefined;
  #kubeletProcess: SimProcess | undefined;
  #controllerProcess: SimProcess | undefined;
  #starts = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.api = new SimApi({ clock: this.clock, chance: new SeededChance(SEED), seed: SEED });
    this.truth = new Truth(this.api);
    this.machine = new Machine({ ...options, clock: this.clock });
  }

  async start(): Promise<void> {
    await this.api.start();
    await this.truth.follow();
    await this.startKubelet();
    this.startController();
    await settle();
  }

  stop(): void {
    this.stopController();
    this.stopKubelet();
    this.truth.close();
    this.api.crash();
  }

  /** A person's, or another program's. */
  outside(): Client {
    return this.api.client();
  }

  stopController(): void {
    this.#controllerProcess?.kill();
  }

  startController(): void {
    const process = this.#process("controller");
    this.#controllerProcess = process;
    startController({
      client: clientOf(process, this.api.client()),
      clock: process.clock,
      chance: process.chance,
      engine: {
        pod: { layout: "local", images: new Map(), statusFinalizer: this.statusFinalizer },
        validate: invalidSpecOrNeed,
        onDefect: (message) => this.defects.push(message),
      },
      signals: { send: (pod, containers, signal) => this.#signal(pod, containers, signal) },
      observer: { faulted: (error) => this.defects.push(String(error)) },
    });
  }

  /** Its containers live on. */
  stopKubelet(): void {
    this.#kubeletProcess?.kill();
    this.#kubelet = undefined;
  }

  async startKubelet(): Promise<void> {
    const process = this.#process("kubelet");
    this.#kubeletProcess = process;
    const client = clientOf(process, this.api.client());
    this.#kubelet = await startKubelet({
      client: this.#scheduled(client),
      clock: process.clock,
      chance: process.chance,
      runtime: this.machine.runtime(),
      builtinImages: executorImages({
        client: this.#reporting(client),
        clock: process.clock,
        placeArtifactsFolder: join(this.#options.folder, "artifacts"),
        sharedArtifactsFolder: join(this.#options.folder, "shared"),
      }),
      nodeName: NODE_NAME,
      podsFolder: join(this.#options.folder, "pods"),
      claimsFolder: join(this.#options.folder, "claims"),
      maxPods: Number.POSITIVE_INFINITY,
    });
  }

  /** Of a container that is built in, too. */
  async signal(pod: Pod, containerName: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#kubelet?.signal({ uid: pod.metadata.uid ?? "" }, signal, [containerName]);
  }

  #process(role: string): SimProcess {
    return new SimProcess(role, ++this.#starts, { clock: this.clock, seed: SEED });
  }

  async #signal(pod: Pod, containers: readonly string[], signal: "SIGTERM"): Promise<void> {
    if (this.#kubelet === undefined) throw new TransportError("the kubelet does not answer");
    await this.#kubelet.signal({ uid: pod.metadata.uid ?? "" }, signal, containers);
  }

  /** The kubelet sees nothing of pods that no scheduler would give it. */
  #scheduled(client: Client): Client {
    return {
      ...client,
      list: async <T extends KubeObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>> => {
        const list = await client.list<T>(type, options);
        return { ...list, items: list.items.filter((one) => !this.#isHidden(type, one)) };
      },
      watch: <T extends KubeObject>(type: ResourceType, options: WatchOptions) => this.#seen<T>(client, type, options),
    };
  }

  #seen<T extends KubeObject>(client: Client, type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent<T>> {
    const pipe = new EventPipe<WatchEvent<T>>();
    const later = (act: () => void): void => void this.clock.after(SCHEDULING_MS, act);
    void (async () => {
      try {
        for await (const event of client.watch<T>(type, options)) {
          if (event.type === "BOOKMARK" || !this.#isHidden(type, event.object)) later(() => pipe.push(event));
          else if (event.type === "ADDED") void this.#saysUnschedulable(event.object);
        }
        later(() => pipe.end());
      } catch (error) {
        later(() => pipe.end(error instanceof Error ? error : new Error(String(error))));
      }
    })();
    options.signal?.addEventListener("abort", () => pipe.end(), { once: true });
    return pipe;
  }

  #isHidden(type: ResourceType, object: KubeObject): boolean {
    return type === pods && this.#options.isUnschedulable(object as Pod);
  }

  /** As the scheduler does. */
  async #saysUnschedulable({ metadata }: KubeObject): Promise<void> {
    const { namespace = "", name = "" } = metadata;
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: UNSCHEDULABLE };
    const body = { status: { phase: "Pending", conditions: [condition] } };
    const patch = { type: "merge", body } as const;
    await this.outside()
      .patch(pods, { namespace, name }, patch, { subresource: "status" })
      .catch(() => undefined);
  }

  #reporting(client: Client): Client {
    const { resultsForbidden } = this.#options;
    if (resultsForbidden === undefined) return client;
    return {
      ...client,
      create: (type, object, options) =>
        type === workflowTaskResults
          ? Promise.reject(new ApiError(403, "Forbidden", resultsForbidden))
          : client.create(type, object, options),
    };
  }
}
