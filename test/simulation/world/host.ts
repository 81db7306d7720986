/** One machine of a world: the kubelet and the executors on it, whether it can be reached, and how long it was silent. */

import { join } from "node:path";
import { DEFAULT_NODE_NAME, type Kubelet, startKubelet } from "../../../src/cluster/kubelet/index.js";
import { isPodOver } from "../../../src/core/model/kube/pod-phase.js";
import { pods } from "../../../src/core/model/resources.js";
import { executorImages } from "../../../src/executor/index.js";
import type { Client } from "../../../src/kube/client.js";
import { keepLease } from "./heartbeat.js";
import { connect } from "./network.js";
import { podsOfNode } from "./pods-of-node.js";
import type { SimProcess } from "./process.js";
import type { World } from "./world.js";

/** Under which names what runs on a machine is known to faults. */
export interface HostRoles {
  readonly kubelet: string;
  readonly executor: string;
}

export const usualRoles: HostRoles = { kubelet: "kubelet", executor: "executor" };

/** No shorter a silence may be taken for the loss of a machine. */
const LOST_AFTER_MS = 50_000;
/** Who has looked at a machine may act on what it saw so much later: stand still, and be refused before that. */
export const ACTED_ON_MS = 60_000;

export class Host {
  /** Kept over its starts. */
  readonly name: string;
  #roles: HostRoles;
  /** Off, and it may be for good; nothing is there to be started. */
  isOff = false;
  readonly #world: World;
  readonly #begin: (role: string) => SimProcess;
  #processes: readonly SimProcess[] = [];
  #kubelet: Kubelet | undefined;
  #heardAt: number;
  #lostUntil = Number.NEGATIVE_INFINITY;

  constructor(
    world: World,
    { name, roles }: { readonly name: string; readonly roles: HostRoles },
    begin: (role: string) => SimProcess,
  ) {
    this.name = name;
    this.#roles = roles;
    this.#world = world;
    this.#begin = begin;
    this.#heardAt = world.clock.monotonic();
  }

  /** Since it was switched on. */
  get roles(): HostRoles {
    return this.#roles;
  }

  get kubelet(): Kubelet | undefined {
    return this.#kubelet;
  }

  /** Whether a request to its kubelet would be answered. */
  get answers(): boolean {
    return this.#kubelet !== undefined && this.#processes[0]?.isRunning === true && !this.isCutOff;
  }

  get isCutOff(): boolean {
    return this.#world.partitions.isCutOff(this.roles.kubelet);
  }

  /** Since when its Lease stands as it is, in milliseconds. */
  get silentMs(): number {
    return this.#world.clock.monotonic() - this.#heardAt;
  }

  /** Whether somebody may act now on its having been silent for too long. */
  get mayCountAsLost(): boolean {
    return this.silentMs >= LOST_AFTER_MS || this.#world.clock.monotonic() - this.#lostUntil <= ACTED_ON_MS;
  }

  start(): void {
    if (this.isOff || this.#processes.some(({ isDead }) => !isDead)) return;
    const kubelet = this.#begin(this.roles.kubelet);
    const executor = this.#begin(this.roles.executor);
    this.#processes = [kubelet, executor];
    void this.#startKubelet(kubelet, executor).then((started) => {
      if (!kubelet.isDead) this.#hasStarted(started);
    });
    if (this.#world.options.controller?.hosts === "leased")
      void keepLease(this.#world, kubelet, {
        name: this.name,
        heard: () => this.#heard(),
        isCutOff: () => this.isCutOff,
      });
  }

  /** The kubelet dies, and with it what is in its process. */
  kill(): void {
    for (const process of this.#processes) process.kill();
    this.#kubelet = undefined;
    this.#world.machine.kubeletDied(this.name);
  }

  /** Everything on it stops at this moment; `wiped`: its disk is lost too. */
  powerOff(disk: "kept" | "wiped"): void {
    this.isOff = true;
    this.kill();
    if (disk === "wiped") this.#world.machine.wipe(this.name);
    else this.#world.machine.stopAll(this.name);
  }

  powerOn(roles: HostRoles): void {
    this.#roles = roles;
    this.isOff = false;
    this.start();
  }

  /** What its processes have still to do. */
  *behind(): Generator<string, void> {
    if (this.#kubelet === undefined) yield `the ${this.roles.kubelet} is down`;
    if (this.isCutOff) yield `machine ${this.name} is cut off`;
    if ((this.#kubelet?.running ?? 0) > this.#podsAtWork()) yield `the ${this.roles.kubelet} ends pods that are gone`;
  }

  #podsAtWork(): number {
    return this.#world.truth
      .pods()
      .filter(({ spec, status }) => spec.nodeName === this.name && !isPodOver(status?.phase)).length;
  }

  /**
   * A pod may go while the kubelet of a machine is down and others are not: Kubernetes' own ends what still runs of it. The
   * embedded one is never down alone.
   */
  #hasStarted(kubelet: Kubelet): void {
    const { options, machine, truth } = this.#world;
    this.#kubelet = kubelet;
    if (options.binding === "scheduler") machine.endStrays(this.name, (uid) => truth.byUid(pods, uid) !== undefined);
  }

  #heard(): void {
    const now = this.#world.clock.monotonic();
    if (now - this.#heardAt >= LOST_AFTER_MS) this.#lostUntil = now;
    this.#heardAt = now;
  }

  #startKubelet(process: SimProcess, executor: SimProcess): Promise<Kubelet> {
    const { folder = "/nowhere" } = this.#world.options;
    const { realWork } = this.#world;
    const images = executorImages({
      client: realWork.client(connect(this.#world, executor)),
      clock: realWork.clock(executor.clock),
      placeArtifactsFolder: join(folder, "place"),
      sharedArtifactsFolder: join(folder, "shared"),
    });
    return startKubelet({
      client: this.#clientOf(process),
      clock: process.clock,
      chance: process.chance,
      runtime: this.#world.machine.runtimeFor(process, this.name),
      builtinImages: realWork.images(images),
      podsFolder: join(folder, "pods"),
      claimsFolder: join(folder, "claims"),
      maxPods: Number.POSITIVE_INFINITY,
      nodeName: this.name,
      onError: (error, pod) =>
        this.#world.history.add(process.name, () => `error about ${pod.metadata.name}: ${String(error)}`),
    });
  }

  /** Where there are several machines each kubelet is shown what was given to its own, as Kubernetes' are. */
  #clientOf(process: SimProcess): Client {
    const client = connect(this.#world, process);
    return this.#world.options.binding === "scheduler" ? podsOfNode(client, this.name) : client;
  }
}

/** Of a world with one machine, and the first of others. */
export const FIRST_HOST = DEFAULT_NODE_NAME;
