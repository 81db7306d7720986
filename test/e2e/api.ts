/** A place's API as another program reaches it: plain HTTP over its socket. */

import { request } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { systemClock } from "../../src/app/system-clock.js";
import type { Pod } from "../../src/core/model/kube/pod.js";
import { pods } from "../../src/core/model/resources.js";
import { unixTransport } from "../../src/kube/http/undici-transport.js";
import { HttpClient } from "../../src/kube/http-client.js";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Question {
  readonly method: "GET" | "PATCH" | "DELETE";
  readonly path: string;
  /** Of a PATCH: a merge patch. */
  readonly body?: unknown;
}

export async function ask(socketPath: string, question: Question): Promise<Answer> {
  const { status, text } = await askText(socketPath, question);
  return { status, body: JSON.parse(text) };
}

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

/** For what is answered with no JSON. */
export function askText(socketPath: string, { method, path, body }: Question): Promise<TextAnswer> {
  const headers = { host: "localhost", "content-type": "application/merge-patch+json" };
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export interface PodSeen {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string };
}

export async function podsOf(socketPath: string): Promise<readonly PodSeen[]> {
  const { body } = await ask(socketPath, { method: "GET", path: "/api/v1/pods" });
  return (body as { readonly items: readonly PodSeen[] }).items;
}

/** Resolves when a pod of the place is so. */
export async function podBecomes(socketPath: string, isSo: (pod: Pod) => boolean): Promise<void> {
  const client = new HttpClient({ transport: unixTransport(socketPath), clock: systemClock });
  try {
    const { items, resourceVersion } = await client.list<Pod>(pods);
    if (items.some(isSo)) return;
    for await (const event of client.watch<Pod>(pods, { resourceVersion }))
      if (event.type !== "BOOKMARK" && isSo(event.object)) return;
    throw new Error("the watch ended before");
  } finally {
    await client.close();
  }
}

/** Serves what stands behind a socket on a port of this machine, as `kubectl proxy` serves a cluster's API. */
export async function onPort(socketPath: string): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((client) => {
    const behind = connect(socketPath);
    const end = (): void => {
      client.destroy();
      behind.destroy();
    };
    for (const socket of [client, behind]) socket.on("error", end).on("close", end);
    client.pipe(behind).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, close: () => void server.close() };
}
