/** The processes of a world: started, killed, started again. */

import { join } from "node:path";
import { DEFAULT_NODE_NAME, type Kubelet, startKubelet } from "../../../src/cluster/kubelet/index.js";
import { type Controller, type Election, startController } from "../../../src/controller/index.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import type { ResourceType } from "../../../src/core/model/resources.js";
import { invalidSpecOrNeed } from "../../../src/core/validate/index.js";
import { executorImages } from "../../../src/executor/index.js";
import { TransportError } from "../../../src/kube/errors.js";
import { checkedEngine } from "../invariants/engine-twice.js";
import { keepLease } from "./heartbeat.js";
import { connect } from "./network.js";
import { SimProcess } from "./process.js";
import type { World } from "./world.js";

/** As on a cluster: far above what a few workflows need, far below what a loop that spins would. */
const budgets = { reconcile: { ratePerSecond: 100, burst: 200 }, cleanup: { ratePerSecond: 100, burst: 200 } };

/** What a process calls itself in the lease. That lies where the controllers do: workflows' namespaces come and go. */
export function electionOf({ name }: SimProcess): Election {
  return { lease: { namespace: "controllers", name: "workflow-controller" }, identity: name };
}

/** What the kubelet is and dies with. */
const kubeletRoles = ["kubelet", "executor"] as const;

export class Components {
  readonly #processes = new Map<string, SimProcess>();
  readonly #starts = new Map<string, number>();
  #kubelet: Kubelet | undefined;
  readonly #controllers = new Map<string, Controller>();

  constructor(private readonly world: World) {}

  get controllerRoles(): readonly string[] {
    return this.world.options.controllers === 1 ? ["controller"] : ["controller-a", "controller-b"];
  }

  startAll(): void {
    this.#startKubelet();
    for (const role of this.controllerRoles) this.#startController(role);
  }

  killAll(): void {
    for (const process of this.#processes.values()) process.kill();
  }

  get kubelet(): Kubelet | undefined {
    return this.#kubelet;
  }

  controllers(): readonly Controller[] {
    return [...this.#controllers.values()];
  }

  process(role: string): SimProcess | undefined {
    return this.#processes.get(role);
  }

  /** Whether it was there to die. */
  crash(role: string, downMs: number): boolean {
    const real = role === "executor" ? "kubelet" : role;
    const process = this.#processes.get(real);
    if (process === undefined || process.isDead) return false;
    this.world.history.add("world", () => `${process.name} dies, back in ${downMs} ms`);
    if (real === "kubelet") this.#killKubelet();
    else this.#killController(real);
    this.world.clock.after(downMs, () => {
      if (real === "kubelet") this.#startKubelet();
      else this.#startController(real);
    });
    return true;
  }

  /** Whether it ran. */
  pause(role: string, ms: number): boolean {
    const process = this.#processes.get(role);
    if (process === undefined || !process.isRunning) return false;
    this.world.history.add("world", () => `${process.name} stands still for ${ms} ms`);
    process.pause();
    this.world.clock.after(ms, () => {
      if (!process.isDead) process.resume();
    });
    return true;
  }

  /**
   * Who has still to do what the others have long done: whoever stands still goes on where it stood, and without the
   * kubelet nobody says what became of the containers. A controller that is dead has nothing to do when it comes back.
   */
  *behind(): Generator<string, void> {
    if (this.#kubelet === undefined) yield "the kubelet is down";
    for (const process of this.#processes.values()) {
      if (!process.isDead && !process.isRunning) yield `${process.name} stands still`;
    }
  }

  /** For lists of "any revision": how old the answer is; undefined: as new as can be. */
  staleRevision(type: ResourceType): number | undefined {
    const known = this.world.truth.revisions(type);
    if (known.length < 2) return undefined;
    const back = this.world.options.staleBy ?? this.world.chance.below(8);
    return known[Math.max(0, known.length - 1 - back)];
  }

  #killKubelet(): void {
    for (const role of kubeletRoles) this.#processes.get(role)?.kill();
    this.#kubelet = undefined;
    this.world.machine.kubeletDied();
  }

  #killController(role: string): void {
    this.#processes.get(role)?.kill();
    this.#controllers.delete(role);
  }

  #process(role: string): SimProcess {
    const start = (this.#starts.get(role) ?? 0) + 1;
    this.#starts.set(role, start);
    const process = new SimProcess(role, start, { clock: this.world.clock, seed: this.world.options.seed });
    this.#processes.set(role, process);
    if (start > 1) this.world.history.add("world", () => `${process.name} starts`);
    return process;
  }

  #startKubelet(): void {
    const process = this.#process("kubelet");
    const executor = this.#process("executor");
    const { folder = "/nowhere" } = this.world.options;
    const { realWork } = this.world;
    const images = executorImages({
      client: realWork.client(connect(this.world, executor)),
      clock: realWork.clock(executor.clock),
      placeArtifactsFolder: join(folder, "place"),
      sharedArtifactsFolder: join(folder, "shared"),
    });
    void startKubelet({
      client: connect(this.world, process),
      clock: process.clock,
      chance: process.chance,
      runtime: this.world.machine.runtimeFor(process),
      builtinImages: realWork.images(images),
      podsFolder: join(folder, "pods"),
      claimsFolder: join(folder, "claims"),
      maxPods: Number.POSITIVE_INFINITY,
      onError: (error, pod) =>
        this.world.history.add(process.name, () => `error about ${pod.metadata.name}: ${String(error)}`),
    }).then((kubelet) => {
      if (!process.isDead) this.#kubelet = kubelet;
    });
    if (this.world.options.controller?.hosts === "leased") void keepLease(this.world, process);
  }

