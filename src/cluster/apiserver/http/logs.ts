/** GET of a pod's log with Kubernetes' PodLogOptions: bytes from whoever keeps them, as they come. */

import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pods } from "../../../core/model/resources.js";
import { invalid } from "../registry/refusals.js";
import { flag, integer, text, time } from "./query.js";

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
  /** At least 0. */
  readonly tailLines?: number;
  /** At least 1. */
  readonly limitBytes?: number;
  /** At least 1; not together with `sinceMs`. */
  readonly sinceSeconds?: number;
  /** `sinceTime`, in milliseconds since the epoch. */
  readonly sinceMs?: number;
  /** Only one of the two; not together with `tailLines`. */
  readonly stream?: "stdout" | "stderr";
  /** Aborts when the reader has gone. */
  readonly signal: AbortSignal;
}

/** Rejects with ApiError: BadRequest where a container must be named, NotFound for one that is not there, or has no log. */
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

/** Nobody's certificate is looked at on the way to a log: `insecureSkipTLSVerifyBackend` has nothing to skip. */
function requestOf(pod: { readonly namespace: string; readonly name: string }, query: URLSearchParams) {
  const tailLines = integer(query, "tailLines");
  const limitBytes = integer(query, "limitBytes");
  const sinceSeconds = integer(query, "sinceSeconds");
  const sinceMs = time(query, "sinceTime");
  const wantedStream = text(query, "stream") ?? "";
  const faults = faultsOf({ tailLines, limitBytes, sinceSeconds, sinceMs, wantedStream });
  if (faults.length > 0) throw invalid({ ...pods, kind: "PodLogOptions" }, pod.name, faults);
  const container = text(query, "container");
  const stream = streams.get(wantedStream);
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
    ...(stream !== undefined && stream !== "both" && { stream }),
  };
}

const streams: ReadonlyMap<string, "stdout" | "stderr" | "both"> = new Map([
  ["", "both"],
  ["All", "both"],
  ["Stdout", "stdout"],
  ["Stderr", "stderr"],
]);

interface Wishes {
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceSeconds: number | undefined;
  readonly sinceMs: number | undefined;
  readonly wantedStream: string;
}

/** In the words of Kubernetes. */
function faultsOf({ tailLines, limitBytes, sinceSeconds, sinceMs, wantedStream }: Wishes): readonly string[] {
  const stream = streams.get(wantedStream);
  const checks: readonly (readonly [boolean, string])[] = [
    [isBelow(tailLines, 0), `tailLines: Invalid value: ${tailLines}: must be greater than or equal to 0`],
    [isBelow(limitBytes, 1), `limitBytes: Invalid value: ${limitBytes}: must be greater than 0`],
    [isBelow(sinceSeconds, 1), `sinceSeconds: Invalid value: ${sinceSeconds}: must be greater than 0`],
    [
      sinceSeconds !== undefined && sinceMs !== undefined,
      "sinceTime: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified",
    ],
    [
      stream === undefined,
      `stream: Unsupported value: ${JSON.stringify(wantedStream)}: supported values: "All", "Stderr", "Stdout"`,
    ],
    [
      tailLines !== undefined && (stream === "stdout" || stream === "stderr"),
      "tailLines: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now",
    ],
  ];
  return checks.filter(([isFault]) => isFault).map(([, fault]) => fault);
}

function isBelow(value: number | undefined, least: number): boolean {
  return value !== undefined && value < least;
}
