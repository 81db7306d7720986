/** The embedded cluster's one node: takes pods from the API, gives them slots, runs them. */

import { setMaxListeners } from "node:events";
import { mkdir } from "node:fs/promises";
import type { Pod } from "../../core/model/kube/pod.js";
import { isPodOver } from "../../core/model/kube/pod-phase.js";
import { pods } from "../../core/model/resources.js";
import type { Change } from "../../kube/reflector.js";
import { Reflector } from "../../kube/reflector.js";
import { ConfigSource } from "./config-source.js";
import { clearEnded, isUncleared } from "./ended-before.js";
import type { KubeletContext } from "./kubelet-context.js";
import { type LogOptions, readLog } from "./logs.js";
import { type KubeletOptions, withDefaults } from "./options.js";
import { podFolder } from "./pod-setup.js";
import { PodWorker } from "./pod-worker.js";
import type { ExportedPath, PodHandle, ShellCommand } from "./runtime/port.js";
import { Slots } from "./slots.js";
import { msOfKubeTime } from "./time.js";
import { endDeletion } from "./until-done.js";

/** Which pod is meant: by UID, so that a later one of the same name is never touched. */
export interface PodRef {
  readonly uid: string;
}

export interface Kubelet {
  /** To running containers (all, where none is named); the pod itself goes on. Unknown or ended pods are left alone. */
  signal(pod: PodRef, signal: "SIGTERM" | "SIGKILL" | "SIGINT", containers: readonly string[]): Promise<void>;
  /** The log of a container's newest run (or the one before it), also of ended pods. Empty where there is none. */
  readLog(pod: Pod, containerName: string, options?: LogOptions): AsyncIterable<Uint8Array>;
  /** Resolves with the container's exit code when it has ended; undefined for a pod that does not run here. */
  ended(pod: PodRef, containerName: string): Promise<number | undefined>;
  /** A file as the container saw it, also after its end; of a longer one at least the first `maxBytes`. */
  readFile(pod: Pod, containerName: string, path: string, maxBytes: number): Promise<Buffer | undefined>;
  exportPath(pod: Pod, containerName: string, path: string): Promise<ExportedPath | undefined>;
  /** How to open a shell with the container's files; undefined when they are gone. */
  shell(pod: Pod, containerName: string): Promise<ShellCommand | undefined>;
  /** Pods that have not ended. */
  readonly running: number;
  /** What is held in memory for pods; 0 when none is at work. */
  held(): number;
  /**
   * Ends all containers and stops; nothing more is written to the API. Pods that have just ended are cleared away
   * first.
   */
  close(): Promise<void>;
  /** The same at once, whatever is under way, also while `close` is; resolves when no process is left. */
  kill(): Promise<void>;
}

