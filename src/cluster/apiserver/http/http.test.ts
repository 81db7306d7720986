import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, expect, test } from "vitest";
import { configMaps, pods } from "../../../core/model/resources.js";
import { ApiError } from "../../../kube/errors.js";
import type { ApiServer, ListenOptions, LogRequest } from "../index.js";
import { namespace, objectOf, testServer } from "../testing/server.js";

const folder = mkdtempSync(`${tmpdir()}/tiphys-http-`);
const servers: ApiServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listening(options: ListenOptions = {}) {
  const { server, clock } = await testServer({ history: { events: 20, bytes: 1_000_000 } });
  servers.push(server);
  const path = `${mkdtempSync(`${folder}/s-`)}/api.sock`;
  const defects: unknown[] = [];
  const listener = await server.listen(path, { onDefect: (error) => defects.push(error), ...options });
  return { server, client: server.client(), clock, path, listener, defects };
}

interface Ask {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

function ask(
  socketPath: string,
  path: string,
  { method = "GET", headers = {}, body }: Ask = {},
): Promise<IncomingMessage> {
  const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { socketPath, path, method, headers: { Host: "localhost", ...length, ...headers } },
      resolve,
    );
    request.on("error", reject);
    request.end(body);
  });
}

async function answer(socketPath: string, path: string, options: Ask = {}): Promise<{ code: number; body: string }> {
  const response = await ask(socketPath, path, options);
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { code: response.statusCode ?? 0, body };
}

const all = `/api/v1/namespaces/${namespace}/configmaps`;
const json = { "Content-Type": "application/json" };

test.each<[string, string, Ask, number, string]>([
  ["a foreign host", all, { headers: { Host: "evil.example" } }, 403, "Forbidden"],
  ["a host that begins like ours", all, { headers: { Host: "localhost.evil.example" } }, 403, "Forbidden"],
  ["a web page", all, { headers: { Origin: "http://localhost" } }, 403, "Forbidden"],
  ["a web page's form", all, { method: "POST", headers: { Origin: "null" }, body: "{}" }, 403, "Forbidden"],
  ["no such path", "/x", {}, 404, "NotFound"],
  ["no such type", "/api/v1/things", {}, 404, "NotFound"],
  ["no such version", "/api/v2/pods", {}, 404, "NotFound"],
  ["a type named as the prototype's", "/api/v1/constructor", {}, 404, "NotFound"],
  ["a namespace around what has none", "/api/v1/namespaces/a/namespaces/b", {}, 404, "NotFound"],
  ["no namespace around what has one", "/api/v1/configmaps/a", {}, 404, "NotFound"],
  ["a path too long", `${all}/a/b/c`, {}, 404, "NotFound"],
  ["a path that is not encoded", "/api/v1/%zz", {}, 400, "BadRequest"],
  ["a method on all", all, { method: "DELETE" }, 405, "MethodNotAllowed"],
  ["a method that is the prototype's", all, { method: "PROPFIND" }, 405, "MethodNotAllowed"],
  ["no body", all, { method: "POST", headers: json }, 400, "BadRequest"],
  ["no JSON", all, { method: "POST", headers: json, body: "{" }, 400, "BadRequest"],
  ["a list for an object", all, { method: "POST", headers: json, body: "[]" }, 400, "BadRequest"],
  [
    "YAML",
    all,
    { method: "POST", headers: { "Content-Type": "application/yaml" }, body: "a: b" },
    415,
    "UnsupportedMediaType",
  ],
  [
    "a body too large",
    all,
    { method: "POST", headers: json, body: `"${"x".repeat(20_000)}"` },
    413,
    "RequestEntityTooLarge",
  ],
  [
    "nesting without end",
    all,
    { method: "POST", headers: json, body: '{"a":'.repeat(1200) + "1".padEnd(1201, "}") },
    400,
    "BadRequest",
  ],
  ["a patch of no kind", `${all}/a`, { method: "PATCH", headers: json, body: "{}" }, 415, "UnsupportedMediaType"],
  [
    "another kind",
    all,
    { method: "POST", headers: json, body: '{"kind":"Pod","metadata":{"name":"a"}}' },
    400,
    "BadRequest",
  ],
  [
    "another namespace",
    all,
    { method: "POST", headers: json, body: '{"metadata":{"name":"a","namespace":"b"}}' },
    400,
    "BadRequest",
  ],
  ["a limit that is none", `${all}?limit=x`, {}, 400, "BadRequest"],
  [
    "a dry run of some",
    `${all}?dryRun=Some`,
    { method: "POST", headers: json, body: '{"metadata":{"name":"a"}}' },
    400,
    "BadRequest",
  ],
  ["a status that is none", `${all}/a/status`, {}, 404, "NotFound"],
  ["a watch of the past", `${all}?watch=1&resourceVersion=x`, {}, 400, "BadRequest"],
])("refused: %s", async (_name, path, options, code, reason) => {
  const { path: socket, defects } = await listening({ bodyBytesMax: 10_000 });
  const { code: given, body } = await answer(socket, path, options);
  expect({ given, ...JSON.parse(body) }).toMatchObject({
    given: code,
    kind: "Status",
    status: "Failure",
    reason,
    code,
  });
  expect(defects).toEqual([]);
});

