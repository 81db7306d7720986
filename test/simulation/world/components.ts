/** The processes of a world: started, killed, started again. */

import type { Kubelet } from "../../../src/cluster/kubelet/index.js";
import { type Controller, type Election, startController } from "../../../src/controller/index.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import type { ResourceType } from "../../../src/core/model/resources.js";
import { invalidSpecOrNeed } from "../../../src/core/validate/index.js";
import { TransportError } from "../../../src/kube/errors.js";
import { checkedEngine } from "../invariants/engine-twice.js";
import { FIRST_HOST, Host, type HostRoles, usualRoles } from "./host.js";
import { connect } from "./network.js";
import { SimProcess } from "./process.js";
import type { World } from "./world.js";

/** As on a cluster: far above what a few workflows need, far below what a loop that spins would. */
const budgets = { reconcile: { ratePerSecond: 100, burst: 200 }, cleanup: { ratePerSecond: 100, burst: 200 } };

/** What a process calls itself in the lease. That lies where the controllers do: workflows' namespaces come and go. */
export function electionOf({ name }: SimProcess): Election {
  return { lease: { namespace: "controllers", name: "workflow-controller" }, identity: name };
}

export class Components {
  readonly #processes = new Map<string, SimProcess>();
  readonly #starts = new Map<string, number>();
  /** In the order in which they came. */
  readonly #hosts: Host[] = [];
  readonly #controllers = new Map<string, Controller>();

  constructor(private readonly world: World) {}

  get controllerRoles(): readonly string[] {
    return this.world.options.controllers === 1 ? ["controller"] : ["controller-a", "controller-b"];
  }

  startAll(): void {
    this.addHost(FIRST_HOST, usualRoles);
    for (const role of this.controllerRoles) this.#startController(role);
  }

  killAll(): void {
    for (const process of this.#processes.values()) process.kill();
  }

  /** Of the first machine, or of who came in its place. */
  get kubelet(): Kubelet | undefined {
    return this.#hostWith(usualRoles.kubelet)?.kubelet;
  }

  /** Machines that the cluster knows of, whatever state they are in. */
  get hosts(): readonly Host[] {
    return this.#hosts;
  }

  /** A machine joins, and its kubelet begins to work. */
  addHost(name: string, roles: HostRoles): void {
    const host = new Host(this.world, { name, roles }, (role) => this.#process(role));
    this.#hosts.push(host);
    host.start();
  }

  /** It is not of the cluster any more. */
  removeHost(host: Host): void {
    const index = this.#hosts.indexOf(host);
    if (index >= 0) this.#hosts.splice(index, 1);
  }

  /** The machine that a pod was given to; undefined: none, or one that is not there. */
  hostOf({ spec }: Pod): Host | undefined {
    return this.#hosts.find(({ name }) => name === spec.nodeName);
  }

  controllers(): readonly Controller[] {
    return [...this.#controllers.values()];
  }

  process(role: string): SimProcess | undefined {
    return this.#processes.get(role);
  }

  /** Whether it was there to die. */
  crash(role: string, downMs: number): boolean {
    const host = this.#hostWith(role);
    const real = host?.roles.kubelet ?? role;
    const process = this.#processes.get(real);
    if (process === undefined || process.isDead) return false;
    this.world.history.add("world", () => `${process.name} dies, back in ${downMs} ms`);
    if (host === undefined) this.#killController(real);
    else host.kill();
    this.world.clock.after(downMs, () => {
      if (host === undefined) this.#startController(real);
      else host.start();
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
    if (this.#hosts.length === 0) yield "there is no machine";
    for (const host of this.#hosts) yield* host.behind();
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

  /** On which a process of that role runs, or ran: roles of a machine that is off may have gone to another. */
  #hostWith(role: string): Host | undefined {
    const all = this.#hosts.filter(({ roles }) => roles.kubelet === role || roles.executor === role);
    return all.find(({ isOff }) => !isOff) ?? all[0];
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
        ...(world.options.binding === "controller" && { boundTo: FIRST_HOST }),
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
    const host = this.hostOf(pod);
    if (host?.kubelet === undefined || !host.answers) throw new TransportError("the kubelet does not answer");
    this.world.history.add(from.name, () => `${signal} to ${pod.metadata.name} ${containers.join(",")}`);
    await host.kubelet.signal({ uid: pod.metadata.uid ?? "" }, signal, containers);
  }
}
