/**
 * One term of a controller: streams, queues, runs and workers that begin with it and end with it. What an earlier term
 * saw or decided is not taken over (design laws 5 and 6).
 */

import type { Pod } from "../core/model/kube/pod.js";
import { isPodOver } from "../core/model/kube/pod-phase.js";
import { decidesPods } from "../core/podlife/index.js";
import { withBudget } from "../kube/budget.js";
import type { Client } from "../kube/client.js";
import { EventRecorder, referenceTo } from "../kube/events.js";
import { keyTextOf, parseKey } from "../kube/key.js";
import { type Failure, runWorkers, type WorkersOptions } from "../kube/worker.js";
import { TokenBucket } from "../kube/workqueue/token-bucket.js";
import { WorkQueue } from "../kube/workqueue/work-queue.js";
import { notesOf } from "./notes.js";
import { type OpenRun, OpenRuns } from "./open-runs.js";
import type { Budget, ControllerOptions } from "./options.js";
import type { ControllerParts } from "./parts.js";
import type { PassPorts } from "./pass.js";
import { viewOf } from "./pod-views.js";
import { Hosts } from "./pods/hosts.js";
import type { PodPorts } from "./pods/ports.js";
import { Signalled } from "./pods/signalled.js";
import { type PodCounts, PodTelling } from "./pods/telling.js";
import { TaskResultReader } from "./task-results.js";
import { ControllerWatch } from "./watch.js";

export interface TermOptions extends Omit<ControllerOptions, "election"> {
  /** Its writes leave only while the term lasts. */
  readonly client: Client;
  /** Monotonic time before which no pod may be made to vanish (design law 7). */
  readonly podsStayUntil: number;
  /** Counted up. */
  readonly podCounts: PodCounts;
}

const defaultWorkers = 32;
/** Argo's podGCDeleteDelayDuration. */
const defaultPodGCDelayMs = 5000;
/** While pods are to be made, those that have ended wait for company so long: nobody waits for that, and commits are shared. */
const companyMs = 250;
const waitMs = { now: 0, idle: companyMs } as const;

export class Term {
  readonly #options: TermOptions;
  readonly #parts: ControllerParts;
  readonly #signal: AbortSignal;
  readonly #watch: ControllerWatch;
  readonly #reconciling: Client;
  readonly #cleaning: Client;
  readonly #runs = new OpenRuns();
  readonly #results: TaskResultReader;
  readonly #signalled = new Signalled();
  readonly #hosts: Hosts | undefined;
  readonly #workflowQueue: WorkQueue;
  /** Clean-up has a queue, workers and a budget of its own: it neither starves reconciling nor is starved (design 4). */
  readonly #podQueue: WorkQueue;
  readonly #ttlQueue: WorkQueue;
  readonly #recorder: EventRecorder;
  readonly #telling: PodTelling;

  /** It lasts until `signal` aborts. */
  constructor(options: TermOptions, parts: ControllerParts, signal: AbortSignal) {
    const { client, clock, chance, budgets } = options;
    this.#options = options;
    this.#parts = parts;
    this.#signal = signal;
    this.#watch = new ControllerWatch(options);
    this.#reconciling = this.#paidFrom(budgets?.reconcile);
    this.#cleaning = this.#paidFrom(budgets?.cleanup);
    this.#results = new TaskResultReader(this.#reconciling, clock, this.#watch);
    this.#workflowQueue = new WorkQueue({ clock, chance });
    this.#podQueue = new WorkQueue({ clock, chance });
    this.#ttlQueue = new WorkQueue({ clock, chance });
    this.#recorder = new EventRecorder({ client, clock, chance, source: { component: "workflow-controller" } });
    this.#telling = new PodTelling(this.#recorder, (line) => options.observer?.podTrouble?.(line), options.podCounts);
    this.#hosts = options.hosts === "leased" ? new Hosts(this.#cleaning, clock) : undefined;
  }

