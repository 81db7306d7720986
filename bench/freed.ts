/**
 * Pods freed a second, with 1,000 that have ended at once: as a controller finds them that starts after a crash. Against as
 * many bare conditional patches through the same client, so that a busy machine slows both.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemChance, systemClock } from "../src/app/system-clock.js";
import { type ApiServer, openMemoryStore, openServer, openSqliteStore } from "../src/cluster/apiserver/index.js";
import { startController } from "../src/controller/index.js";
import { annotations, labels, podFinalizer } from "../src/core/model/argo/names.js";
import type { NodeStatus } from "../src/core/model/argo/node.js";
import type { Workflow, WorkflowSpec } from "../src/core/model/argo/workflow.js";
import type { Pod } from "../src/core/model/kube/pod.js";
import { argoTypes, builtInTypes, pods, workflows } from "../src/core/model/resources.js";
import type { Client } from "../src/kube/client.js";
import { unixTransport } from "../src/kube/http/undici-transport.js";
import { HttpClient } from "../src/kube/http-client.js";
import { keyOf } from "../src/kube/key.js";
import { median } from "./lib/cluster.js";

const PODS = 1000;
const ROUNDS = 3;
/** As many as the controller's workers. */
const AT_ONCE = 32;
const writer = new URL("../dist/store-writer.cjs", import.meta.url);

interface Way {
  readonly name: string;
  readonly open: (folder: string) => Promise<ApiServer>;
  readonly reach: (server: ApiServer, folder: string) => Promise<Client & { readonly close?: () => Promise<void> }>;
}

interface Clients {
  /** What is measured. */
  readonly client: Client;
  /** To set up and to watch. */
  readonly direct: Client;
}

const serverOptions = {
  clock: systemClock,
  chance: systemChance,
  types: [...builtInTypes, ...argoTypes],
  rowFields: [{ type: workflows, path: "status.nodes" }],
};

const ways: readonly Way[] = [
  {
    name: "in process, in memory",
    open: () => openServer({ ...serverOptions, store: openMemoryStore() }),
    reach: (server) => Promise.resolve(server.client()),
  },
  {
    name: "in process, on disk",
    open: async (folder) =>
      openServer({ ...serverOptions, store: await openSqliteStore({ path: join(folder, "store.db"), writer }) }),
    reach: (server) => Promise.resolve(server.client()),
  },
  {
    name: "over HTTP, in memory",
    open: () => openServer({ ...serverOptions, store: openMemoryStore() }),
    reach: async (server, folder) => {
      const socket = join(folder, "socket");
      await server.listen(socket);
      return new HttpClient({ transport: unixTransport(socket), clock: systemClock });
    },
  },
];

/** A workflow that is over, its nodes saved. */
async function finishedWorkflow(client: Client, podGC: WorkflowSpec["podGC"]): Promise<Workflow> {
  const at = new Date(systemClock.now()).toISOString();
  const nodes = Object.fromEntries(Array.from({ length: PODS }, (_, index) => [`n${index}`, nodeOf(`n${index}`, at)]));
  return client.create<Workflow>(workflows, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { namespace: "default", name: "over", labels: { [labels.completed]: "true" } },
    spec: { entrypoint: "main", ...(podGC !== undefined && { podGC }) },
    status: { phase: "Succeeded", startedAt: at, finishedAt: at, nodes },
  });
}

function nodeOf(id: string, at: string): NodeStatus {
  return {
    id,
    name: id,
    displayName: id,
    type: "Pod",
    templateName: "one",
    templateScope: "local/over",
    phase: "Succeeded",
    startedAt: at,
    finishedAt: at,
  };
}

async function endedPod(client: Client, workflow: Workflow, index: number): Promise<Pod> {
  const { name = "", uid = "" } = workflow.metadata;
  const created = await client.create<Pod>(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace: "default",
      name: `over-${index}`,
      finalizers: [podFinalizer],
      labels: { [labels.workflow]: name, [labels.completed]: "false" },
      annotations: { [annotations.nodeId]: `n${index}`, [annotations.nodeName]: `n${index}` },
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name, uid, controller: true }],
    },
    spec: { nodeName: "local", restartPolicy: "Never", containers: [{ name: "main", image: "busybox" }] },
  });
  return client.update<Pod>(pods, { ...created, status: { phase: "Succeeded" } }, { subresource: "status" });
}

/** In seconds, from the start of the controller to the moment when none of our finalizers is left. */
async function freeing({ client, direct }: Clients, podGC: WorkflowSpec["podGC"]): Promise<number> {
  const workflow = await finishedWorkflow(direct, podGC);
  for (let index = 0; index < PODS; index++) await endedPod(direct, workflow, index);
  const { resourceVersion } = await direct.list<Pod>(pods);
  const start = performance.now();
  const controller = startController({
    client,
    clock: systemClock,
    chance: systemChance,
    engine: { pod: { layout: "local", images: new Map(), statusFinalizer: true } },
  });
  let left = PODS;
  for await (const event of direct.watch<Pod>(pods, { resourceVersion })) {
    if (event.type === "BOOKMARK") continue;
    const isDone = podGC === undefined ? event.object.metadata.finalizers?.length !== 1 : event.type === "DELETED";
    if (isDone) left--;
    if (left === 0) break;
  }
  const seconds = (performance.now() - start) / 1000;
  await controller.stop();
  return seconds;
}

/** As many conditional patches of the same kind, decided by nobody. */
async function bare({ client, direct }: Clients): Promise<number> {
  const workflow = await finishedWorkflow(direct, undefined);
  const all: Pod[] = [];
  for (let index = 0; index < PODS; index++) all.push(await endedPod(direct, workflow, index));
  const start = performance.now();
  const work = async (): Promise<void> => {
    for (let pod = all.pop(); pod !== undefined; pod = all.pop()) {
      const { uid = "", resourceVersion = "" } = pod.metadata;
      const metadata = { uid, resourceVersion, finalizers: [], labels: { [labels.completed]: "true" } };
      await client.patch(pods, keyOf(pod), { type: "merge", body: { metadata } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (performance.now() - start) / 1000;
}

/** A server of its own for each: what one left does not slow the next. */
async function timed(way: Way, act: (clients: Clients) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "tiphys-bench-"));
  const server = await way.open(folder);
  const client = await way.reach(server, folder);
  try {
    return await act({ client, direct: server.client() });
  } finally {
    await client.close?.();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const way of ways) {
  const rounds: { readonly freed: number; readonly deleted: number; readonly patched: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      freed: await timed(way, (clients) => freeing(clients, undefined)),
      deleted: await timed(way, (clients) =>
        freeing(clients, { strategy: "OnPodCompletion", deleteDelayDuration: "0s" }),
      ),
      patched: await timed(way, bare),
    });
  }
  const rate = (what: "freed" | "deleted" | "patched"): number => PODS / median(rounds.map((round) => round[what]));
  console.log(
    `freed, ${PODS} at once, ${way.name}: ${rate("freed").toFixed(0)} pods/s, with podGC ${rate("deleted").toFixed(0)} ` +
      `pods/s (bare patches: ${rate("patched").toFixed(0)}/s, ratio ${(rate("freed") / rate("patched")).toFixed(2)})`,
  );
}
