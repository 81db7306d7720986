/** The machine under the kubelet: scripted containers that outlive it, begin as late as recorded, and whose starts are kept. */

import type {
  ContainerSetup,
  FoundContainer,
  PodHandle,
  Runtime,
  ScriptOutcome,
  StartResult,
} from "../../../src/cluster/kubelet/index.js";
import type { ExitRecord } from "../../../src/cluster/kubelet/pod-state.js";
import { PodRefusedError } from "../../../src/cluster/kubelet/runtime/port.js";
import { ScriptedPod } from "../../../src/cluster/kubelet/runtime/scripted/scripted-pod.js";
import type { Container, Pod } from "../../../src/core/model/kube/pod.js";
import type { Clock } from "../../../src/kube/clock.js";

export interface MachineOptions {
  readonly clock: Clock;
  outcomeOf(pod: Pod, container: Container): ScriptOutcome;
  /** How long the pod's first container takes to begin. */
  startDelayMs(pod: Pod): number;
  /** The machine will not have the pod: reason and message. */
  refusal(pod: Pod): { readonly reason: string; readonly message: string } | undefined;
}

export interface StartedContainer {
  readonly pod: Pod;
  readonly container: Container;
  readonly restartCount: number;
}

interface Run {
  readonly restartCount: number;
  readonly startedAt: number;
  state: "alive" | { readonly exit: ExitRecord };
}

interface MachinePod {
  readonly script: ScriptedPod;
  readonly runs: Map<string, Run>;
  hasBegun: boolean;
}

export class Machine {
  readonly starts: StartedContainer[] = [];
  readonly #pods = new Map<string, MachinePod>();

  constructor(private readonly options: MachineOptions) {}

  runtime(): Runtime {
    return {
      name: "lifecycle",
      files: "none",
      start: () => Promise.resolve(),
      openPod: async ({ pod }) => this.#open(pod),
      close: () => Promise.resolve(),
    };
  }

  /** UIDs of pods with containers that run. */
  running(): readonly string[] {
    return [...this.#pods]
      .filter(([, { runs }]) => [...runs.values()].some(({ state }) => state === "alive"))
      .map(([uid]) => uid);
  }

  /** From outside of the cluster. */
  async signal(uid: string, containerName: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#pods.get(uid)?.script.signal(containerName, signal);
  }

  #open(pod: Pod): PodHandle {
    const refusal = this.options.refusal(pod);
    if (refusal !== undefined) throw new PodRefusedError(refusal.reason, refusal.message);
    const known = this.#podOf(pod);
    const { script } = known;
    return {
      ip: script.ip,
      evicted: script.evicted,
      found: [...known.runs].map(
        ([name, { restartCount, startedAt, state }]): FoundContainer => ({
          name,
          restartCount,
          startedAt,
          state,
        }),
      ),
      startContainer: (setup) => this.#start(pod, known, setup),
      ended: (name) => script.ended(name),
      signal: (name, signal) => script.signal(name, signal),
      exec: () => script.exec(),
      probe: (name, probe) => script.probe(name, probe),
      shell: () => script.shell(),
      readFile: (name, path) => script.readFile(name, path),
      exportPath: (name, path) => script.exportPath(name, path),
      log: (name) => script.log(name),
      remove: () => Promise.resolve(),
    };
  }

  #podOf(pod: Pod): MachinePod {
    const uid = pod.metadata.uid ?? "";
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    const outcomeOf = (container: Container): ScriptOutcome => this.options.outcomeOf(pod, container);
    const made = {
      script: new ScriptedPod({ clock: this.options.clock, outcomeOf }),
      runs: new Map(),
      hasBegun: false,
    };
    this.#pods.set(uid, made);
    return made;
  }

  async #start(pod: Pod, known: MachinePod, setup: ContainerSetup): Promise<StartResult> {
    if (!known.hasBegun && !(await this.#delay(pod, setup.signal)))
      return { kind: "waiting", reason: "ContainerCreating", message: "not wanted any more" };
    known.hasBegun = true;
    const { container, restartCount } = setup;
    const result = await known.script.startContainer(setup);
    if (result.kind !== "started") return result;
    const run: Run = { restartCount, startedAt: result.startedAt, state: "alive" };
    known.runs.set(container.name, run);
    this.starts.push({ pod, container, restartCount });
    void known.script.ended(container.name).then((exit) => {
      run.state = { exit };
    });
    return result;
  }

  /** False: given up. */
  #delay(pod: Pod, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = this.options.clock.after(this.options.startDelayMs(pod), () => resolve(true));
      signal.addEventListener("abort", () => {
        timer.cancel();
        resolve(false);
      });
    });
  }
}
