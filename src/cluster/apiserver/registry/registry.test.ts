import { expect, test } from "vitest";
import {
  configMaps,
  events,
  leases,
  namespaces,
  pods,
  type ResourceType,
  secrets,
  workflows,
} from "../../../core/model/resources.js";
import type { Patch } from "../../../kube/client.js";
import type { Chance } from "../../../kube/clock.js";
import { openMemoryStore } from "../index.js";
import { type Store, StoreError } from "../storage/port.js";
import { member, namespace, objectOf, testServer } from "../testing/server.js";

const merge = (body: object): Patch => ({ type: "merge", body: JSON.parse(JSON.stringify(body)) });
const key = { namespace, name: "a" };

test.each<[string, ResourceType, object, string]>([
  [
    "no name",
    configMaps,
    {},
    'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  ["a label", configMaps, { name: "a", labels: { "a b": "c" } }, "metadata.labels: Invalid value"],
  [
    "a label that is no text",
    configMaps,
    { name: "a", labels: { a: 1 } },
    "metadata.labels: Invalid value: 1: must be a string",
  ],
  [
    "labels that are no map",
    configMaps,
    { name: "a", labels: ["x"] },
    "metadata.labels: Invalid value: must be a map of strings",
  ],
  ["an annotation", configMaps, { name: "a", annotations: { a: true } }, "metadata.annotations: Invalid value: true"],
  ["a finalizer", configMaps, { name: "a", finalizers: [""] }, 'metadata.finalizers[0]: Invalid value: ""'],
  [
    "an owner",
    configMaps,
    { name: "a", ownerReferences: [{ kind: "Pod" }] },
    "metadata.ownerReferences[0].apiVersion: Required value",
  ],
  ["a namespace", namespaces, { name: "a.b" }, "a lowercase RFC 1123 label"],
  ["a pod without containers", pods, { name: "a" }, "spec.containers: Required value"],
])("%s that is wrong is refused with its path", async (_name, type, metadata, message) => {
  const { server } = await testServer();
  const refused = server.client().create(type, objectOf(type, metadata));
  await expect(refused).rejects.toMatchObject({
    code: 422,
    reason: "Invalid",
    message: expect.stringContaining(message),
  });
});

test.each<[string, object, readonly string[]]>([
  ["container that leads out", { containers: [{ name: "../../x" }] }, ["spec.containers[0].name: Invalid value"]],
  [
    "container twice",
    { initContainers: [{ name: "a" }], containers: [{ name: "a" }] },
    ["containers[0].name: Duplicate"],
  ],
  [
    "volume that leads out",
    { containers: [{ name: "a" }], volumes: [{ name: "../../../home", emptyDir: {} }] },
    ['spec.volumes[0].name: Invalid value: "../../../home": a lowercase RFC 1123 label'],
  ],
  [
    "volume twice",
    { containers: [{ name: "v" }], volumes: [{ name: "v" }, { name: "v" }] },
    ["volumes[1].name: Duplicate"],
  ],
  [
    "nameless ones",
    { containers: [{}], volumes: [{}] },
    ["spec.volumes[0].name: Required", "spec.containers[0].name: Required"],
  ],
])("a pod with a %s", async (_name, spec, messages) => {
  const { server } = await testServer();
  const made = server.client().create(pods, objectOf(pods, { name: "a" }, { spec }));
  for (const message of messages) await expect(made).rejects.toThrow(message);
});

test("what JSON cannot say, or is nested without end, is a bad request", async () => {
  const { server } = await testServer();
  let deep: object = {};
  for (let level = 0; level < 20_000; level++) deep = { deep };
  for (const data of [{ a: () => 1 }, { a: new Map() }, { a: Number.NaN }, { a: 1n }, deep]) {
    const refused = server.client().create(configMaps, objectOf(configMaps, { name: "a" }, { data }));
    await expect(refused).rejects.toMatchObject({ code: 400, reason: "BadRequest" });
  }
});

test("what the caller keeps of an object cannot change it afterwards", async () => {
  const { server } = await testServer();
  const data: Record<string, string | undefined> = { a: "1", left: undefined };
  const created = await server.client().create(configMaps, objectOf(configMaps, { name: "a" }, { data }));
  data["a"] = "2";
  expect(member(await server.client().get(configMaps, key), "data")).toEqual({ a: "1" });
  expect(Object.keys(Object(member(created, "data")))).toEqual(["a"]);
});

test("a generated name that is taken is drawn again", async () => {
  const draws = [..."aaaaa", ..."aaaaa", ..."bbbbb"].map((letter) => (letter === "a" ? 0 : 0.5));
  const chance: Chance = { next: () => draws.shift() ?? 0.9, uuid: () => "00000000-0000-4000-8000-000000000000" };
  const { server } = await testServer({ chance });
  const object = objectOf(configMaps, { generateName: "x-" });
  const names = [];
  for (let count = 0; count < 2; count++) names.push((await server.client().create(configMaps, object)).metadata.name);
  expect(names).toEqual(["x-bbbbb", "x-rrrrr"]);
});

test("a namespace is made when it is used, or must exist, as is said", async () => {
  const made = await testServer();
  await made.server.client().create(configMaps, objectOf(configMaps, { name: "a" }));
  expect((await made.server.client().get(namespaces, { name: namespace })).metadata.labels).toEqual({
    "kubernetes.io/metadata.name": namespace,
  });
  const strict = await testServer({ namespaces: "must-exist" });
  const refused = strict.server.client().create(configMaps, objectOf(configMaps, { name: "a" }));
  await expect(refused).rejects.toMatchObject({ code: 404, message: 'namespaces "default" not found' });
});

test("a deleted namespace takes what is in it along, takes nothing new, and then is gone", async () => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(configMaps, objectOf(configMaps, { name: "a", finalizers: ["x.io/hold"] }));
  await client.create(workflows, objectOf(workflows, { name: "w" }));
  const deleting = await client.delete(namespaces, { name: namespace });
  expect(member(deleting, "status", "phase")).toBe("Terminating");
  await client.patch(namespaces, { name: namespace }, merge({ metadata: { labels: { a: "b" } }, spec: null }));
  const refused = client.create(configMaps, objectOf(configMaps, { name: "b" }));
  await expect(refused).rejects.toMatchObject({ code: 403, message: expect.stringContaining("is being terminated") });
  await settled();
  expect((await client.list(workflows)).items).toEqual([]);
  await client.patch(configMaps, key, merge({ metadata: { finalizers: null } }));
  await settled();
  await expect(client.get(namespaces, { name: namespace })).rejects.toMatchObject({ code: 404 });
});

