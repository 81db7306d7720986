/** A whole cluster in one process on virtual time: one seed fixes everything that happens in it. */

import type { ScriptOutcome } from "../../../src/cluster/kubelet/index.js";
import type { ControllerOptions } from "../../../src/controller/index.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Lease } from "../../../src/core/model/kube/core.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { Container, Pod } from "../../../src/core/model/kube/pod.js";
import { events as eventType, leases, type ResourceType, workflows } from "../../../src/core/model/resources.js";
import type { Client, ListOptions, ObjectKey, ObjectList } from "../../../src/kube/client.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { settle, VirtualClock } from "../../../src/kube/testing/virtual-clock.js";
import type { Fault } from "../faults/fault.js";
import type { Script } from "../faults/script.js";
import { Watchdog } from "../invariants/watchdog.js";
import { SimApi } from "./api.js";
import { Cluster } from "./cluster.js";
import { Components } from "./components.js";
import { History } from "./history.js";
import { Machine, type Survival } from "./machine.js";
import type { Mutant } from "./mutant.js";
import type { DoneWrite, SentWrite } from "./network.js";
import { errorText } from "./network.js";
import { Partitions } from "./partitions.js";
import type { SimProcess } from "./process.js";
import { RealWork } from "./real-work.js";
import { whenPromisesRest } from "./settle.js";
import { Truth } from "./truth.js";
import { Weather } from "./weather.js";
import { writeText } from "./write-text.js";

export interface WorldOptions {
  readonly seed: number;
  readonly faults: readonly Fault[];
  /** Faults that a case wants just where it says, besides those that are counted. */
  readonly script?: Script;
  /** A request, an answer, an event is under way for 0 to so many milliseconds. */
  readonly latencyMaxMs: number;
  /** How long a caller waits for an answer that does not come. */
  readonly timeoutMs: number;
  readonly survival: Survival;
  /** One: it leads without a lease. Two: they stand for election. */
  readonly controllers: 1 | 2;
  /** Who gives pods their node: in a place the controller does, at once; where there are several, a scheduler. */
  readonly binding: "controller" | "kubelet" | "scheduler";
  /** Asserts at each pass that a fresh run decides the same. */
  readonly engineCheck: "each pass" | "off";
  readonly mutant?: Mutant;
  /** Settings of the controller that a case is about. */
  readonly controller?: Pick<ControllerOptions, "hosts" | "budgets">;
  /** Invariants that are not looked at: to see by which others a mutant is found. */
  readonly blind?: readonly string[];
  /** How many revisions old a list is that may be old; left out: chance says. */
  readonly staleBy?: number;
  /** For the few files that the executor writes; left out: it writes none. Virtual time waits for them. */
  readonly folder?: string;
  /** In the place of what a container's args say. */
  readonly outcomeOf?: (pod: Pod, container: Container) => ScriptOutcome | undefined;
}

/** A run of some hundred pods takes a tenth of it. */
const STEPS_MAX = 100_000;

const CALLS_AT_ONCE_MAX = 20_000;

const defaults = {
  seed: 1,
  faults: [],
  latencyMaxMs: 0,
  timeoutMs: 1000,
  survival: "live on",
  controllers: 1,
  binding: "kubelet",
  engineCheck: "off",
} as const;

export class World {
  readonly options: WorldOptions;
  readonly clock: VirtualClock;
  readonly chance: SeededChance;
  readonly history: History;
  readonly weather: Weather;
  readonly api: SimApi;
  readonly truth: Truth;
  readonly machine: Machine;
  readonly components: Components;
  readonly partitions = new Partitions();
  readonly cluster: Cluster;
  readonly realWork = new RealWork();
  readonly watchdog: Watchdog;
  /** Writes of our own processes that were done, leases and events not counted. */
  writes = 0;
  /** Who leads, as the lease says; empty: nobody. */
  leaseHolder = "";
  #touches = 0;
  #steps = 0;
  #callsAtOnce = { atMs: 0, count: 0 };

  constructor(options: Partial<WorldOptions>) {
    this.options = { ...defaults, ...options };
    const { seed, faults, survival, mutant, folder } = this.options;
    const atRest = folder === undefined ? whenPromisesRest : (then: () => void) => void this.#settle().then(then);
    this.clock = new VirtualClock({ atRest });
    this.chance = new SeededChance(seed);
    this.history = new History(() => this.clock.monotonic());
    this.weather = new Weather(faults);
    this.api = new SimApi({ clock: this.clock, chance: this.chance.fork("disk"), seed });
    this.truth = new Truth(this.api);
    this.machine = new Machine(this, { survival, records: mutant?.records ?? "kept" });
    this.components = new Components(this);
    this.cluster = new Cluster(this);
    this.watchdog = new Watchdog(this);
  }

  async start(): Promise<void> {
    await this.api.start();
    await this.truth.follow();
    this.components.startAll();
    await settle();
  }

  /** Takes the world down: nothing of it runs on. */
  stop(): void {
    this.components.killAll();
    this.truth.close();
    this.api.crash();
  }

  /** What a person or another program has: no faults, no time on the wire. Rejects while the server is down. */
  outside(): Client {
    return this.api.client();
  }

  /** Until the faults are over. */
  get script(): Script | undefined {
    return this.weather.isOver ? undefined : this.options.script;
  }

