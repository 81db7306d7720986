/**
 * The machines under the kubelets: containers and their start and exit records, which outlive a kubelet. The scripted
 * driver's pods do the work; what is added is what a real driver keeps on disk.
 */

import type {
  ContainerSetup,
  FoundContainer,
  PodHandle,
  Runtime,
  StartResult,
} from "../../../src/cluster/kubelet/index.js";
import type { ExitRecord, PodFailure } from "../../../src/cluster/kubelet/pod-state.js";
import { ScriptedPod } from "../../../src/cluster/kubelet/runtime/scripted/scripted-pod.js";
import type { Container, Pod } from "../../../src/core/model/kube/pod.js";
import { behaviourOf } from "./behaviour.js";
import { never, type SimProcess } from "./process.js";
import type { World } from "./world.js";

/** What becomes of containers when the kubelet dies: host processes die with it, docker's go on. */
export type Survival = "die" | "live on";

export interface MachineOptions {
  readonly survival: Survival;
  /** A mutant's machine forgets what it started. */
  readonly records: "kept" | "none";
}

export interface ContainerStartedAt {
  readonly atMs: number;
  readonly pod: Pod;
  readonly container: Container;
  readonly restartCount: number;
}

interface Run {
  readonly restartCount: number;
  readonly startedAt: number;
  state: "recorded" | "alive" | "lost" | { readonly exit: ExitRecord };
  /** Settles when the run ends, whoever waits. */
  readonly exit: Promise<ExitRecord>;
}

interface SimPod {
  /** Of the kubelet that opened it. */
  readonly role: string;
  readonly pod: Pod;
  readonly script: ScriptedPod;
  readonly runs: Map<string, Run>;
  isRemoved: boolean;
  evict: (failure: PodFailure) => void;
  readonly evicted: Promise<PodFailure>;
}

export class Machine {
  /** Every container that ever began. */
  readonly starts: ContainerStartedAt[] = [];
  /** By machine, then by UID: what lies on its disk. */
  readonly #disks = new Map<string, Map<string, SimPod>>();
  #startCount = 0;
  #endCount = 0;

  constructor(
    private readonly world: World,
    private readonly options: MachineOptions,
  ) {}

  /** The driver as one kubelet process on the machine `host` has it. */
  runtimeFor(process: SimProcess, host: string): Runtime {
    return {
      name: "simulated",
      files: "none",
      start: () => Promise.resolve(),
      openPod: (setup) => Promise.resolve(this.#handle(process, this.#podOf(process, host, setup.pod))),
      close: () => Promise.resolve(),
    };
  }

  /** The kubelet of `host` died. */
  kubeletDied(host: string): void {
    if (this.options.survival === "die") this.stopAll(host);
  }

  /** No container of `host` runs on. */
  stopAll(host: string): void {
    for (const pod of this.#disk(host).values()) {
      pod.script.close();
      for (const run of pod.runs.values()) if (run.state === "alive" || run.state === "recorded") run.state = "lost";
    }
  }

  /** Ends what runs on `host` of pods that are not there any more. */
  endStrays(host: string, isThere: (uid: string) => boolean): void {
    for (const [uid, { pod, script, runs }] of this.#disk(host)) {
      if (isThere(uid)) continue;
      for (const [name, run] of runs) {
        if (run.state !== "alive") continue;
        this.world.history.add("machine", () => `ends ${pod.metadata.name}/${name}, whose pod is gone`);
        void script.signal(name, "SIGKILL");
      }
    }
  }

  /** What `host` had on its disk is lost too: who comes under its name begins with nothing. */
  wipe(host: string): void {
    this.stopAll(host);
    this.#disks.delete(host);
  }

  /** UIDs of pods with containers that run. */
  running(): readonly string[] {
    return this.#all()
      .filter(({ runs }) => [...runs.values()].some((run) => run.state === "alive"))
      .map(({ pod }) => pod.metadata.uid ?? "");
  }

  /** The kernel's or the node's doing. */
  end(uid: string, how: "evict" | "oom" | "preempt"): void {
    const pod = this.#all().find((one) => one.pod.metadata.uid === uid);
    if (pod === undefined) return;
    if (how === "oom") {
      for (const [name, run] of pod.runs) if (run.state === "alive") void pod.script.signal(name, "SIGKILL");
    } else {
      pod.evict(
        how === "evict"
          ? { reason: "Evicted", message: "The node was low on resource: memory (simulated)" }
          : { reason: "Preempting", message: "Preempted in order to admit critical pod (simulated)" },
      );
    }
  }

  #all(): readonly SimPod[] {
    return [...this.#disks.values()].flatMap((pods) => [...pods.values()]);
  }

  #disk(host: string): Map<string, SimPod> {
    const known = this.#disks.get(host);
    if (known !== undefined) return known;
    const made = new Map<string, SimPod>();
    this.#disks.set(host, made);
    return made;
  }

