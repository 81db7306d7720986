import { expect, test } from "vitest";
import { configMaps, workflows } from "../../../core/model/resources.js";
import { openMemoryStore } from "../index.js";
import { member, namespace, objectOf, testServer } from "../testing/server.js";
import { type Store, StoreError, type StoreFault } from "./port.js";

/** A store whose commits wait until they are let through or fail. */
function gated() {
  const inner = openMemoryStore();
  const waiting: { pass: () => void; fail: (error: Error) => void }[] = [];
  let isOpen = true;
  const store: Store = {
    access: "write",
    inFlightMax: 2,
    defer: (callback) => inner.defer(callback),
    replay: (tell) => inner.replay(tell),
    append: (batch) =>
      isOpen
        ? inner.append(batch)
        : new Promise((resolve, reject) => {
            waiting.push({ pass: () => resolve(inner.append(batch)), fail: reject });
          }),
    close: () => inner.close(),
  };
  return {
    store,
    shut: () => {
      isOpen = false;
    },
    passAll: () => {
      isOpen = true;
      for (const { pass } of waiting.splice(0)) pass();
    },
    failAll: (fault: StoreFault) => {
      isOpen = true;
      for (const { fail } of waiting.splice(0)) fail(new StoreError(fault, "no room"));
    },
    get waiting() {
      return waiting.length;
    },
  };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

const key = { namespace, name: "a" };
const merge = (data: Record<string, string>) => ({ type: "merge" as const, body: { data } });

test("nothing is told before the commit: no reply, no read, no event, no refusal", async () => {
  const gate = gated();
  const { server } = await testServer({ store: gate.store });
  const client = server.client();
  const before = await client.create(configMaps, objectOf(configMaps, { name: "a" }, { data: { n: "0" } }));
  gate.shut();
  const told: string[] = [];
  const tell = (what: string) => () => told.push(what);
  const watch = client.watch(configMaps, { resourceVersion: before.metadata.resourceVersion ?? "" });
  const event = watch[Symbol.asyncIterator]().next().then(tell("event"));
  const patched = client.patch(configMaps, key, merge({ n: "1" })).then(tell("reply"));
  const again = client.patch(configMaps, key, merge({ n: "1" })).then(tell("nothing to do"));
  const stale = client.update(configMaps, { ...before, metadata: { ...before.metadata } }).catch(tell("conflict"));
  await settled();
  expect(told).toEqual([]);
  expect(await client.get(configMaps, key)).toBe(before);
  gate.passAll();
  await Promise.all([event, patched, again, stale]);
  expect([...told].sort()).toEqual(["conflict", "event", "nothing to do", "reply"]);
  expect(member(await client.get(configMaps, key), "data", "n")).toBe("1");
});

test("a full disk: what was built on the lost write is lost with it, and writing goes on", async () => {
  const gate = gated();
  const { server } = await testServer({ store: gate.store });
  const client = server.client();
  const status = { nodes: { x: { phase: "Running" } } };
  const before = await client.create(workflows, objectOf(workflows, { name: "a" }, { status }));
  gate.shut();
  const answers: Promise<unknown>[] = [];
  for (const count of [1, 2, 3]) {
    const body = { status: { nodes: { [`n${count}`]: { count }, x: { phase: `p${count}` } } } };
    const answer = client.patch(workflows, key, { type: "merge", body });
    answer.catch(() => {});
    answers.push(answer);
    await settled();
  }
  expect(gate.waiting).toBe(2);
  gate.failAll("full");
  for (const answer of answers)
    await expect(answer).rejects.toMatchObject({ code: 500, message: /not saved: no room/ });
  expect(await client.get(workflows, key)).toBe(before);
  expect(JSON.stringify(member(before, "status"))).toBe(JSON.stringify(status));
  const after = await client.patch(workflows, key, { type: "merge", body: { status: { nodes: { y: 1 } } } });
  expect(member(after, "status", "nodes")).toEqual({ x: { phase: "Running" }, y: 1 });
});

test("a store that failed takes no more writes, and is still read", async () => {
  const gate = gated();
  const { server } = await testServer({ store: gate.store });
  const client = server.client();
  const before = await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  gate.shut();
  const lost = client.patch(configMaps, key, merge({ n: "1" }));
  await settled();
  gate.failAll("broken");
  await expect(lost).rejects.toMatchObject({ name: "TransportError" });
  await expect(client.patch(configMaps, key, merge({ n: "2" }))).rejects.toMatchObject({ name: "TransportError" });
  expect(await client.get(configMaps, key)).toBe(before);
});

test("close lets what is on its way arrive, ends watches, and refuses the rest", async () => {
  const gate = gated();
  const { server } = await testServer({ store: gate.store });
  const client = server.client();
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  const { resourceVersion } = await client.list(configMaps);
  const watch = client.watch(configMaps, { resourceVersion })[Symbol.asyncIterator]();
  const next = watch.next();
  gate.shut();
  const write = client.patch(configMaps, key, merge({ n: "1" }));
  await settled();
  const closing = server.close();
  gate.passAll();
  await closing;
  expect(member(await write, "data", "n")).toBe("1");
  const event = await next;
  if (event.done !== true) expect((await watch.next()).done).toBe(true);
  await expect(client.patch(configMaps, key, merge({ n: "2" }))).rejects.toMatchObject({ name: "TransportError" });
});

test("who wrote goes on before watches look at what it wrote", async () => {
  const store: Store = { ...openMemoryStore(), defer: process.nextTick };
  const { server } = await testServer({ store });
  const client = server.client();
  const before = await client.create(configMaps, objectOf(configMaps, { name: "a" }, { data: { n: "0" } }));
  const told: string[] = [];
  const watch = client.watch(configMaps, { resourceVersion: before.metadata.resourceVersion ?? "" });
  const event = watch[Symbol.asyncIterator]()
    .next()
    .then(() => told.push("event"));
  await client.patch(configMaps, key, merge({ n: "1" }));
  await settled();
  told.push("went on");
  await event;
  expect(told).toEqual(["went on", "event"]);
});

test("a write that is ordered before another is told so at once; where the disk loses it, both are lost", async () => {
  const gate = gated();
  const { server } = await testServer({ store: gate.store });
  const client = server.client();
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  gate.shut();
  const told: string[] = [];
  const tell = (text: string) => () => told.push(text);
  const later: Promise<unknown>[] = [];
  const patched = client.patch(configMaps, key, merge({ n: "1" }), {
    onOrdered: () => {
      told.push("ordered");
      later.push(client.create(configMaps, objectOf(configMaps, { name: "b" })).catch(tell("b refused")));
    },
  });
  patched.catch(tell("a refused"));
  expect(told).toEqual(["ordered"]);
  await settled();
  gate.failAll("full");
  await Promise.all([patched.catch(() => undefined), ...later]);
  expect([...told].sort()).toEqual(["a refused", "b refused", "ordered"]);
  expect((await client.list(configMaps)).items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
});

test("a write that is refused, or only tried, has no place in the order", async () => {
  const { server } = await testServer();
  const client = server.client();
  const onOrdered = (): never => {
    throw new Error("was ordered");
  };
  await client.create(configMaps, objectOf(configMaps, { name: "b" }), { onOrdered, dryRun: true });
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  const again = client.create(configMaps, objectOf(configMaps, { name: "a" }), { onOrdered });
  await expect(again).rejects.toMatchObject({ code: 409 });
  const stale = { type: "merge", body: { metadata: { resourceVersion: "1" }, data: { n: "1" } } } as const;
  await expect(client.patch(configMaps, key, stale, { onOrdered })).rejects.toMatchObject({ code: 409 });
});
