/** Runs one pod: asks the pod machine what to do, does it, and tells the API what came of it. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Container, Pod } from "../../core/model/kube/pod.js";
import { messageOf } from "../../core/std/message.js";
import { plain } from "../../core/std/plain.js";
import type { Timer } from "../../kube/clock.js";
import { adoptedRecords } from "./adopt.js";
import type { BuiltinRun } from "./builtin-run.js";
import type { MissingConfig } from "./config-source.js";
import { type ContainerStart, type Neighbours, startContainer } from "./container-start.js";
import { ContainerWaiters } from "./container-waiters.js";
import { keepsFiles } from "./ended-before.js";
import type { KubeletContext } from "./kubelet-context.js";
import { readTail } from "./logs.js";
import { backOffMs, decidePod, graceMsOf, mustLook, type PodAction } from "./pod-machine.js";
import { PodProbes } from "./pod-probes.js";
import { hasBegun, podFolder, type ReadyPod, type SetupOutcome, setUpPod } from "./pod-setup.js";
import {
  type ContainerRecord,
  type ExitRecord,
  exitOf,
  type PodFailure,
  type PodState,
  type PodStop,
  recordOf,
} from "./pod-state.js";
import type { LogSource, PodHandle } from "./runtime/port.js";
import { statusOf } from "./status.js";
import { StatusWriter } from "./status-writer.js";
import { terminationMessage } from "./termination-message.js";
import { monotonicOf } from "./time.js";
import { urgencyOf } from "./urgency.js";

const SETUP_RETRY_MS = 1000;
/** As the kubelet does: also a pod that is deleted by force, but is still there, is asked before it is killed. */
const LEAST_GRACE_MS = 2000;

export interface PodWorkerEvents {
  /** Its containers have ended, for ever: its slot is free. */
  readonly ended: (uid: string) => void;
  /** Its last status is written, or it is gone: nothing will happen any more. */
  readonly finished: (uid: string) => void;
}

export class PodWorker {
  readonly uid: string;
  readonly #context: KubeletContext;
  readonly #events: PodWorkerEvents;
  readonly #writer: StatusWriter;
  readonly #probes: PodProbes;
  readonly #waiters = new ContainerWaiters();
  readonly #builtins = new Map<string, BuiltinRun>();
  readonly #stopping = new AbortController();
  /** How to take back each try that is to come. */
  readonly #tries = new Set<() => void>();
  #state: PodState;
  #ready: ReadyPod | undefined;
  #failedStarts = new Map<string, number>();
  #timer: Timer | undefined;
  #isScheduled = false;
  #hasNews = false;
  #isFinished = false;
  #finishing: Promise<void> | undefined;
  #isGone = false;