test("a namespace that has gone is not brought back by what comes late: what has an owner, and events", async () => {
  const { server } = await testServer();
  const client = server.client();
  const owner = await client.create(workflows, objectOf(workflows, { name: "w" }));
  await client.delete(namespaces, { name: namespace });
  await settled();
  const { name = "", uid = "" } = owner.metadata;
  const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name, uid }];
  for (const [type, metadata] of [
    [configMaps, { name: "late", ownerReferences }],
    [events, { name: "late" }],
  ] as const) {
    const late = client.create(type, objectOf(type, metadata));
    await expect(late).rejects.toMatchObject({ code: 404, message: 'namespaces "default" not found' });
  }
  expect((await client.list(namespaces)).items).toEqual([]);
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  expect((await client.list(namespaces)).items).toHaveLength(1);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

test("stringData is folded into data", async () => {
  const { server } = await testServer();
  const client = server.client();
  const created = await client.create(
    secrets,
    objectOf(secrets, { name: "a" }, { stringData: { k: "v" }, data: { l: "dw==" } }),
  );
  expect(created).toMatchObject({ type: "Opaque", data: { k: "dg==", l: "dw==" } });
  expect(member(created, "stringData")).toBeUndefined();
  const patched = await client.patch(secrets, key, merge({ stringData: { l: "x" } }));
  expect(patched).toMatchObject({ data: { k: "dg==", l: "eA==" } });
  await expect(client.patch(secrets, key, merge({ data: { k: "?" } }))).rejects.toMatchObject({ code: 422 });
});

test("immutable data stays", async () => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(configMaps, objectOf(configMaps, { name: "a" }, { data: { k: "v" }, immutable: true }));
  for (const body of [{ data: { k: "w" } }, { immutable: false }]) {
    await expect(client.patch(configMaps, key, merge(body))).rejects.toMatchObject({
      code: 422,
      message: /field is immutable/,
    });
  }
  await client.patch(configMaps, key, merge({ metadata: { labels: { a: "b" } } }));
});

const container = { name: "main", image: "a", resources: {} };