  async submit(workflow: Workflow): Promise<Workflow> {
    const made = await this.outside().create(workflows, workflow);
    this.history.add("user", () => `creates workflow ${made.metadata.name} uid ${made.metadata.uid}`);
    return made;
  }

  /** Steps until `isDone`, or something is broken; false when `limitMs` passed before. */
  async runUntil(isDone: () => boolean, limitMs: number): Promise<boolean> {
    const isOver = (): boolean => {
      this.watchdog.look();
      if (this.options.binding === "scheduler") this.cluster.look();
      if (++this.#steps === STEPS_MAX) this.watchdog.fail("spin", `${STEPS_MAX} steps, and no end`);
      return this.watchdog.broken.length > 0 || isDone();
    };
    // Time passes also where nothing waits for it.
    const limit = this.clock.after(limitMs, () => undefined);
    const isDoneInTime = await this.clock.runUntil(isOver, limitMs);
    limit.cancel();
    return isDoneInTime && this.watchdog.broken.length === 0;
  }

  /** Lets `ms` pass, looking after each step. */
  async pass(ms: number): Promise<void> {
    let isOver = false;
    this.clock.after(ms, () => {
      isOver = true;
    });
    await this.runUntil(() => isOver, ms);
  }

  /** A caller that asks again and again while time stands still would never let time go on. */
  isSpinning(): boolean {
    const atMs = this.clock.monotonic();
    if (this.#callsAtOnce.atMs !== atMs) this.#callsAtOnce = { atMs, count: 0 };
    if (++this.#callsAtOnce.count < CALLS_AT_ONCE_MAX) return false;
    this.watchdog.fail("spin", `${CALLS_AT_ONCE_MAX} calls at one moment`);
    return true;
  }

  latency(process: SimProcess): number {
    const { latencyMaxMs } = this.options;
    return latencyMaxMs === 0 ? 0 : process.chance.below(latencyMaxMs + 1);
  }

  outcomeOf(pod: Pod, container: Container): ScriptOutcome | undefined {
    return this.options.outcomeOf?.(pod, container);
  }

  crash(role: string, downMs = 200): boolean {
    return this.components.crash(role, downMs);
  }

  pause(role: string, ms: number): boolean {
    return this.components.pause(role, ms);
  }

  /** The server dies, and with it nothing that it has acknowledged. */
  crashApi(downMs: number): void {
    if (!this.api.isUp) return;
    this.history.add("world", () => "the API server dies");
    this.api.crash();
    this.clock.after(downMs, () => {
      this.history.add("world", () => "the API server is back");
      void this.api.start().then(() => this.truth.follow());
    });
  }

  /** Another writer's hand on an object, so that our next write of it meets a conflict. */
  async touch(type: ResourceType, key: ObjectKey | undefined): Promise<void> {
    if (key === undefined || type === leases) return;
    const annotations = { "foreign.example/touch": String(++this.#touches) };
    await this.outside()
      .patch(type, key, { type: "merge", body: { metadata: { annotations } } })
      .catch(() => undefined);
    this.history.add("foreign", () => `touches ${type.plural} ${key.name}`);
  }

  /** A list as the API may answer it: "any revision" can be an old one. */
  async list<T extends KubeObject>(client: Client, type: ResourceType, options?: ListOptions): Promise<ObjectList<T>> {
    const list = await client.list<T>(type, options);
    if (options?.resourceVersion !== "0") return list;
    const past = this.components.staleRevision(type);
    if (past === undefined) return list;
    this.history.add("fault", () => `list of ${type.plural} as of revision ${past}`);
    return { items: this.truth.at(type, past) as unknown as readonly T[], resourceVersion: String(past) };
  }

  sent(write: SentWrite): void {
    if (write.type === eventType || write.type === leases) return;
    this.watchdog.sent(write);
  }

  committed(write: DoneWrite): void {
    if (write.type === leases) this.leaseHolder = (write.object as Lease | undefined)?.spec?.holderIdentity ?? "";
    if (write.type === eventType || write.type === leases) return;
    this.writes++;
    this.history.add(
      write.process.name,
      () => `${writeText(write)} -> rv ${write.object?.metadata.resourceVersion ?? "gone"}`,
    );
    this.watchdog.committed(write);
    this.options.script?.committed?.(write);
  }

  /** The process has read the answer. */
  answered(write: DoneWrite): void {
    this.watchdog.answered(write);
  }

  refused(write: SentWrite, error: unknown): void {
    if (write.type === eventType || write.type === leases) return;
    this.history.add(write.process.name, () => `${writeText(write)} -> ${errorText(error)}`);
    this.options.script?.refused?.(write, error);
  }

  async #settle(): Promise<void> {
    do await settle();
    while (this.realWork.isUnderWay);
  }

  /** By name: the n-th of the pods that exist, round and round. */
  podAt(index: number): Pod | undefined {
    const all = this.podsByName();
    return all[index % Math.max(1, all.length)];
  }

  podsByName(): readonly Pod[] {
    return [...this.truth.pods()].sort((one, other) => compare(one.metadata.name, other.metadata.name));
  }

  workflowAt(index: number): Workflow | undefined {
    const all = [...this.truth.workflows()].sort((one, other) => compare(one.metadata.name, other.metadata.name));
    return all[index % Math.max(1, all.length)];
  }
}

function compare(one: string | undefined, other: string | undefined): number {
  return (one ?? "") < (other ?? "") ? -1 : 1;
}
