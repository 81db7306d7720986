/** Every request passes here: who may ask, what is asked for, and what is answered when it goes wrong. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../../kube/clock.js";
import { ApiError } from "../../../kube/errors.js";
import { badRequest, noSuchType } from "../registry/refusals.js";
import type { Registry } from "../registry/registry.js";
import type { LogSource } from "./logs.js";
import { resourcePathOf, segmentsOf } from "./path.js";
import { isRefusal, sendError, sendText } from "./reply.js";
import { serve } from "./verbs.js";

/** Serves what is below `/tiphys/`; the path is given without that part. */
export type Mount = (request: IncomingMessage, response: ServerResponse, path: string) => void | Promise<void>;

export interface HandlerOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly logs?: LogSource;
  readonly mount?: Mount;
  /** Hosts that requests may name; left out: this machine. */
  readonly hosts?: readonly string[];
  /** Bytes of a body at most; left out: 32 MiB. */
  readonly bodyBytesMax?: number;
  /** Told of what should never happen; the client hears only that it did. */
  readonly onDefect?: (error: unknown) => void;
}

const hostsDefault = ["localhost", "127.0.0.1", "[::1]"];
const bodyBytesMaxDefault = 32 * 1024 * 1024;

export function handlerOf(options: HandlerOptions): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    // A client that goes away in the middle is no defect.
    response.on("error", () => {});
    answer(options, request, response).catch((error: unknown) => {
      if (!isRefusal(error) && !response.destroyed) options.onDefect?.(error);
      sendError(response, error);
    });
  };
}

async function answer(options: HandlerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  refuseForeign(request, options.hosts ?? hostsDefault);
  const url = urlOf(request);
  const segments = segmentsOf(url.pathname);
  if (segments === undefined) throw badRequest("the path of the request cannot be decoded");
  if (segments[0] === "tiphys" && options.mount !== undefined) {
    return options.mount(request, response, url.pathname.slice("/tiphys".length) + url.search);
  }
  if (segments.length === 1 && ["healthz", "livez", "readyz"].includes(segments[0] ?? "")) {
    return sendText(response, 200, "ok");
  }
  const { registry, clock, logs, bodyBytesMax = bodyBytesMaxDefault } = options;
  const { path, type } = resourceAt(registry, segments);
  await serve({ request, response, query: url.searchParams, path, type, registry, clock, logs, bodyBytesMax });
}

/** Throws NotFound for what names no resource that is served. */
function resourceAt(registry: Registry, segments: readonly string[]) {
  const path = resourcePathOf(segments);
  const type = path === undefined ? undefined : registry.find(path.group, path.version, path.plural);
  if (path === undefined || type === undefined) throw noSuchType();
  const isMisplaced = type.namespaced
    ? path.namespace === undefined && path.name !== undefined
    : path.namespace !== undefined;
  if (isMisplaced) throw noSuchType();
  return { path, type };
}

/** A web page that reaches the port, or a name that was made to point here, is turned away before anything is read. */
function refuseForeign(request: IncomingMessage, hosts: readonly string[]): void {
  const host = (request.headers.host ?? "").replace(/:[0-9]*$/, "").toLowerCase();
  if (request.headers.origin !== undefined || !hosts.includes(host)) {
    throw new ApiError(403, "Forbidden", "requests from web pages, or to another host's name, are refused");
  }
}

function urlOf(request: IncomingMessage): URL {
  try {
    return new URL(request.url ?? "/", "http://localhost");
  } catch {
    throw badRequest("the URL of the request cannot be read");
  }
}
