import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { HTTPArtifact } from "../core/model/argo/artifact.js";
import { defaultHttpLimits, HttpStore } from "./http-store.js";
import { temporaryFolder } from "./testing/folder.js";

interface Seen {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly own: string | undefined;
}

const seen: Seen[] = [];
const servers: Server[] = [];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let [first, second] = ["", ""];
let count = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  second = await listen(answer);
  first = await listen(answer);
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  await folder.remove();
});

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? "";
  seen.push({ url, authorization: request.headers.authorization, own: request.headers["x-own"] as string | undefined });
  const redirects: Record<string, string> = {
    "/hop": "/file",
    "/away": `${second}/file`,
    "/to-file": "file:///etc/passwd",
    "/loop": "/loop",
  };
  const location = redirects[url];
  if (location !== undefined) return void response.writeHead(302, { location }).end();
  if (url === "/file") return void response.end("content");
  if (url === "/big") return void response.end(Buffer.alloc(2000));
  if (url === "/token") return void response.end('{"access_token":"t0"}');
  if (url === "/cut") {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.destroy());
    return;
  }
  if (url === "/silent") return;
  response.writeHead(url === "/forbidden" ? 403 : 404).end();
}

const secrets: Readonly<Record<string, string>> = { "s/user": "u", "s/password": "p", "s/id": "i", "s/secret": "x" };

/** By the secret's key; `first` where none stands. */
const tokenUrls: Record<string, string> = { "token-url-nobody": "http://127.0.0.1:1/token" };

async function load(http: HTTPArtifact, limits = defaultHttpLimits, signal?: AbortSignal): Promise<string> {
  const readSecret = async (name: string, key: string): Promise<string> =>
    key.startsWith("token-url") ? (tokenUrls[key] ?? `${first}/token`) : (secrets[`${name}/${key}`] ?? "");
  count += 1;
  const path = join(folder.path, `out${count}`);
  await new HttpStore(readSecret, limits).get({ name: "a", http }, path, signal);
  return readFile(path, "utf8");
}

test("a file, its headers sent", async () => {
  expect(await load({ url: `${first}/file`, headers: [{ name: "X-Own", value: "v" }] })).toBe("content");
  expect(seen).toEqual([{ url: "/file", authorization: undefined, own: "v" }]);
});

test("redirects are followed; another host gets neither headers nor credentials", async () => {
  const basicAuth = {
    usernameSecret: { name: "s", key: "user" },
    passwordSecret: { name: "s", key: "password" },
  };
  const http = { headers: [{ name: "X-Own", value: "v" }], auth: { basicAuth } };
  const authorization = `Basic ${Buffer.from("u:p").toString("base64")}`;
  expect(await load({ ...http, url: `${first}/hop` })).toBe("content");
  expect(await load({ ...http, url: `${first}/away` })).toBe("content");
  expect(seen).toEqual([
    { url: "/hop", authorization, own: "v" },
    { url: "/file", authorization, own: "v" },
    { url: "/away", authorization, own: "v" },
    { url: "/file", authorization: undefined, own: undefined },
  ]);
});

test("oauth2: a token is fetched first", async () => {
  const oauth2 = {
    clientIDSecret: { name: "s", key: "id" },
    clientSecretSecret: { name: "s", key: "secret" },
    tokenURLSecret: { name: "s", key: "token-url" },
    scopes: ["a"],
  };
  expect(await load({ url: `${first}/file`, auth: { oauth2 } })).toBe("content");
  expect(seen.map(({ url, authorization }) => [url, authorization])).toEqual([
    ["/token", undefined],
    ["/file", "Bearer t0"],
  ]);
});

test.each([
  ["token-url-html", "forbidden", "oauth2: no token, status 200"],
  ["token-url-nobody", "failed", "loading file from"],
])("oauth2: %s is an error in words", async (key, code, message) => {
  tokenUrls["token-url-html"] = `${first}/file`;
  const oauth2 = { tokenURLSecret: { name: "s", key } };
  await expect(load({ url: `${first}/file`, auth: { oauth2 } })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

test.each<readonly [path: string, code: string, message: string]>([
  ["/none", "not-found", "failed with reason: 404"],
  ["/forbidden", "forbidden", "failed with reason: 403"],
  ["/to-file", "invalid", '"file:///etc/passwd" is not an http or https URL'],
  ["/loop", "failed", "too many redirects"],
  ["/big", "too-large", "more than 1000 bytes"],
  ["/cut", "failed", "loading file from"],
  ["/silent", "failed", "loading file from"],
])("%s: %s", async (path, code, message) => {
  await expect(
    load({ url: `${first}${path}` }, { bytesMax: 1000, idleMs: 300, redirectsMax: 3 }),
  ).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

test.each(["file:///etc/passwd", "ftp://x/y", "nonsense", ""])("the URL %j is refused", async (url) => {
  await expect(load({ url })).rejects.toMatchObject({ code: "invalid" });
});

test("ends early when told to", async () => {
  const stop = new AbortController();
  const loading = load({ url: `${first}/silent` }, defaultHttpLimits, stop.signal);
  stop.abort();
  await expect(loading).rejects.toMatchObject({ name: "ArtifactError" });
});