  #handle(process: SimProcess, known: SimPod): PodHandle {
    return {
      ip: known.script.ip,
      evicted: known.evicted,
      found: this.options.records === "none" || known.isRemoved ? [] : foundIn(known),
      startContainer: (setup) => this.#start(process, known, setup),
      ended: (name) => known.runs.get(name)?.exit ?? Promise.reject(new Error(`${name} was never started`)),
      signal: (name, signal) => known.script.signal(name, signal),
      exec: () => known.script.exec(),
      probe: (name, probe) => known.script.probe(name, probe),
      shell: () => Promise.resolve(undefined),
      readFile: (name, path) => known.script.readFile(name, path),
      exportPath: (name, path) => known.script.exportPath(name, path),
      log: (name) => known.script.log(name),
      remove: () => {
        // The host driver's records go with the files: what is begun afterwards is begun again.
        known.isRemoved = true;
        return Promise.resolve();
      },
    };
  }

  #podOf({ role }: SimProcess, host: string, pod: Pod): SimPod {
    const uid = pod.metadata.uid ?? "";
    const disk = this.#disk(host);
    const known = disk.get(uid);
    if (known !== undefined) return known;
    let evict: (failure: PodFailure) => void = () => undefined;
    const evicted = new Promise<PodFailure>((resolve) => {
      evict = resolve;
    });
    const outcomeOf = (container: Container) => this.world.outcomeOf(pod, container) ?? behaviourOf(pod, container);
    const made: SimPod = {
      role,
      pod,
      script: new ScriptedPod({ clock: this.world.clock, outcomeOf }),
      runs: new Map(),
      isRemoved: false,
      evict,
      evicted,
    };
    disk.set(uid, made);
    return made;
  }

  #start(process: SimProcess, pod: SimPod, setup: ContainerSetup): Promise<StartResult> {
    if (process.isDead) return never();
    if (pod.isRemoved) {
      // What is begun now has records of its own.
      pod.runs.clear();
      pod.isRemoved = false;
    }
    const fault = this.world.weather.onContainerStart(++this.#startCount);
    if (fault?.kind === "crash-at-start") return this.#crashingStart(process, pod, { setup, point: fault.point });
    return this.#begin(pod, setup);
  }

  #crashingStart(
    process: SimProcess,
    pod: SimPod,
    { setup, point }: { readonly setup: ContainerSetup; readonly point: "unrecorded" | "recorded" | "started" },
  ): Promise<StartResult> {
    const { name } = setup.container;
    this.world.history.add("fault", () => `kubelet dies at the start of ${pod.pod.metadata.name}/${name}: ${point}`);
    if (point === "started") void this.#begin(pod, setup);
    if (point === "recorded") pod.runs.set(name, this.#recorded(setup));
    this.world.crash(process.role);
    return never();
  }

  /** Record and process come into being at one moment; a kubelet that dies then finds both. */
  #begin(pod: SimPod, setup: ContainerSetup): Promise<StartResult> {
    const { container, restartCount } = setup;
    const answer = pod.script.startContainer(setup);
    const run: Run = {
      restartCount,
      startedAt: this.world.clock.now(),
      state: "alive",
      exit: pod.script.ended(container.name).then((exit) => this.#hasEnded(pod, run, exit)),
    };
    pod.runs.set(container.name, run);
    this.starts.push({ atMs: this.world.clock.monotonic(), pod: pod.pod, container, restartCount });
    this.world.history.add("machine", () => `starts ${pod.pod.metadata.name}/${container.name}`);
    return answer;
  }

  #recorded({ restartCount }: ContainerSetup): Run {
    return { restartCount, startedAt: this.world.clock.now(), state: "recorded", exit: never() };
  }

  /** The exit record is written before anyone is told. */
  #hasEnded(pod: SimPod, run: Run, exit: ExitRecord): Promise<ExitRecord> | ExitRecord {
    if (run.state !== "alive") return never();
    this.world.history.add("machine", () => `${pod.pod.metadata.name}: a container ends with ${exit.exitCode}`);
    if (this.world.weather.onContainerEnd(++this.#endCount) !== undefined) {
      run.state = "lost";
      this.world.crash(pod.role);
      return never();
    }
    run.state = { exit };
    return exit;
  }
}

/** What the records say after a restart: a start without an end that does not live any more is lost. */
function foundIn(pod: SimPod): readonly FoundContainer[] {
  return [...pod.runs].map(([name, { restartCount, startedAt, state }]) => ({
    name,
    restartCount,
    startedAt,
    state: state === "recorded" ? "lost" : state,
  }));
}