test.each<[string, object, number]>([
  ["the image", { containers: [{ ...container, image: "b" }] }, 0],
  ["the deadline", { activeDeadlineSeconds: 5 }, 0],
  ["the node, once", { nodeName: "n" }, 0],
  ["the command", { containers: [{ ...container, command: ["x"] }] }, 422],
  ["the restart policy", { restartPolicy: "Never" }, 422],
])("of a pod's spec one may change: %s (code %s)", async (_name, spec, code) => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(pods, objectOf(pods, { name: "a" }, { spec: { containers: [container] } }));
  const patched = client.patch(pods, key, merge({ spec }));
  if (code === 0) await patched;
  else
    await expect(patched).rejects.toMatchObject({
      code,
      message: expect.stringContaining("pod updates may not change fields"),
    });
});

test("a pod on a node stays there", async () => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(pods, objectOf(pods, { name: "a" }, { spec: { containers: [container], nodeName: "n" } }));
  await expect(client.patch(pods, key, merge({ spec: { nodeName: "m" } }))).rejects.toMatchObject({ code: 422 });
});

test.each([
  [{}, "BestEffort"],
  [{ limits: { cpu: "1", memory: "1Gi" } }, "Guaranteed"],
  [{ limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1" } }, "Guaranteed"],
  [{ requests: { cpu: "1" } }, "Burstable"],
])("resources %j make a pod %s", async (resources, qosClass) => {
  const { server } = await testServer();
  const spec = { containers: [{ ...container, resources }] };
  const created = await server
    .client()
    .create(pods, objectOf(pods, { name: "a" }, { spec, status: { phase: "Failed" } }));
  expect(member(created, "status")).toEqual({ phase: "Pending", qosClass });
});

test("generation counts what changes outside metadata and a status of its own", async () => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(workflows, objectOf(workflows, { name: "a" }, { spec: {} }));
  const generations = [];
  for (const body of [{ metadata: { labels: { a: "b" } } }, { spec: { x: 1 } }, { status: { nodes: { n: 1 } } }]) {
    generations.push((await client.patch(workflows, key, merge(body))).metadata.generation);
  }
  await client.create(pods, objectOf(pods, { name: "a" }, { spec: { containers: [container] } }));
  const running = await client.patch(pods, key, merge({ status: { phase: "Running" } }), { subresource: "status" });
  expect([...generations, running.metadata.generation]).toEqual([1, 2, 3, 1]);
});

test("what the server owns cannot be set", async () => {
  const { server } = await testServer();
  const client = server.client();
  const owned = {
    creationTimestamp: "2000-01-01T00:00:00Z",
    deletionTimestamp: "2000-01-01T00:00:00Z",
    generation: 9,
    selfLink: "x",
  };
  const created = await client.create(configMaps, objectOf(configMaps, { name: "a", ...owned }));
  expect(created.metadata).toMatchObject({ creationTimestamp: "2024-01-01T00:00:00Z" });
  const patched = await client.patch(configMaps, key, merge({ metadata: { ...owned, labels: { a: "b" } } }));
  const { labels: _labels, resourceVersion: _new, ...metadata } = patched.metadata;
  const { resourceVersion: _old, ...before } = created.metadata;
  expect(metadata).toEqual(before);
  expect(Object.keys(metadata)).not.toContain("selfLink");
});

test("only the core group's types may be updated without a revision", async () => {
  const { server } = await testServer();
  const client = server.client();
  for (const type of [configMaps, workflows, leases]) await client.create(type, objectOf(type, { name: "a" }));
  await client.update(configMaps, objectOf(configMaps, { name: "a" }, { data: { k: "v" } }));
  for (const type of [workflows, leases]) {
    const refused = client.update(type, objectOf(type, { name: "a" }, { spec: { k: "v" } }));
    await expect(refused).rejects.toMatchObject({ code: 422, message: /metadata.resourceVersion: Invalid value: 0x0/ });
  }
});

test("an update that names the UID of a missing object is a conflict", async () => {
  const { server } = await testServer();
  const object = objectOf(configMaps, { name: "a", uid: "u" });
  await expect(server.client().update(configMaps, object)).rejects.toMatchObject({ code: 409, reason: "Conflict" });
  await expect(server.client().update(configMaps, objectOf(configMaps, { name: "a" }))).rejects.toMatchObject({
    code: 404,
  });
});

test("a check of one's own refuses what it says is wrong, at creation and at each change", async () => {
  const check = (object: object) =>
    member(object as never, "spec", "bad") === undefined ? [] : ["spec.bad: Forbidden"];
  const { server } = await testServer({ admission: [{ type: workflows, check }] });
  const client = server.client();
  const bad = client.create(workflows, objectOf(workflows, { name: "a" }, { spec: { bad: 1 } }));
  await expect(bad).rejects.toMatchObject({
    code: 422,
    message: 'Workflow.argoproj.io "a" is invalid: spec.bad: Forbidden',
  });
  await client.create(workflows, objectOf(workflows, { name: "a" }, { spec: {} }));
  await expect(client.patch(workflows, key, merge({ spec: { bad: 1 } }))).rejects.toMatchObject({ code: 422 });
});

test("types are data: one more is served when it is told", async () => {
  const { server } = await testServer();
  const client = server.client();
  const type: ResourceType = {
    ...workflows,
    group: "x.io",
    version: "v1",
    kind: "Thing",
    plural: "things",
    singular: "thing",
  };
  const thing = objectOf(type, { name: "a" });
  await expect(client.create(type, thing)).rejects.toMatchObject({
    code: 404,
    message: /could not find the requested resource/,
  });
  server.serve(type);
  await client.create(type, thing);
  await expect(client.get(type, { namespace, name: "b" })).rejects.toMatchObject({
    message: 'things.x.io "b" not found',
  });
});

test("events are found by what they are about", async () => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(namespaces, objectOf(namespaces, { name: namespace }));
  for (const name of ["a", "b"]) {
    await client.create(
      events,
      objectOf(events, { name }, { involvedObject: { name, kind: "Pod" }, reason: "Killing" }),
    );
  }
  const { items } = await client.list(events, { fieldSelector: "involvedObject.name=b,reason=Killing" });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
});

