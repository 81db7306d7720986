/** Pods that come and go by the thousand, past the real controller and kubelet on one clock: what is remembered of them? */

import { openMemoryStore, openServer } from "../../../src/cluster/apiserver/index.js";
import { type Kubelet, ScriptedRuntime, startKubelet } from "../../../src/cluster/kubelet/index.js";
import { type Controller, startController } from "../../../src/controller/index.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { argoTypes, builtInTypes, pods, workflows, workflowTaskResults } from "../../../src/core/model/resources.js";
import type { Client } from "../../../src/kube/client.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { VirtualClock } from "../../../src/kube/testing/virtual-clock.js";
import { pod as template, workflow } from "../generate/builder.js";

export interface Remembered {
  /** Pods that ran to their end. */
  readonly pods: number;
  /** Objects that the API still has. */
  readonly left: number;
  /** Queues and maps of the controller. */
  readonly controller: number;
  /** Its caches. */
  readonly cached: number;
  readonly kubelet: number;
  readonly timers: number;
  /** Of the kubelet. */
  readonly errors: readonly string[];
}

const PODS_OF_ONE = 250;
const EVENTS_LIVE_MS = 3_600_000;
/** The end of a workflow, its deletion, and the last events. */
const ROUND_MAX_MS = 600_000;

/** So many pods, workflow after workflow; each is deleted when it has ended. Timers are compared with those at first. */
export async function comeAndGone(count: number): Promise<Remembered> {
  const clock = new VirtualClock();
  const chance = new SeededChance(1);
  const server = await openServer({
    store: openMemoryStore(),
    clock,
    chance,
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
    history: { events: 4096, bytes: 64 * 1024 * 1024 },
  });
  const client = server.client();
  const errors: string[] = [];
  const kubelet = await startedKubelet({ client, clock, chance }, errors);
  const controller = startController({
    client,
    clock,
    chance,
    engine: { pod: { layout: "local", images: new Map(), statusFinalizer: true } },
    signals: { send: (pod, names, signal) => kubelet.signal({ uid: pod.metadata.uid ?? "" }, signal, names) },
  });
  let ended = 0;
  let timersAtFirst = 0;
  for (let round = 0; ended < count; round++) {
    const before = ended;
    await client.create<Workflow>(workflows, batch(`wf${round}`, Math.min(PODS_OF_ONE, count - ended)));
    ended += Math.min(PODS_OF_ONE, count - before);
    await clock.runUntil(() => controller.cached > 0, ROUND_MAX_MS);
    await clock.runUntil(() => isAtRest(controller, kubelet), ROUND_MAX_MS);
    if (round === 0) timersAtFirst = clock.pending;
    // Kubernetes events live for an hour: the API server is not asked to hold those of all.
    if (round % 20 === 19) await clock.advance(EVENTS_LIVE_MS);
  }
  // The last bookmarks.
  await clock.advance(ROUND_MAX_MS);
  const left = await leftIn(client);
  const remembered = {
    pods: ended,
    left,
    controller: controller.held(),
    cached: controller.cached,
    kubelet: kubelet.held(),
    timers: Math.max(0, clock.pending - timersAtFirst),
    errors,
  };
  await Promise.all([controller.stop(), kubelet.close(), clock.advance(60_000)]);
  await server.close();
  return remembered;
}

function isAtRest(controller: Controller, kubelet: Kubelet): boolean {
  return controller.cached === 0 && controller.held() === 0 && kubelet.running === 0;
}

interface Ports {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly chance: SeededChance;
}

function startedKubelet(ports: Ports, errors: string[]): Promise<Kubelet> {
  const { clock } = ports;
  return startKubelet({
    ...ports,
    runtime: new ScriptedRuntime({ script: { rules: [] }, clock }),
    builtinImages: new Map(),
    podsFolder: "/nowhere/pods",
    claimsFolder: "/nowhere/claims",
    maxPods: Number.POSITIVE_INFINITY,
    onError: (error, pod) => void errors.push(`${pod.metadata.name}: ${String(error)}`),
  });
}

function batch(name: string, size: number): Workflow {
  const items = Array.from({ length: size }, (_, index) => index);
  return workflow(name, {
    entrypoint: "main",
    podGC: { strategy: "OnPodCompletion", deleteDelayDuration: "1s" },
    ttlStrategy: { secondsAfterCompletion: 1 },
    templates: [{ name: "main", steps: [[{ name: "s", template: "a", withItems: items }]] }, template("a")],
  });
}

async function leftIn(client: Client): Promise<number> {
  const lists = await Promise.all([
    client.list<Pod>(pods),
    client.list<Workflow>(workflows),
    client.list(workflowTaskResults),
  ]);
  return lists.reduce((sum, { items }) => sum + items.length, 0);
}
