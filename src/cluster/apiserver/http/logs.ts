/** GET of a pod's log: bytes from whoever keeps them, as they come. */

import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { count, flag, text, time } from "./query.js";

export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  /** Left out: the only container, or the default one. */
  readonly container?: string;
  /** Goes on until the container has ended. */
  readonly follow: boolean;
  /** Each line begins with its time, RFC 3339 with nanoseconds. */
  readonly timestamps: boolean;
  /** The log of the container's run before this one. */
  readonly previous: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  /** `sinceTime`, in milliseconds since the epoch. */
  readonly sinceMs?: number;
  /** Aborts when the reader has gone. */
  readonly signal: AbortSignal;
}

/** Rejects with ApiError: BadRequest for a container that is not there or has not begun, NotFound for a log that is gone. */
export type LogSource = (request: LogRequest) => Promise<AsyncIterable<Uint8Array>>;

export async function sendLog(
  response: ServerResponse,
  source: LogSource,
  pod: { readonly namespace: string; readonly name: string },
  query: URLSearchParams,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const stream = await source({ ...requestOf(pod, query), signal: gone.signal });
  response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" });
  response.flushHeaders();
  try {
    await pipeline(Readable.from(stream), response);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

function requestOf(pod: { readonly namespace: string; readonly name: string }, query: URLSearchParams) {
  const tailLines = count(query, "tailLines");
  const limitBytes = count(query, "limitBytes");
  const sinceSeconds = count(query, "sinceSeconds");
  const sinceMs = time(query, "sinceTime");
  const container = text(query, "container");
  return {
    namespace: pod.namespace,
    pod: pod.name,
    follow: flag(query, "follow"),
    timestamps: flag(query, "timestamps"),
    previous: flag(query, "previous"),
    ...(container !== undefined && container !== "" && { container }),
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(sinceSeconds !== undefined && { sinceSeconds }),
    ...(sinceMs !== undefined && { sinceMs }),
  };
}