  constructor(context: KubeletContext, pod: Pod, events: PodWorkerEvents) {
    this.uid = pod.metadata.uid ?? "";
    this.#context = context;
    this.#events = events;
    this.#state = {
      pod,
      admission: { kind: "waiting", message: "" },
      setup: { kind: "waiting" },
      containers: new Map(),
      mayHaveRun: pod.spec.nodeName !== undefined,
    };
    this.#writer = new StatusWriter(context, pod, () => this.gone());
    this.#probes = new PodProbes(context.clock, (name, patch) => this.#patchRecord(name, patch));
    this.#noteDeletion(pod);
  }

  get pod(): Pod {
    return this.#writer.pod;
  }

  /** For reading logs and files; undefined until the pod is set up. */
  get handle(): PodHandle | undefined {
    return this.#ready?.handle;
  }

  /** It has a slot since `at`, milliseconds since the epoch. */
  admit(at: number): void {
    this.#writer.bind();
    this.#change({ admission: { kind: "admitted", at, since: monotonicOf(this.#context.clock, at) } });
  }

  wait(message: string): void {
    this.#change({ admission: { kind: "waiting", message } });
  }

  /** The API shows a newer version. */
  update(pod: Pod): void {
    this.#writer.saw(pod);
    this.#noteDeletion(this.#writer.pod);
    this.#change({ pod: this.#writer.pod });
  }

  /** The API has no such pod any more: what still runs is killed. */
  gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#writer.stop();
    this.#stop({ at: this.#context.clock.monotonic(), graceMs: 0 });
  }

  /** To containers that run; others are left alone. Without names: to all of them. */
  async signal(signal: "SIGTERM" | "SIGKILL" | "SIGINT", containers: readonly string[]): Promise<void> {
    const all = [...(this.#state.pod.spec.initContainers ?? []), ...this.#state.pod.spec.containers];
    const names = containers.length > 0 ? containers : all.map((one) => one.name);
    await Promise.all(names.map((name) => this.#send(name, signal)));
  }

  /** Resolves when the container has ended for good. */
  ended(containerName: string): Promise<ExitRecord> {
    const exit = exitOf(recordOf(this.#state, containerName));
    return exit === undefined ? this.#waiters.wait(containerName) : Promise.resolve(exit);
  }

  /** Resolves when the container has begun, or never will. */
  begun(containerName: string): Promise<void> {
    const { kind } = recordOf(this.#state, containerName).state;
    return kind === "running" || kind === "terminated" ? Promise.resolve() : this.#waiters.begun(containerName);
  }

  log(containerName: string): LogSource | undefined {
    return this.#builtins.get(containerName)?.log ?? this.#ready?.handle.log(containerName);
  }

  /** No timer of this pod goes off any more, nothing more is written; what is being cleared away still is. */
  async close(): Promise<void> {
    this.#isFinished = true;
    for (const builtin of this.#builtins.values()) builtin.abandon();
    this.#waiters.tellRest(this.#context.clock.now());
    this.#timer?.cancel();
    this.#takeAllBack();
    this.#probes.stop();
    this.#writer.stop();
    await this.#finishing;
  }

  #noteDeletion(pod: Pod): void {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    if (deletionTimestamp === undefined) return;
    const graceMs = Math.max(LEAST_GRACE_MS, deletionGracePeriodSeconds * 1000);
    this.#stop({ at: this.#state.stop?.at ?? this.#context.clock.monotonic(), graceMs });
  }

  /** What ends the pod sooner wins. */
  #stop(stop: PodStop): void {
    const before = this.#state.stop;
    if (before !== undefined && before.at + before.graceMs <= stop.at + stop.graceMs) return;
    // With a reason: without one, an error with a stack would be made for each pod, and nobody reads it.
    this.#stopping.abort("the pod is stopped");
    this.#change({ stop });
  }

  #change(patch: Partial<PodState>): void {
    this.#state = { ...plain, ...this.#state, ...patch };
    // A newer version of the pod says nothing new about its status: that is ours.
    this.#hasNews ||= Object.keys(patch).some((field) => field !== "pod");
    this.#schedule();
  }

  #patchRecord(name: string, patch: Partial<ContainerRecord>): void {
    const containers = new Map(this.#state.containers);
    containers.set(name, { ...plain, ...recordOf(this.#state, name), ...patch });
    this.#change({ containers });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isFinished) return;
    this.#isScheduled = true;
    // Not queueMicrotask, for which Node makes a resource of its own each time.
    void Promise.resolve().then(() => {
      this.#isScheduled = false;
      if (this.#isFinished) return;
      try {
        this.#step();
      } catch (error) {
        this.#abandon(error);
      }
    });
  }

  /** A pod that cannot be made out, whoever wrote it, must not end the others. */
  #abandon(error: unknown): void {
    this.#context.onError(error, this.#state.pod);
    void this.close();
    this.#context.clearing.add(() => this.#removeFiles());
    this.#events.ended(this.uid);
    this.#events.finished(this.uid);
  }

  #step(): void {
    const now = this.#context.clock.monotonic();
    const decision = decidePod(this.#state, now);
    for (const action of decision.actions) this.#carryOut(action);
    this.#timer?.cancel();
    this.#timer =
      decision.wakeAt === undefined
        ? undefined
        : this.#context.clock.after(Math.max(0, decision.wakeAt - now), () => this.#schedule());
    if (decision.finished) {
      this.#finishing = this.#finish().catch((error: unknown) => this.#context.onError(error, this.#state.pod));
      return;
    }
    const isAsked = this.#state.admission.kind === "admitted" || this.#state.admission.message !== "";
    const isKnown = isAsked && !mustLook(this.#state);
    if (!this.#isGone && isKnown && this.#hasNews) this.#publish(false);
  }

  #publish(finished: boolean): void {
    this.#hasNews = false;
    const status = statusOf({
      nodeName: this.#context.nodeName,
      state: { ...plain, ...this.#state, pod: this.#writer.pod },
      finished,
      now: this.#context.clock.now(),
    });
    this.#writer.publish(status, urgencyOf(status, this.#writer.pod.status));
  }

  #carryOut(action: PodAction): void {
    switch (action.kind) {
      case "set-up":
        this.#setUp();
        break;
      case "fail":
        this.#change({ failure: action.failure });
        this.#stop(action.stop);
        break;
      case "start":
        this.#start(action.container, action.restartCount);
        break;
      case "signal":
        this.#send(action.container, action.signal).catch((error: unknown) =>
          this.#context.onError(error, this.#state.pod),
        );
    }
  }

  #setUp(): void {
    this.#change({ setup: { kind: "working" } });
    const since = this.#context.source.changes;
    setUpPod(this.#context, this.#state.pod).then(
      (outcome) => this.#wasSetUp(outcome, since),
      (error: unknown) => this.#retrySetup(error),
    );
  }

  #retrySetup(error: unknown): void {
    this.#context.onError(error, this.#state.pod);
    const unseen = hasBegun(this.#context, this.#state.pod) ? { isUnseen: true as const } : {};
    this.#change({ setup: { kind: "waiting", reason: "ContainerCreating", message: messageOf(error), ...unseen } });
    this.#again(undefined, SETUP_RETRY_MS, () => this.#change({ setup: { kind: "waiting" } }));
  }

  #wasSetUp(outcome: SetupOutcome, since: number): void {
    if (outcome.kind === "refused") {
      const failure = { reason: outcome.reason, message: outcome.message };
      this.#change({ failure, setup: { kind: "refused" } });
      this.#stop({ at: this.#context.clock.monotonic(), graceMs: 0 });
    } else if (outcome.kind === "waiting") {
      this.#change({ setup: { kind: "waiting", reason: "ContainerCreating", message: outcome.message } });
      const missing = outcome.missing === undefined ? undefined : { ...outcome.missing, since };
      this.#again(missing, SETUP_RETRY_MS, () => this.#change({ setup: { kind: "waiting" } }));
    } else {
      void this.#writer.bound.then((isOurs) => this.#mayStart(outcome, isOurs));
    }
  }

  /** A pod that was deleted before it was ours never starts; its deletion ends it. */
  #mayStart(outcome: ReadyPod, isOurs: boolean): void {
    if (isOurs) this.#isReady(outcome);
    else this.#giveUp(outcome.handle);
  }

  #giveUp(handle: PodHandle): void {
    handle.remove().catch((error: unknown) => this.#context.onError(error, this.#state.pod));
  }

  #isReady(outcome: ReadyPod): void {
    this.#ready = outcome;
    if (this.#isFinished) {
      this.#giveUp(outcome.handle);
      return;
    }
    const containers = adoptedRecords(this.#state.pod, outcome.handle.found, this.#context);
    this.#change({ setup: { kind: "ready", ip: outcome.handle.ip }, containers });
    void outcome.handle.evicted?.then((failure) => this.#evict(failure));
    const { initContainers = [], containers: mains } = this.#state.pod.spec;
    for (const container of [...initContainers, ...mains]) {
      const record = containers.get(container.name);
      if (record?.state.kind === "running") this.#takeUp(container, record, outcome.handle);
    }
  }

  /** One that was begun by an earlier process, and still runs. */
  #takeUp(container: Container, { started }: ContainerRecord, handle: PodHandle): void {
    this.#probes.begin(container, handle, { isStarted: started });
    this.#follow(container.name, handle.ended(container.name));
  }

  #evict(failure: PodFailure): void {
    if (this.#isFinished) return;
    this.#change({ failure });
    this.#stop({ at: this.#context.clock.monotonic(), graceMs: graceMsOf(this.#state.pod.spec) });
  }

  /** Calls `retry` when what is missing is there, or after a while. */
  #again(missing: (MissingConfig & { readonly since: number }) | undefined, afterMs: number, retry: () => void): void {
    if (this.#isFinished) return;
    const { clock, source } = this.#context;
    const now = (): void => {
      this.#tries.delete(takeBack);
      retry();
    };
    const timer = missing === undefined ? clock.after(afterMs, now) : undefined;
    const stopWaiting = missing === undefined ? undefined : source.wait(missing, missing.since, now);
    const takeBack = (): void => {
      timer?.cancel();
      stopWaiting?.();
    };
    this.#tries.add(takeBack);
  }

  #takeAllBack(): void {
    for (const takeBack of this.#tries) takeBack();
    this.#tries.clear();
  }

  #start(container: Container, restartCount: number): void {
    const ready = this.#ready;
    if (ready === undefined) return;
    const { name } = container;
    const before = recordOf(this.#state, name);
    const lastExit = exitOf(before) ?? before.lastExit;
    const containers = new Map(this.#state.containers);
    containers.set(name, {
      restartCount,
      state: { kind: "starting" },
      ready: false,
      started: false,
      ...(lastExit === undefined ? {} : { lastExit }),
    });
    this.#change({ containers });
    const since = this.#context.source.changes;
    startContainer({
      context: this.#context,
      pod: this.#state.pod,
      ready,
      container,
      restartCount,
      waiting: (reason, message) => this.#patchRecord(name, { state: { kind: "starting", reason, message } }),
      signal: this.#stopping.signal,
      neighbours: this.#neighbours,
    }).then(
      (start) => this.#wasStarted(container, start, since),
      (error: unknown) => {
        this.#context.onError(error, this.#state.pod);
        const message = messageOf(error);
        this.#wasStarted(container, { kind: "waiting", reason: "CreateContainerError", message }, since);
      },
    );
  }

  readonly #neighbours: Neighbours = {
    ended: (name) => this.ended(name),
    log: (name) => this.#logOf(name),
    stdoutTail: (name, maxBytes) => readTail(this.#logOf(name), "stdout", maxBytes),
  };

  #logOf(name: string): LogSource {
    const log = this.log(name);
    if (log === undefined) throw new Error(`container ${name} has no log yet`);
    return log;
  }

  #wasStarted(container: Container, start: ContainerStart, since: number): void {
    const { name } = container;
    if (start.kind !== "waiting") this.#failedStarts.delete(name);
    if (start.kind === "waiting") this.#waits(name, start, since);
    else if (start.kind === "failed") this.#hasEnded(name, start.exit);
    else this.#runs(container, start);
  }

  #runs(container: Container, start: Extract<ContainerStart, { kind: "started" }>): void {
    const { name } = container;
    if (start.builtin !== undefined) this.#builtins.set(name, start.builtin);
    this.#learnAddress();
    this.#patchRecord(name, {
      state: { kind: "running", startedAt: start.startedAt },
      containerID: start.containerID,
      ready: container.readinessProbe === undefined,
      started: container.startupProbe === undefined,
    });
    if (this.#ready !== undefined) this.#probes.begin(container, this.#ready.handle, { isStarted: false });
    this.#waiters.tellBegun(name);
    this.#follow(name, start.exit);
  }

  /** Some drivers know a pod's address only once a container runs. */
  #learnAddress(): void {
    const { setup } = this.#state;
    const ip = this.#ready?.handle.ip;
    if (ip !== undefined && setup.kind === "ready" && setup.ip !== ip) this.#change({ setup: { kind: "ready", ip } });
  }

  #waits(name: string, start: Extract<ContainerStart, { kind: "waiting" }>, since: number): void {
    const failures = (this.#failedStarts.get(name) ?? 0) + 1;
    this.#failedStarts.set(name, failures);
    const { reason, message } = start;
    const missing = start.missing === undefined ? undefined : { ...start.missing, since };
    this.#patchRecord(name, { state: { kind: "waiting", reason, message, until: Number.POSITIVE_INFINITY } });
    this.#again(missing, backOffMs(failures), () => {
      if (recordOf(this.#state, name).state.kind === "waiting")
        this.#patchRecord(name, { state: { kind: "waiting", reason, message } });
    });
  }

  #follow(name: string, exit: Promise<ExitRecord>): void {
    exit
      .then((record) => this.#withMessage(name, record))
      .then(
        (record) => this.#hasEnded(name, record),
        (error: unknown) => this.#context.onError(error, this.#state.pod),
      );
  }

  async #withMessage(name: string, exit: ExitRecord): Promise<ExitRecord> {
    const { initContainers = [], containers } = this.#state.pod.spec;
    const container = [...initContainers, ...containers].find((one) => one.name === name);
    const isOwn = exit.message === undefined && !this.#builtins.has(name);
    if (!isOwn || container === undefined || this.#ready === undefined) return exit;
    const message = await terminationMessage(this.#ready.handle, container, exit.exitCode).catch(() => undefined);
    return message === undefined ? exit : { ...exit, message };
  }

  #hasEnded(name: string, exit: ExitRecord): void {
    this.#probes.end(name);
    const since = this.#context.clock.monotonic();
    this.#patchRecord(name, { state: { kind: "terminated", exit, since }, ready: false, started: false });
    this.#waiters.tell(name, exit);
  }

  async #send(name: string, signal: "SIGTERM" | "SIGKILL" | "SIGINT"): Promise<void> {
    const record = recordOf(this.#state, name);
    if (record.state.kind !== "running") return;
    if (signal !== "SIGINT") {
      const sentAt = this.#context.clock.monotonic();
      this.#patchRecord(name, { signalled: { signal, at: record.signalled?.at ?? sentAt, sentAt } });
    }
    const builtin = this.#builtins.get(name);
    if (builtin !== undefined) builtin.signal(signal);
    else await this.#ready?.handle.signal(name, signal);
  }

  async #finish(): Promise<void> {
    if (!this.#isGone && this.#state.admission.kind === "admitted") this.#publish(true);
    this.#isFinished = true;
    this.#timer?.cancel();
    this.#probes.stop();
    this.#takeAllBack();
    this.#waiters.tellRest(this.#context.clock.now());
    this.#events.ended(this.uid);
    await this.#writer.flushed();
    if (!keepsFiles(this.#context, this.#writer.pod)) this.#context.clearing.add(() => this.#removeFiles());
    // The writer may have met a deletion that the watch has still to tell of.
    if (this.pod.metadata.deletionTimestamp !== undefined && !this.#isGone) await this.#writer.delete();
    this.#events.finished(this.uid);
  }

  async #removeFiles(): Promise<void> {
    try {
      await this.#ready?.handle.remove();
      const volumes = join(podFolder(this.#context, this.#state.pod), "volumes");
      const hasNone = this.#ready?.volumes.length === 0 || this.#context.runtime.files === "none";
      if (!hasNone) await rm(volumes, { recursive: true, force: true });
    } catch (error) {
      this.#context.onError(error, this.#state.pod);
    }
  }
}
