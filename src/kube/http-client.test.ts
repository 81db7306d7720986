import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { KubeObject } from "../core/model/kube/meta.js";
import { pods } from "../core/model/resources.js";
import type { WatchEvent } from "./client.js";
import { ApiError, FencedError, TransportError } from "./errors.js";
import { undiciTransport, unixTransport } from "./http/undici-transport.js";
import { HttpClient } from "./http-client.js";
import { VirtualClock } from "./testing/virtual-clock.js";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Seen {
  readonly line: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

type Answer = (response: ServerResponse, seen: Seen) => void;

/** A server on a Unix socket that writes down each request and answers as told. */
async function serving(answer: Answer, connectionsMax = 10) {
  const folder = await mkdtemp(join(tmpdir(), "kube-"));
  const socketPath = join(folder, "s");
  const seen: Seen[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const entry = { line: `${request.method} ${request.url}`, contentType: request.headers["content-type"], body };
    seen.push(entry);
    answer(response, entry);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const clock = new VirtualClock();
  const transport = undiciTransport({ origin: "http://localhost", socketPath, connectionsMax });
  const client = new HttpClient({ transport, clock, timeoutMs: 5000 });
  cleanups.push(
    () => rm(folder, { recursive: true, force: true }),
    () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
    () => client.close(),
  );
  return { client, clock, seen, server, socketPath };
}

const json =
  (value: unknown, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };

const key = { namespace: "ns", name: "p" };
const pod: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { ...key, uid: "u", resourceVersion: "3" } };

test("each call is the request Kubernetes knows", async () => {
  const { client, seen } = await serving(json(pod));
  const preconditions = { uid: "u", resourceVersion: "3" };
  await client.get(pods, key);
  await client.create(pods, pod, { dryRun: true });
  await client.update(pods, pod, { subresource: "status" });
  await client.patch(pods, key, { type: "json", body: [{ op: "remove", path: "/a" }] });
  await client.patch(pods, key, { type: "merge", body: { a: null } }, { subresource: "status" });
  await client.delete(pods, key, { gracePeriodSeconds: 0, propagationPolicy: "Background", preconditions });
  const patchType = (name: string) => `application/${name}+json`;
  expect(seen).toEqual([
    { line: "GET /api/v1/namespaces/ns/pods/p", contentType: undefined, body: "" },
    { line: "POST /api/v1/namespaces/ns/pods?dryRun=All", contentType: "application/json", body: JSON.stringify(pod) },
    { line: "PUT /api/v1/namespaces/ns/pods/p/status", contentType: "application/json", body: JSON.stringify(pod) },
    {
      line: "PATCH /api/v1/namespaces/ns/pods/p",
      contentType: patchType("json-patch"),
      body: '[{"op":"remove","path":"/a"}]',
    },
    { line: "PATCH /api/v1/namespaces/ns/pods/p/status", contentType: patchType("merge-patch"), body: '{"a":null}' },
    {
      line: "DELETE /api/v1/namespaces/ns/pods/p",
      contentType: "application/json",
      body: JSON.stringify({
        apiVersion: "v1",
        kind: "DeleteOptions",
        gracePeriodSeconds: 0,
        propagationPolicy: "Background",
        preconditions,
      }),
    },
  ]);
});

test("what comes back is frozen, and items of a list get the kind the list has said", async () => {
  const list = {
    kind: "PodList",
    metadata: { resourceVersion: "9", continue: "more" },
    items: [{ metadata: { name: "p" } }],
  };
  const { client } = await serving(json(list));
  const answer = await client.list(pods, { namespace: "ns", limit: 1 });
  expect(answer).toEqual({
    items: [{ apiVersion: "v1", kind: "Pod", metadata: { name: "p" } }],
    resourceVersion: "9",
    continue: "more",
  });
  expect(Object.isFrozen(answer.items[0]?.metadata)).toBe(true);
});

test.each([
  [{ kind: "Status", status: "Success" }, undefined],
  [pod, undefined],
  [{ ...pod, metadata: { ...pod.metadata, deletionTimestamp: "t", deletionGracePeriodSeconds: 0 } }, undefined],
  [{ ...pod, metadata: { ...pod.metadata, deletionTimestamp: "t", deletionGracePeriodSeconds: 30 } }, "p"],
  [{ ...pod, metadata: { ...pod.metadata, deletionTimestamp: "t", finalizers: ["f"] } }, "p"],
])("delete answers what still stands: %j", async (answer, name) => {
  const { client } = await serving(json(answer));
  expect((await client.delete(pods, key))?.metadata.name).toBe(name);
});

test("a refusal is an ApiError, no answer is a TransportError, and nothing is sent twice", async () => {
  let answer: Answer = json({ kind: "Status", reason: "NotFound", message: 'pods "p" not found', code: 404 }, 404);
  const { client, seen, server } = await serving((response, entry) => answer(response, entry));
  await expect(client.get(pods, key)).rejects.toEqual(new ApiError(404, "NotFound", 'pods "p" not found'));
  answer = (response) => response.destroy();
  await expect(client.create(pods, pod)).rejects.toBeInstanceOf(TransportError);
  expect(seen).toHaveLength(2);
  answer = (response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{");
    response.destroy();
  };
  await expect(client.update(pods, pod)).rejects.toBeInstanceOf(TransportError);
  expect(seen).toHaveLength(3);
  answer = (response) => response.end("not JSON");
  await expect(client.get(pods, key)).rejects.toThrow("the answer is not JSON");
  server.closeAllConnections();
  answer = json(pod);
  await client.get(pods, key);
});

test("nobody listens", async () => {
  const client = new HttpClient({ transport: unixTransport("/nonexistent/socket"), clock: new VirtualClock() });
  await expect(client.get(pods, key)).rejects.toBeInstanceOf(TransportError);
  await client.close();
});

test("no answer within the timeout, of the head or of the body", async () => {
  for (const hang of [() => {}, (response: ServerResponse) => response.write("{")]) {
    let arrived: () => void = () => {};
    const { client, clock } = await serving((response) => {
      hang(response);
      arrived();
    });
    const isArrived = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const call = client.get(pods, key);
    await isArrived;
    clock.advanceSync(5000);
    await expect(call).rejects.toThrow("no answer within 5000 ms: GET /api/v1/namespaces/ns/pods/p");
    expect(clock.pending).toBe(0);
  }
});

test("a guard that throws: nothing leaves", async () => {
  const { client, seen } = await serving(json(pod));
  const guard = (): void => {
    throw new FencedError("no lease");
  };
  await expect(client.create(pods, pod, { guard })).rejects.toEqual(new FencedError("no lease"));
  await expect(client.delete(pods, key, { guard })).rejects.toBeInstanceOf(FencedError);
  await client.get(pods, key);
  expect(seen.map(({ line }) => line)).toEqual(["GET /api/v1/namespaces/ns/pods/p"]);
});

test("the guard is asked when the request leaves, not when it begins to wait for a connection", async () => {
  let release: () => void = () => {};
  let arrived: () => void = () => {};
  const isArrived = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { client, seen } = await serving((response, entry) => {
    const answer = (): void => json(pod)(response, entry);
    if (entry.line.startsWith("POST")) return answer();
    release = answer;
    return arrived();
  }, 1);
  let isOurs = true;
  const asked: boolean[] = [];
  const guard = (): void => {
    asked.push(isOurs);
    if (!isOurs) throw new FencedError("lost meanwhile");
  };
  const slow = client.get(pods, key);
  await isArrived;
  const waiting = client.create(pods, pod, { guard });
  isOurs = false;
  release();
  await slow;
  await expect(waiting).rejects.toThrow("lost meanwhile");
  expect(asked).toEqual([false]);
  expect(seen).toHaveLength(1);
});

test("a watch is read as it comes, and ends as it is told to", async () => {
  const event = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;
  let stream: ServerResponse | undefined;
  const { client } = await serving((response) => {
    stream = response;
    response.writeHead(200);
    response.write(event("ADDED", { ...pod, kind: undefined, apiVersion: undefined }));
  });
  const watching = (signal?: AbortSignal) => {
    const options = { namespace: "ns", resourceVersion: "1", ...(signal === undefined ? {} : { signal }) };
    return client.watch(pods, options)[Symbol.asyncIterator]();
  };
  const added: WatchEvent<KubeObject> = { type: "ADDED", object: pod };

  const first = watching();
  expect((await first.next()).value).toEqual(added);
  stream?.write(event("BOOKMARK", { metadata: { resourceVersion: "8" } }));
  expect((await first.next()).value).toEqual({ type: "BOOKMARK", resourceVersion: "8" });
  stream?.end(event("DELETED", pod));
  expect((await first.next()).value).toEqual({ type: "DELETED", object: pod });
  expect((await first.next()).done).toBe(true);

  const expired = watching();
  await expired.next();
  stream?.end(event("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" }));
  await expect(expired.next()).rejects.toEqual(new ApiError(410, "Expired", "too old"));

  const broken = watching();
  await broken.next();
  stream?.write('{"type":"MODI');
  stream?.destroy();
  await expect(broken.next()).rejects.toBeInstanceOf(TransportError);

  const stop = new AbortController();
  const aborted = watching(stop.signal);
  await aborted.next();
  const next = aborted.next();
  stop.abort();
  expect((await next).done).toBe(true);
});

test("a watch that is left gives its connection back", async () => {
  const { client } = await serving((response, entry) => {
    if (!entry.line.includes("watch=true")) return json(pod)(response, entry);
    return void response.write(`${JSON.stringify({ type: "ADDED", object: pod })}\n`);
  }, 1);
  for await (const _event of client.watch(pods, { resourceVersion: "1" })) break;
  await client.get(pods, key);
});

test("other endpoints: text and streams", async () => {
  const { client } = await serving((response) => response.end("line 1\nline 2\n"));
  const path = "/api/v1/namespaces/ns/pods/p/log?follow=true";
  expect(await client.text({ method: "GET", path })).toBe("line 1\nline 2\n");
  const { body } = await client.stream({ method: "GET", path });
  let read = "";
  for await (const chunk of body) read += Buffer.from(chunk).toString();
  expect(read).toBe("line 1\nline 2\n");
});

test("connections are kept: many calls, few sockets", async () => {
  const { client, server } = await serving(json(pod), 4);
  let sockets = 0;
  server.on("connection", () => sockets++);
  for (let index = 0; index < 50; index++) await client.get(pods, key);
  await Promise.all(Array.from({ length: 50 }, () => client.get(pods, key)));
  expect(sockets).toBeLessThanOrEqual(4);
});