test("a watch too old is 410, before or after it began", async () => {
  const { path, client } = await listening();
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  for (let count = 0; count < 30; count++) {
    await client.patch(configMaps, { namespace, name: "a" }, { type: "merge", body: { data: { n: String(count) } } });
  }
  const { code, body } = await answer(path, `${all}?watch=true&resourceVersion=1`);
  expect([code, JSON.parse(body)]).toMatchObject([410, { reason: "Expired" }]);
});

test("a watch that its reader left is forgotten, and takes no memory for a reader that stands still", async () => {
  const { path, client, clock, server } = await listening();
  const response = await ask(path, `${all}?watch=1&resourceVersion=0`);
  response.destroy();
  const stalled = connect(path);
  stalled.write(`GET ${all}?watch=1&resourceVersion=0 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  stalled.pause();
  await client.create(configMaps, objectOf(configMaps, { name: "a" }));
  const filling = "x".repeat(100_000);
  for (let count = 0; count < 40; count++) {
    await client.patch(
      configMaps,
      { namespace, name: "a" },
      { type: "merge", body: { data: { n: `${count}${filling}` } } },
    );
    await turn();
  }
  const closed = new Promise((resolve) => stalled.on("close", resolve));
  for (let seconds = 0; seconds < 70; seconds++) {
    await clock.advance(1000);
    await turn();
  }
  stalled.resume();
  await closed;
  await server.close();
});

test("objects, lists and deletions look like Kubernetes'", async () => {
  const { path } = await listening();
  const post = { method: "POST", headers: json, body: JSON.stringify({ metadata: { name: "a" }, data: { k: "v" } }) };
  const created = await answer(path, all, post);
  expect([created.code, JSON.parse(created.body)]).toMatchObject([
    201,
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace }, data: { k: "v" } },
  ]);
  const list = await answer(path, "/api/v1/configmaps?limit=1");
  expect(JSON.parse(list.body)).toMatchObject({
    apiVersion: "v1",
    kind: "ConfigMapList",
    items: [{ metadata: { name: "a" } }],
  });
  const again = await answer(path, all, post);
  expect([again.code, JSON.parse(again.body)]).toMatchObject([
    409,
    { reason: "AlreadyExists", message: 'configmaps "a" already exists' },
  ]);
  const deleted = await answer(path, `${all}/a`, {
    method: "DELETE",
    body: '{"propagationPolicy":"Background"}',
    headers: json,
  });
  expect([deleted.code, JSON.parse(deleted.body)]).toMatchObject([
    200,
    { kind: "Status", status: "Success", details: { name: "a" } },
  ]);
  expect((await answer(path, "/healthz")).body).toBe("ok");
});

test("a pod's log comes from whoever keeps it, with what was asked", async () => {
  const asked: LogRequest[] = [];
  const { path, client } = await listening({
    logs: async (request) => {
      asked.push(request);
      if (request.container === "none") throw new ApiError(400, "BadRequest", "container none is not valid for pod p");
      return (async function* () {
        yield Buffer.from("one\n");
        await turn();
        yield Buffer.from("two\n");
      })();
    },
  });
  await client.create(pods, objectOf(pods, { name: "p" }, { spec: { containers: [{ name: "main" }] } }));
  const log = `/api/v1/namespaces/${namespace}/pods/p/log`;
  const query = "?container=main&follow=true&tailLines=5&timestamps=1&sinceSeconds=9";
  expect(await answer(path, log + query)).toEqual({ code: 200, body: "one\ntwo\n" });
  expect(asked[0]).toMatchObject({
    pod: "p",
    namespace,
    container: "main",
    follow: true,
    tailLines: 5,
    timestamps: true,
    sinceSeconds: 9,
  });
  expect((await answer(path, `${log}?sinceTime=${encodeURIComponent("2026-11-30T08:00:00+02:00")}`)).code).toBe(200);
  expect(asked.at(-1)).toMatchObject({ sinceMs: Date.UTC(2026, 10, 30, 6) });
  for (const time of ["yesterday", "2026-11-30", "2026-11-30T08:00:00"]) {
    expect((await answer(path, `${log}?sinceTime=${time}`)).code).toBe(400);
  }
  expect((await answer(path, `${log}?container=none`)).code).toBe(400);
  expect((await answer(path, log.replace("/p/", "/q/"))).code).toBe(404);
});

test("options of a log that make no sense are refused, each with why", async () => {
  const asked: LogRequest[] = [];
  const { path, client } = await listening({
    logs: async (request) => {
      asked.push(request);
      return (async function* () {})();
    },
  });
  await client.create(pods, objectOf(pods, { name: "p" }, { spec: { containers: [{ name: "main" }] } }));
  const ask = (query: string) => answer(path, `/api/v1/namespaces/${namespace}/pods/p/log?${query}`);
  const said = async (query: string) => {
    const { code, body } = await ask(query);
    return [code, JSON.parse(body).message];
  };
  const invalid = (why: string) => [422, `PodLogOptions "p" is invalid: ${why}`];
  expect(await said("limitBytes=-1&tailLines=-2&sinceSeconds=0")).toEqual(
    invalid(
      "[tailLines: Invalid value: -2: must be greater than or equal to 0, " +
        "limitBytes: Invalid value: -1: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]",
    ),
  );
  expect(await said("limitBytes=0")).toEqual(invalid("limitBytes: Invalid value: 0: must be greater than 0"));
  expect(await said("sinceSeconds=5&sinceTime=2026-11-30T06:00:00Z")).toEqual(
    invalid("sinceTime: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified"),
  );
  for (const stream of ["stdout", "constructor"]) {
    expect(await said(`stream=${stream}`)).toEqual(
      invalid(`stream: Unsupported value: "${stream}": supported values: "All", "Stderr", "Stdout"`),
    );
  }
  expect(await said("stream=Stdout&tailLines=1")).toEqual(
    invalid("tailLines: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now"),
  );
  for (const query of ["limitBytes=many", "tailLines=1.5"]) expect((await ask(query)).code).toBe(400);
  expect(asked).toEqual([]);
  const fine =
    "limitBytes=7&tailLines=0&follow&previous=FALSE&timestamps=0&insecureSkipTLSVerifyBackend=true&stream=All";
  expect((await ask(fine)).code).toBe(200);
  expect((await ask("stream=Stderr")).code).toBe(200);
  const [all, one] = asked;
  expect(all).toMatchObject({ limitBytes: 7, tailLines: 0, follow: true, previous: false, timestamps: false });
  expect([all?.stream, one?.stream]).toEqual([undefined, "stderr"]);
});

test("a reader of a log that goes away ends it", async () => {
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { path, client, defects } = await listening({
    logs: async ({ signal }) =>
      (async function* () {
        yield Buffer.from("one\n");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        ended();
      })(),
  });
  await client.create(pods, objectOf(pods, { name: "p" }, { spec: { containers: [{ name: "main" }] } }));
  const response = await ask(path, `/api/v1/namespaces/${namespace}/pods/p/log?follow=1`);
  response.destroy();
  await end;
  expect(defects).toEqual([]);
});

test("large events, each of which is waited for, leave no listeners behind", async () => {
  const { client, path } = await listening();
  const told: Error[] = [];
  const listen = (warning: Error): void => void told.push(warning);
  process.on("warning", listen);
  const response = await ask(path, `${all}?watch=1&resourceVersion=0`);
  const large = { data: { text: "x".repeat(50_000) } };
  for (let count = 0; count < 15; count++)
    await client.create(configMaps, objectOf(configMaps, { name: `m${count}` }, large));
  let lines = 0;
  for await (const chunk of response) {
    lines += String(chunk).split("\n").length - 1;
    if (lines === 15) break;
  }
  await turn();
  process.off("warning", listen);
  expect(told).toEqual([]);
});

test("what is below /tiphys/ is someone else's, behind the same door", async () => {
  const { path, defects } = await listening({
    mount: (_request, response, rest) => {
      if (rest.startsWith("/boom")) throw new Error("secret");
      response.end(`here: ${rest}`);
    },
  });
  expect((await answer(path, "/tiphys/place?x=1")).body).toBe("here: /place?x=1");
  expect((await answer(path, "/tiphys/place", { headers: { Origin: "http://x" } })).code).toBe(403);
  const broken = await answer(path, "/tiphys/boom");
  expect([broken.code, broken.body.includes("secret"), defects.length]).toEqual([500, false, 1]);
});

test("the socket is only its user's; one that was left is taken, anything else is not", async () => {
  const { server } = await testServer();
  servers.push(server);
  const own = `${folder}/own`;
  const listener = await server.listen(`${own}/api.sock`);
  expect([statSync(own).mode & 0o777, statSync(`${own}/api.sock`).mode & 0o777]).toEqual([0o700, 0o600]);
  await listener.close();
  expect(existsSync(`${own}/api.sock`)).toBe(false);
  const open = `${folder}/open`;
  mkdirSync(open);
  chmodSync(open, 0o755);
  await expect(server.listen(`${open}/api.sock`)).rejects.toThrow("closed to others");
  writeFileSync(`${own}/file`, "");
  await expect(server.listen(`${own}/file`)).rejects.toThrow("something else");
  await expect(server.listen(`${own}/${"x".repeat(100)}`)).rejects.toThrow("longer than");
});

test("a request cut off in the middle is no defect", async () => {
  const { path, defects } = await listening();
  const socket = connect(path);
  socket.write(`POST ${all} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"meta`);
  await turn();
  socket.destroy();
  expect((await answer(path, all)).code).toBe(200);
  await turn();
  expect(defects).toEqual([]);
});