  /**
   * Lists, then works; resolves when the term is over and nothing of it runs any more. `begun` is called when the first
   * lists are in: nothing is decided before (design law 6).
   */
  async run(begun: () => void): Promise<void> {
    const streams = this.#watch.run(
      {
        runs: this.#runs,
        results: this.#results,
        workflow: (key) => this.#workflowChanged(key),
        news: (key, urgency) => this.#workflowQueue.addAfter(key, waitMs[urgency]),
        pod: (uid, urgency) => this.#podQueue.addAfter(uid, waitMs[urgency]),
      },
      this.#signal,
    );
    if (await this.#watch.synced()) {
      begun();
      await this.#work();
    }
    await streams;
    await this.#recorder.flush();
  }

  /** What is held in memory for workflows and pods. */
  held(): number {
    const queues = this.#workflowQueue.size + this.#podQueue.size + this.#ttlQueue.size;
    const ofPods = this.#signalled.size + (this.#hosts?.size ?? 0);
    return this.#runs.size + this.#results.size + this.#watch.unseen + ofPods + queues;
  }

  /** Objects in the caches. */
  get cached(): number {
    return this.#watch.cached;
  }

  async #work(): Promise<void> {
    const { workers = defaultWorkers, podWorkers = defaultWorkers } = this.#options;
    await Promise.all([
      runWorkers({ ...this.#workflowLane(), workers }, this.#signal),
      runWorkers({ ...this.#podLane(), workers: podWorkers }, this.#signal),
      runWorkers({ ...this.#ttlLane(), workers: 1 }, this.#signal),
    ]);
  }

  #workflowLane(): Omit<WorkersOptions, "workers"> {
    const ports = this.#passPorts();
    return {
      queue: this.#workflowQueue,
      handle: (key) => this.#parts.pass(ports, parseKey(key)),
      onFailure: (failure) => this.#options.observer?.passFailed?.("workflow", failure),
    };
  }

  #podLane(): Omit<WorkersOptions, "workers"> {
    const ports = this.#podPorts();
    return {
      queue: this.#podQueue,
      handle: (uid) => this.#parts.podPass(ports, this.#signalled, uid),
      onFailure: (failure) => this.#podFailed(failure),
    };
  }

  #ttlLane(): Omit<WorkersOptions, "workers"> {
    const { clock, podsStayUntil } = this.#options;
    const ports = { client: this.#cleaning, clock, caches: this.#watch, podsStayUntil };
    return { queue: this.#ttlQueue, handle: (key) => this.#parts.ttlPass(ports, parseKey(key)) };
  }

  /** Where no budget is given the API is asked at once. */
  #paidFrom(budget: Budget | undefined): Client {
    const { client } = this.#watch;
    if (budget === undefined) return client;
    return withBudget(client, new TokenBucket({ ...budget, clock: this.#options.clock, signal: this.#signal }));
  }

  #workflowChanged(key: string): void {
    this.#workflowQueue.add(key);
    if (this.#options.ttl !== "ignored") this.#ttlQueue.add(key);
  }

  #passPorts(): PassPorts {
    const { clock, engine } = this.#options;
    return {
      client: this.#reconciling,
      clock,
      caches: this.#watch,
      runs: this.#runs,
      results: this.#results,
      podInTheWay: (uid) => this.#podQueue.add(uid),
      open: (workflow) => this.#parts.openRun(workflow, engine),
      opened: (uid) => {
        for (const pod of this.#watch.podsOf(uid)) this.#podQueue.add(pod.metadata.uid ?? "");
      },
      saved: (open) => {
        this.#tell(open);
        this.#wakePods(open);
      },
    };
  }

  #podPorts(): PodPorts {
    const { clock, engine, signals, podsStayUntil } = this.#options;
    return {
      client: this.#cleaning,
      clock,
      caches: this.#watch,
      runs: this.#runs,
      podGCDelayMs: engine.pod.podGCDeleteDelayMs ?? defaultPodGCDelayMs,
      podsStayUntil,
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

  /** The saved outcome of a node is what its pod waits for. One that still runs has to be ended: that does not wait. */
  #wakePods({ uid, run, unsaved: { nodesBefore } }: OpenRun): void {
    const isStarting = [...nodesBefore.keys()].some((id) => run.node(id)?.phase === "Pending");
    const toCompanyMs = isStarting ? companyMs - (this.#options.clock.monotonic() % companyMs) : 0;
    for (const nodeId of nodesBefore.keys()) {
      const node = run.node(nodeId);
      if (node === undefined || !decidesPods(node)) continue;
      for (const pod of this.#watch.podsOfNode(uid, nodeId)) {
        this.#podQueue.addAfter(pod.metadata.uid ?? "", isPodOver(pod.status?.phase) ? toCompanyMs : 0);
      }
    }
  }

  #podFailed(failure: Failure): void {
    this.#options.observer?.passFailed?.("pod", failure);
    const pod = this.#watch.pod(failure.key);
    if (pod !== undefined) this.#telling.failed(pod, failure);
  }

  /** The workflow's next pass says it in its status. */
  #hostLost(pod: Pod): void {
    const { uid, nodeId, ownerUid = "" } = viewOf(pod);
    const open = this.#runs.get(ownerUid);
    if (open === undefined) return;
    open.tell({ kind: "host-lost", nodeId, uid });
    this.#workflowQueue.add(keyTextOf(open.run.workflow));
  }
}