  #startController(role: string): void {
    const { world } = this;
    const { mutant } = world.options;
    const process = this.#process(role);
    const plain = connect(world, process);
    const client = mutant?.client?.(plain, world, process) ?? plain;
    const engine = {
      pod: {
        layout: "local",
        images: new Map(),
        statusFinalizer: true,
        ...(world.options.binding === "controller" && { boundTo: DEFAULT_NODE_NAME }),
      },
      validate: invalidSpecOrNeed,
      onDefect: (message: string) => world.watchdog.fail("engine", `the engine contradicts itself: ${message}`),
    } as const;
    const controller = startController(
      {
        client,
        clock: process.clock,
        chance: process.chance,
        engine,
        ...(world.options.controllers === 2 && { election: electionOf(process), budgets }),
        ...world.options.controller,
        signals: { send: (pod, containers, signal) => this.#signal(process, pod, { containers, signal }) },
        observer: {
          passFailed: (queue, { key, error, retryMs }) =>
            world.history.add(process.name, () => `${queue} ${key} failed: ${String(error)}; again in ${retryMs} ms`),
          leader: (identity) => world.history.add(process.name, () => `sees that ${identity || "nobody"} leads`),
          term: (change) => world.history.add(process.name, () => `its term ${change}`),
          faulted: (error) => world.watchdog.fail("I10", `a handler threw: ${String(error)}`),
        },
      },
      {
        ...checkedEngine(world),
        ...mutant?.parts?.(world, client),
        ...(mutant?.fence === "none" && { fence: (_elector, unfenced) => unfenced }),
      },
    );
    this.#controllers.set(role, controller);
  }

  /** As an exec through the API server: takes time, fails when the kubelet is not there. */
  async #signal(
    from: SimProcess,
    pod: Pod,
    { containers, signal }: { readonly containers: readonly string[]; readonly signal: "SIGTERM" },
  ): Promise<void> {
    await new Promise<void>((resolve) => from.clock.after(this.world.latency(from), resolve));
    const kubelet = this.#kubelet;
    if (kubelet === undefined || this.#processes.get("kubelet")?.isRunning !== true)
      throw new TransportError("the kubelet does not answer");
    this.world.history.add(from.name, () => `${signal} to ${pod.metadata.name} ${containers.join(",")}`);
    await kubelet.signal({ uid: pod.metadata.uid ?? "" }, signal, containers);
  }
}