/** Resolves when the runtime is ready and the first pods are seen. Rejects when the runtime cannot start. */
export async function startKubelet(options: KubeletOptions): Promise<Kubelet> {
  const source = new ConfigSource(options.client, options);
  const context = withDefaults(options, source);
  if (context.runtime.files === "disk") {
    for (const folder of [context.podsFolder, context.claimsFolder])
      await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  await context.runtime.start();
  const node = new Node(context, options);
  await node.start();
  return node;
}

class Node implements Kubelet {
  readonly #context: KubeletContext;
  readonly #options: KubeletOptions;
  readonly #slots: Slots;
  readonly #workers = new Map<string, PodWorker>();
  readonly #reflector: Reflector<Pod>;
  /** Pods whose worker has finished while the watch still shows them at work: such a view is old, not a pod to run. */
  readonly #finished = new Set<string>();
  /** Pods that had ended before, and whose deletion is being ended. */
  readonly #ending = new Set<string>();
  readonly #stop = new AbortController();
  #watching: Promise<void> | undefined;
  #runtimeClosed: Promise<void> | undefined;

  constructor(context: KubeletContext, options: KubeletOptions) {
    this.#context = context;
    this.#options = options;
    this.#slots = new Slots(options.maxPods);
    const { client, clock, chance } = options;
    this.#reflector = new Reflector<Pod>({ client, type: pods, clock, chance });
    this.#reflector.addHandler({ changed: (change) => this.#changed(change) });
  }

  async start(): Promise<void> {
    this.#watching = this.#reflector.run(this.#stop.signal);
    if (await this.#reflector.synced) await this.#context.runtime.endOthers?.((uid) => this.#isKnown(uid));
  }

  #isKnown(uid: string): boolean {
    return this.#workers.has(uid) || this.#reflector.store.getByUid(uid) !== undefined;
  }

  get running(): number {
    return this.#workers.size;
  }

  held(): number {
    const { source, clearing } = this.#context;
    const ofPods = this.#workers.size + this.#finished.size + this.#ending.size;
    return ofPods + this.#slots.size + source.size + clearing.size;
  }

  async signal(
    { uid }: PodRef,
    signal: "SIGTERM" | "SIGKILL" | "SIGINT",
    containers: readonly string[],
  ): Promise<void> {
    await this.#workers.get(uid)?.signal(signal, containers);
  }

  async *readLog(pod: Pod, containerName: string, options: LogOptions = {}): AsyncIterable<Uint8Array> {
    if (options.previous === true) {
      yield* this.#readPrevious(pod, containerName, options);
      return;
    }
    const worker = this.#workers.get(pod.metadata.uid ?? "");
    // One signal may end the reading of very many logs.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    if (worker !== undefined && options.follow === true) await begunOrAborted(worker, containerName, options.signal);
    const source = worker?.log(containerName) ?? (await this.#handleOf(pod)).log(containerName);
    const ended = worker === undefined ? Promise.resolve() : worker.ended(containerName);
    yield* readLog(source, ended, options);
  }

  async *#readPrevious(pod: Pod, containerName: string, options: LogOptions): AsyncIterable<Uint8Array> {
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    const status = [...initContainerStatuses, ...containerStatuses].find((one) => one.name === containerName);
    if (status === undefined || status.restartCount === 0) return;
    const log = (await this.#handleOf(pod)).log(containerName, status.restartCount - 1);
    yield* readLog(log, Promise.resolve(), { ...options, follow: false });
  }

  async ended({ uid }: PodRef, containerName: string): Promise<number | undefined> {
    const exit = await this.#workers.get(uid)?.ended(containerName);
    return exit?.exitCode;
  }

  async readFile(pod: Pod, containerName: string, path: string, maxBytes: number): Promise<Buffer | undefined> {
    return (await this.#handleOf(pod)).readFile(containerName, path, maxBytes);
  }

  async exportPath(pod: Pod, containerName: string, path: string): Promise<ExportedPath | undefined> {
    return (await this.#handleOf(pod)).exportPath(containerName, path);
  }

  async shell(pod: Pod, containerName: string): Promise<ShellCommand | undefined> {
    return (await this.#handleOf(pod)).shell(containerName);
  }

  async close(): Promise<void> {
    await this.#stopWorkers();
    await this.#closeRuntime();
    await this.#watching;
  }

  async kill(): Promise<void> {
    const stopped = this.#stopWorkers();
    await Promise.all([this.#closeRuntime(), stopped, this.#watching]);
  }

  /** From here on nobody acts on what becomes of the containers; resolves when what was being cleared away is. */
  async #stopWorkers(): Promise<void> {
    this.#stop.abort();
    this.#context.source.stop();
    await Promise.all([...this.#workers.values()].map((worker) => worker.close()));
    await this.#context.clearing.close();
  }

  #closeRuntime(): Promise<void> {
    this.#runtimeClosed ??= this.#context.runtime.close();
    return this.#runtimeClosed;
  }

  /** Of a pod that has ended, the driver finds its records again. */
  async #handleOf(pod: Pod): Promise<PodHandle> {
    const known = this.#workers.get(pod.metadata.uid ?? "")?.handle;
    return known ?? this.#context.runtime.openPod({ pod, folder: podFolder(this.#context, pod) });
  }

  #changed(change: Change<Pod>): void {
    const pod = change.object;
    const { uid = "" } = pod.metadata;
    const worker = this.#workers.get(uid);
    if (change.type === "deleted" || isOver(pod)) this.#finished.delete(uid);
    if (change.type === "deleted") worker?.gone();
    else if (worker !== undefined) worker.update(pod);
    else if (isOver(pod)) this.#finishEnded(change);
    else if (this.#finished.has(uid)) return;
    else if ([undefined, "", this.#context.nodeName].includes(pod.spec.nodeName)) this.#adopt(pod);
  }

  /** What nobody else does for a pod that has ended: an earlier process may have died before it could. */
  #finishEnded({ type, object }: Change<Pod>): void {
    if (type === "added" && isUncleared(this.#context, object))
      this.#context.clearing.add(() => clearEnded(this.#context, object));
    this.#endDeletion(object);
  }

  /** A pod that ended before its deletion was asked for has nobody else to end that. */
  #endDeletion(pod: Pod): void {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, uid = "" } = pod.metadata;
    if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return;
    if (this.#ending.has(uid)) return;
    this.#ending.add(uid);
    const errand = { context: this.#context, pod, stopped: this.#stop.signal };
    void endDeletion(errand).finally(() => this.#ending.delete(uid));
  }

  #adopt(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    const worker = new PodWorker(this.#context, pod, {
      ended: () => this.#slots.release(uid),
      finished: () => this.#hasFinished(uid),
    });
    this.#workers.set(uid, worker);
    const admittedAt = msOfKubeTime(pod.status?.startTime);
    if (admittedAt !== undefined) {
      if (this.#takesSlot(pod)) this.#slots.take(uid);
      worker.admit(admittedAt);
      return;
    }
    const admit = (): void => worker.admit(this.#context.clock.now());
    if (pod.metadata.deletionTimestamp !== undefined) {
      // An earlier process may have started it before it could write a status: its end has to be told.
      if (pod.spec.nodeName !== undefined) admit();
      return;
    }
    if (this.#takesSlot(pod)) this.#slots.request({ uid, admit, wait: (message) => worker.wait(message) });
    else admit();
  }

  #hasFinished(uid: string): void {
    this.#workers.delete(uid);
    const seen = this.#reflector.store.getByUid(uid);
    if (seen !== undefined && !isOver(seen)) this.#finished.add(uid);
  }

  #takesSlot(pod: Pod): boolean {
    return this.#options.takesSlot?.(pod) ?? true;
  }
}

async function begunOrAborted(
  worker: PodWorker,
  containerName: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) return;
  let stop: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal?.addEventListener("abort", stop, { once: true });
  await Promise.race([worker.begun(containerName), aborted]);
  signal?.removeEventListener("abort", stop);
}

function isOver(pod: Pod): boolean {
  return isPodOver(pod.status?.phase);
}
