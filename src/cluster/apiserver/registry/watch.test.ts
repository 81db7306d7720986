import { expect, test } from "vitest";
import { configMaps } from "../../../core/model/resources.js";
import { namespace, objectOf, testServer } from "../testing/server.js";

const key = { namespace, name: "a" };

test("a watcher that is too slow is told so when it comes back; one that keeps up is not", async () => {
  const { server } = await testServer({ history: { events: 10, bytes: 1_000_000 } });
  const client = server.client();
  const { metadata } = await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  const options = { resourceVersion: metadata.resourceVersion ?? "" };
  const slow = client.watch(configMaps, options)[Symbol.asyncIterator]();
  const quick = client.watch(configMaps, options)[Symbol.asyncIterator]();
  const write = (count: number) =>
    client.patch(configMaps, key, { type: "merge", body: { data: { n: String(count) } } });
  await write(0);
  await slow.next();
  await quick.next();
  for (let count = 1; count <= 20; count++) {
    await write(count);
    expect((await quick.next()).value).toMatchObject({ type: "MODIFIED", object: { data: { n: String(count) } } });
  }
  await expect(slow.next()).rejects.toMatchObject({ code: 410, reason: "Expired" });
});

test("from 0 a watch begins with what there is", async () => {
  const { server } = await testServer();
  const client = server.client();
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  await client.create(configMaps, objectOf(configMaps, { name: "b" }));
  const watch = client.watch(configMaps, { resourceVersion: "0" })[Symbol.asyncIterator]();
  const names = [await watch.next(), await watch.next()].map(({ value }) => value.object.metadata.name);
  expect(names).toEqual(["a", "b"]);
});

test.each(["x", "-1", "1e3", "99999999999999999999"])("revision %j is refused", async (resourceVersion) => {
  const { server } = await testServer();
  const watch = server.client().watch(configMaps, { resourceVersion })[Symbol.asyncIterator]();
  await expect(watch.next()).rejects.toMatchObject({ code: 400 });
});

test("a revision of the future is not waited for", async () => {
  const { server } = await testServer();
  const watch = server.client().watch(configMaps, { resourceVersion: "1000" })[Symbol.asyncIterator]();
  await expect(watch.next()).rejects.toMatchObject({ code: 504, retryAfterSeconds: 1 });
});

test("a watch ends after its time", async () => {
  const { server, clock } = await testServer();
  const watch = server.client().watch(configMaps, { resourceVersion: "1", timeoutSeconds: 60 });
  const next = watch[Symbol.asyncIterator]().next();
  await clock.advance(60_000);
  expect((await next).done).toBe(true);
});

test("a server at rest has no timer", async () => {
  const { server, clock } = await testServer();
  const client = server.client();
  const stop = new AbortController();
  const options = { resourceVersion: "1", allowBookmarks: true, signal: stop.signal };
  const watch = client.watch(configMaps, options)[Symbol.asyncIterator]();
  const first = watch.next();
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  await first;
  const second = watch.next();
  await clock.advance(120_000);
  expect(clock.pending).toBe(0);
  stop.abort();
  await second;
});
