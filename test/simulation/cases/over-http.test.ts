/** What the cases rely on in an API server, asked of the embedded one over HTTP on its Unix socket. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, MemoryDisk, openMemoryStore, openServer } from "../../../src/cluster/apiserver/index.js";
import { annotations, labels, podFinalizer } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { argoTypes, builtInTypes, pods, workflows } from "../../../src/core/model/resources.js";
import type { Client } from "../../../src/kube/client.js";
import { unixTransport } from "../../../src/kube/http/undici-transport.js";
import { HttpClient } from "../../../src/kube/http-client.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { VirtualClock } from "../../../src/kube/testing/virtual-clock.js";
import { workflow } from "../generate/builder.js";
import { clean, twoCleaners, type View } from "./cleaners.js";

const FOREIGN = "foreign.example/hold";
const KEY = { namespace: "default", name: "wf" };

let folder: string;
let server: ApiServer;
let close: () => Promise<void>;
let client: Client;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiphys-http-"));
  const clock = new VirtualClock();
  server = await openServer({
    store: openMemoryStore({ disk: new MemoryDisk() }),
    clock,
    chance: new SeededChance(1),
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
  });
  const socket = join(folder, "s");
  await server.listen(socket);
  const transport = unixTransport(socket);
  client = new HttpClient({ transport, clock });
  close = () => transport.close();
});

afterEach(async () => {
  await close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A workflow that has ended, and its pod, which still carries our finalizer. */
async function ended(finalizers: readonly string[]): Promise<View & { readonly owner: Workflow }> {
  const made = await client.create<Workflow>(
    workflows,
    workflow("wf", { entrypoint: "a", templates: [{ name: "a" }] }),
  );
  const time = "2024-01-01T00:00:00Z";
  const node = { id: "wf", name: "wf", displayName: "wf", type: "Pod", phase: "Succeeded", finishedAt: time } as const;
  const status = { phase: "Succeeded", finishedAt: time, nodes: { wf: node } } as const;
  const owner = await client.patch<Workflow>(workflows, KEY, { type: "merge", body: { status } as never });
  const { uid = "" } = made.metadata;
  await client.create<Pod>(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...KEY,
      finalizers,
      labels: { [labels.workflow]: "wf", [labels.completed]: "false" },
      annotations: { [annotations.nodeId]: "wf" },
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", uid, controller: true }],
    },
    spec: { nodeName: "local", containers: [{ name: "main", image: "busybox" }] },
  });
  const phase = { status: { phase: "Succeeded" } };
  const pod = await client.patch<Pod>(pods, KEY, { type: "merge", body: phase }, { subresource: "status" });
  return { owner, pod };
}

test("A-01 over HTTP: two cleaners that have both read the pod free it once, and the foreign finalizer in front stays", async () => {
  const view = await ended([FOREIGN, podFinalizer]);
  expect(await twoCleaners(view, client)).toEqual([200, 409]);
  const { metadata } = await client.get<Pod>(pods, KEY);
  expect(metadata.finalizers).toEqual([FOREIGN]);
  expect(metadata.labels?.[labels.completed]).toBe("true");
});

test("A-02 over HTTP: a deletion is told as MODIFIED, and as DELETED only when the last finalizer is off", async () => {
  const { pod } = await ended([podFinalizer]);
  const told: string[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    const options = { resourceVersion: pod.metadata.resourceVersion ?? "", signal: stop.signal };
    for await (const event of client.watch<Pod>(pods, options)) {
      told.push(event.type);
      if (event.type === "DELETED") return;
    }
  })();
  const deleted = await client.delete<Pod>(pods, KEY, { gracePeriodSeconds: 0 });
  expect(deleted?.metadata.deletionTimestamp).toBeDefined();
  await client.patch(pods, KEY, { type: "merge", body: { metadata: { finalizers: null } } });
  await watching;
  stop.abort();
  expect(told).toEqual(["MODIFIED", "DELETED"]);
});

test("A-12 over HTTP: a save for a workflow that was replaced is a conflict, and its status stays its own", async () => {
  const { owner } = await ended([]);
  await client.delete(workflows, KEY, { propagationPolicy: "Background" });
  const other = await client.create<Workflow>(workflows, workflow("wf", { entrypoint: "b" }));
  const { uid = "", resourceVersion = "" } = owner.metadata;
  const body = { metadata: { uid, resourceVersion }, status: { phase: "Running" } };
  await expect(client.patch(workflows, KEY, { type: "merge", body })).rejects.toMatchObject({ code: 409 });
  // Also where the version is the other's by chance: the UID decides.
  const chance = { metadata: { uid, resourceVersion: other.metadata.resourceVersion ?? "" } };
  await expect(client.patch(workflows, KEY, { type: "merge", body: chance })).rejects.toMatchObject({ code: 409 });
  expect((await client.get<Workflow>(workflows, KEY)).status).toBeUndefined();
});

test("A-15 over HTTP: a pod that is gone is no failure", async () => {
  const view = await ended([]);
  await client.delete(pods, KEY, { gracePeriodSeconds: 0 });
  await expect(clean(view, client)).resolves.toEqual({ kind: "done" });
});

test("A-19 over HTTP: a deletion names UID and version; what was written since is not deleted", async () => {
  const { owner } = await ended([]);
  await client.patch(workflows, KEY, {
    type: "merge",
    body: { metadata: { labels: { "foreign.example/note": "retried" } } },
  });
  const { uid = "", resourceVersion = "" } = owner.metadata;
  const preconditions = { uid, resourceVersion };
  await expect(client.delete(workflows, KEY, { preconditions })).rejects.toMatchObject({ code: 409 });
  expect((await client.get<Workflow>(workflows, KEY)).metadata.uid).toBe(uid);
});
