/** The controller: two queues over three streams, workflows and pods, each key with one worker. */

import type { EngineOptions } from "../core/engine/options.js";
import type { Pod } from "../core/model/kube/pod.js";
import { viewPod } from "../core/podlife/index.js";
import { withBudget } from "../kube/budget.js";
import type { Client } from "../kube/client.js";
import type { Chance, Clock } from "../kube/clock.js";
import { EventRecorder, referenceTo } from "../kube/events.js";
import { keyTextOf, parseKey } from "../kube/key.js";
import type { ReflectorObserver } from "../kube/reflector.js";
import { type Failure, runWorkers } from "../kube/worker.js";
import { TokenBucket } from "../kube/workqueue/token-bucket.js";
import { WorkQueue } from "../kube/workqueue/work-queue.js";
import { notesOf } from "./notes.js";
import { type OpenRun, OpenRuns } from "./open-runs.js";
import { type ControllerParts, controllerParts } from "./parts.js";
import type { PassPorts } from "./pass.js";
import { Hosts } from "./pods/hosts.js";
import type { ContainerSignals, PodPorts } from "./pods/ports.js";
import { Signalled } from "./pods/signalled.js";
import { type PodCounts, PodTelling } from "./pods/telling.js";
import { TaskResultReader } from "./task-results.js";
import { ControllerWatch } from "./watch.js";

export interface ControllerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly engine: EngineOptions;
  /** How containers are told to end where they run; left out: pods are deleted instead. */
  readonly signals?: ContainerSignals;
  /**
   * `leased`: kubelets elsewhere renew Leases, and one that stops is lost with its pods. Left out: pods run on the machine
   * that we are on, which cannot be lost while we are there to ask.
   */
  readonly hosts?: "leased";
  /**
   * Reads and writes that the API takes from us in a second; half of them are clean-up's own, so that it neither starves
   * passes of workflows nor is starved by them (design 4). Left out: as many as come.
   */
  readonly requestsPerSecond?: number;
  /** Left out: all namespaces. */
  readonly namespace?: string;
  /** Workflows worked on at once. */
  readonly workers?: number;
  /** Pods worked on at once. */
  readonly podWorkers?: number;
  /** Whether ttlStrategy deletes workflows; left out: it does. */
  readonly ttl?: "obeyed" | "ignored";
  readonly observer?: ControllerObserver;
}

/** For logs and metrics. */
export interface ControllerObserver extends ReflectorObserver {
  /** A pass failed; its key comes again. */
  passFailed?(queue: "workflow" | "pod", failure: Failure): void;
  /** For the log: a pod cannot be freed for long, or is surplus. Names pod and UID, and the next try. */
  podTrouble?(line: string): void;
}

export interface Controller {
  /** True once the first lists are in and work begins; false when it was stopped before. */
  readonly started: Promise<boolean>;
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>;
  /** What is held in memory for workflows and pods; 0 at rest with nothing unfinished. */
  held(): number;
  /** For metrics, since the start. */
  readonly podCounts: PodCounts;
}

const defaultWorkers = 32;
/** Argo's podGCDeleteDelayDuration. */
const defaultPodGCDelayMs = 5000;

/** `parts`: what is put in the place of a part that ships; for the simulator. */
export function startController(options: ControllerOptions, parts: Partial<ControllerParts> = {}): Controller {
  return new RunningController(options, { ...controllerParts, ...parts });
}

class RunningController implements Controller {
  readonly started: Promise<boolean>;
  readonly #options: ControllerOptions;
  readonly #parts: ControllerParts;
  readonly #abort = new AbortController();
  readonly #watch: ControllerWatch;
  readonly #runs = new OpenRuns();
  readonly #results: TaskResultReader;
  readonly #signalled = new Signalled();
  readonly #hosts: Hosts | undefined;
  readonly #telling: PodTelling;
  readonly #workflowQueue: WorkQueue;
  /** Clean-up has a queue and workers of its own: it neither starves reconciling nor is starved by it (design 4). */
  readonly #podQueue: WorkQueue;
  readonly #ttlQueue: WorkQueue;
  readonly #recorder: EventRecorder;
  readonly #ended: Promise<unknown>;

