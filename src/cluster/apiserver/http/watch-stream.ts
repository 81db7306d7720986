/** A watch as a response: one JSON event a line, for as long as both sides want. */

import type { ServerResponse } from "node:http";
import { apiVersionOf, type ResourceType } from "../../../core/model/resources.js";
import type { Clock } from "../../../kube/clock.js";
import type { Registry } from "../registry/registry.js";
import type { StoredEvent, WatchRequest } from "../registry/watch.js";
import { count, flag, text } from "./query.js";
import { isRefusal, statusOf } from "./reply.js";

/** Milliseconds a reader may take no byte at all before it is cut off. */
const stalledMs = 60_000;

export interface WatchStream {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  /** Of one object only. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
}

/** Throws before the response has begun what the registry refuses; later refusals are an ERROR event. */
export async function sendWatch(response: ServerResponse, stream: WatchStream): Promise<void> {
  const end = new AbortController();
  const show = (event: StoredEvent): object => lineOf(event, stream.type);
  const events = stream.registry.watch(stream.type, { ...requestOf(stream, end.signal), show });
  response.once("close", () => end.abort());
  response.writeHead(200, { "Content-Type": "application/json", "Transfer-Encoding": "chunked" });
  response.flushHeaders();
  try {
    for await (const event of events) await writeLine(response, event, stream.clock);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await writeLine(response, { type: "ERROR", object: statusOf(error) }, stream.clock);
  }
  response.end();
}

function requestOf({ namespace, name, query }: WatchStream, signal: AbortSignal): WatchRequest {
  const fields = [text(query, "fieldSelector") ?? "", name === undefined ? "" : `metadata.name=${name}`];
  return {
    namespace,
    labelSelector: text(query, "labelSelector"),
    fieldSelector: fields.filter((field) => field !== "").join(","),
    resourceVersion: text(query, "resourceVersion"),
    allowBookmarks: flag(query, "allowWatchBookmarks"),
    timeoutSeconds: count(query, "timeoutSeconds"),
    signal,
  };
}

function lineOf(event: StoredEvent, type: ResourceType): object {
  if (event.type !== "BOOKMARK") return { type: event.type, object: event.object.object };
  const metadata = { resourceVersion: String(event.revision) };
  return { type: "BOOKMARK", object: { kind: type.kind, apiVersion: apiVersionOf(type), metadata } };
}

/** Waits for a slow reader instead of buffering for it; one that stands still is cut off. */
async function writeLine(response: ServerResponse, line: object, clock: Clock): Promise<void> {
  if (response.destroyed || response.write(`${JSON.stringify(line)}\n`)) return;
  const timer = clock.after(stalledMs, () => response.destroy());
  try {
    await drainedOrClosed(response);
  } finally {
    timer.cancel();
  }
}

/** A watch is waited for very often: no listener stays behind. */
function drainedOrClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