test("an event is forgotten an hour after its last change", async () => {
  const { server, clock } = await testServer();
  const client = server.client();
  await client.create(namespaces, objectOf(namespaces, { name: namespace }));
  const write = (name: string) => client.create(events, objectOf(events, { name }, { involvedObject: {} }));
  await write("a");
  await write("b");
  await clock.advance(50 * 60_000);
  await client.patch(events, { namespace, name: "b" }, merge({ count: 2 }));
  await clock.advance(20 * 60_000);
  await write("c");
  await settled();
  expect((await client.list(events)).items.map(({ metadata }) => metadata.name)).toEqual(["b", "c"]);
});

test("an object with two owners goes with the last", async () => {
  const { server } = await testServer();
  const client = server.client();
  const owners = [];
  for (const name of ["o1", "o2"]) {
    const { apiVersion, kind, metadata } = await client.create(workflows, objectOf(workflows, { name }));
    owners.push({ apiVersion, kind, name, uid: metadata.uid ?? "" });
  }
  await client.create(configMaps, objectOf(configMaps, { name: "a", ownerReferences: owners }));
  await client.delete(workflows, { namespace, name: "o1" });
  await settled();
  expect((await client.get(configMaps, key)).metadata.ownerReferences).toEqual(owners.slice(1));
  await client.delete(workflows, { namespace, name: "o2" });
  await settled();
  await expect(client.get(configMaps, key)).rejects.toMatchObject({ code: 404 });
});

test("an owner of a type that is not served is not missed", async () => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(namespaces, objectOf(namespaces, { name: namespace }));
  const owner = { apiVersion: "x.io/v1", kind: "Thing", name: "t", uid: "u" };
  await client.create(configMaps, objectOf(configMaps, { name: "a", ownerReferences: [owner] }));
  await settled();
  expect((await client.get(configMaps, key)).metadata.ownerReferences).toEqual([owner]);
});

test("a server that is closed tries no more to collect what its store would not let go", async () => {
  const inner = openMemoryStore();
  const store: Store = {
    access: inner.access,
    inFlightMax: inner.inFlightMax,
    replay: (tell) => inner.replay(tell),
    defer: (callback) => inner.defer(callback),
    close: () => inner.close(),
    append: (batch) =>
      batch.rows.some(({ value }) => value === undefined)
        ? Promise.reject(new StoreError("full", "no room"))
        : inner.append(batch),
  };
  const { server, clock } = await testServer({ store });
  await server.client().create(namespaces, objectOf(namespaces, { name: namespace }));
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "none" };
  await server.client().create(configMaps, objectOf(configMaps, { name: "a", ownerReferences: [owner] }));
  await clock.advance(2500);
  expect(clock.pending).toBe(1);
  await server.close();
  expect(clock.pending).toBe(0);
});