  constructor(options: ControllerOptions, parts: ControllerParts) {
    const { client, clock, chance } = options;
    this.#options = options;
    this.#parts = parts;
    this.#watch = new ControllerWatch(options);
    this.#results = new TaskResultReader(this.#watch.client, clock, this.#watch);
    this.#workflowQueue = new WorkQueue({ clock, chance });
    this.#podQueue = new WorkQueue({ clock, chance });
    this.#ttlQueue = new WorkQueue({ clock, chance });
    this.#recorder = new EventRecorder({ client, clock, chance, source: { component: "workflow-controller" } });
    this.#telling = new PodTelling(this.#recorder, (line) => options.observer?.podTrouble?.(line));
    this.#hosts = options.hosts === "leased" ? new Hosts(this.#watch.client, clock) : undefined;
    const streams = this.#watch.run(
      {
        runs: this.#runs,
        results: this.#results,
        workflow: (key) => this.#workflowNews(key),
        pod: (uid) => this.#podQueue.add(uid),
      },
      this.#abort.signal,
    );
    this.started = this.#watch.synced();
    this.#ended = Promise.all([streams, this.started.then((isSynced) => (isSynced ? this.#work() : undefined))]);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#ended;
    await this.#recorder.flush();
  }

  held(): number {
    const queues = this.#workflowQueue.size + this.#podQueue.size + this.#ttlQueue.size;
    return this.#runs.size + this.#results.size + this.#signalled.size + (this.#hosts?.size ?? 0) + queues;
  }

  get podCounts(): PodCounts {
    return this.#telling.counts;
  }

  /** Nothing is decided before all lists are in (design law 6). */
  async #work(): Promise<void> {
    const { clock, workers = defaultWorkers, podWorkers = defaultWorkers } = this.#options;
    const parts = this.#parts;
    const passPorts = this.#passPorts();
    const podPorts = this.#podPorts();
    const ttlPorts = { client: this.#watch.client, clock, caches: this.#watch };
    const { signal } = this.#abort;
    await Promise.all([
      runWorkers(
        {
          queue: this.#workflowQueue,
          workers,
          handle: (key) => parts.pass(passPorts, parseKey(key)),
          onFailure: (failure) => this.#options.observer?.passFailed?.("workflow", failure),
        },
        signal,
      ),
      runWorkers(
        {
          queue: this.#podQueue,
          workers: podWorkers,
          handle: (uid) => parts.podPass(podPorts, this.#signalled, uid),
          onFailure: (failure) => this.#podFailed(failure),
        },
        signal,
      ),
      runWorkers(
        { queue: this.#ttlQueue, workers: 1, handle: (key) => parts.ttlPass(ttlPorts, parseKey(key)) },
        signal,
      ),
    ]);
  }

  #workflowNews(key: string): void {
    this.#workflowQueue.add(key);
    if (this.#options.ttl !== "ignored") this.#ttlQueue.add(key);
  }

  /** The API with a budget of its own. */
  #lane(): Client {
    const { clock, requestsPerSecond } = this.#options;
    const { client } = this.#watch;
    if (requestsPerSecond === undefined) return client;
    const ratePerSecond = requestsPerSecond / 2;
    return withBudget(client, new TokenBucket({ clock, ratePerSecond, burst: 1 }), this.#abort.signal);
  }

  #passPorts(): PassPorts {
    const { clock, engine } = this.#options;
    return {
      client: this.#lane(),
      clock,
      caches: this.#watch,
      runs: this.#runs,
      results: this.#results,
      open: (workflow) => this.#parts.openRun(workflow, engine),
      saved: (open) => {
        this.#tell(open);
        this.#wakePods(open);
      },
    };
  }

  #podPorts(): PodPorts {
    const { clock, engine, signals } = this.#options;
    return {
      client: this.#lane(),
      clock,
      caches: this.#watch,
      runs: this.#runs,
      podGCDelayMs: engine.pod.podGCDeleteDelayMs ?? defaultPodGCDelayMs,
      again: (uid) => this.#podQueue.addFailed(uid),
      tell: { hostLost: (pod) => this.#hostLost(pod), surplus: (pod) => this.#telling.surplus(pod) },
      ...(this.#hosts !== undefined && { hosts: this.#hosts }),
      ...(signals !== undefined && { signals }),
    };
  }

  #tell(open: OpenRun): void {
    const object = referenceTo(open.run.workflow);
    for (const note of notesOf(open)) this.#recorder.record({ object, ...note });
  }

  /** The saved outcome of a node is what its pod waits for. */
  #wakePods(open: OpenRun): void {
    for (const nodeId of open.unsaved.nodesBefore.keys()) {
      for (const pod of this.#watch.podsOfNode(open.uid, nodeId)) this.#podQueue.add(pod.metadata.uid ?? "");
    }
  }

  #podFailed(failure: Failure): void {
    this.#options.observer?.passFailed?.("pod", failure);
    const pod = this.#watch.pod(failure.key);
    if (pod !== undefined) this.#telling.failed(pod, failure);
  }

  /** The workflow's next pass says it in its status. */
  #hostLost(pod: Pod): void {
    const { uid, nodeId, ownerUid = "" } = viewPod(pod);
    const open = this.#runs.get(ownerUid);
    if (open === undefined) return;
    open.tell({ kind: "host-lost", nodeId, uid });
    this.#workflowQueue.add(keyTextOf(open.run.workflow));
  }
}
