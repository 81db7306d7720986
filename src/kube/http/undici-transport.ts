/** The transport on undici: HTTP/1.1 with connections kept open, over a Unix socket or to an origin. */

import type { Readable } from "node:stream";
import { type Dispatcher, Pool } from "undici";
import { messageOf } from "../../core/std/message.js";
import { TransportError } from "../errors.js";
import type { HttpRequest, HttpResponse, Transport } from "./transport.js";

export interface TransportOptions {
  /** `http://localhost` for a Unix socket; else the API server. */
  readonly origin: string;
  readonly socketPath?: string;
  /** Node's TLS options (ca, cert, key, servername, rejectUnauthorized) for an https origin. */
  readonly tls?: Readonly<Record<string, unknown>>;
  /** Sent with each request: authorization, user agent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests under way at once, watches counted. */
  readonly connectionsMax?: number;
}

const defaultConnectionsMax = 128;
const connectTimeoutMs = 10_000;

export function unixTransport(socketPath: string): Transport {
  return undiciTransport({ origin: "http://localhost", socketPath });
}

export function undiciTransport(options: TransportOptions): Transport {
  const { origin, socketPath, tls, headers = {}, connectionsMax = defaultConnectionsMax } = options;
  const pool = new Pool(origin, {
    connections: connectionsMax,
    // One request a connection at a time: a slow one must not hold up others.
    pipelining: 1,
    // Times are kept by the client, on its clock; a watch may be silent for long.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs, ...tls, ...(socketPath === undefined ? {} : { socketPath }) },
  });
  const dispatcher = pool.compose(guarding);
  return {
    request: (request) => send(dispatcher, request, headers),
    close: () => pool.destroy(),
  };
}

async function send(
  dispatcher: Dispatcher,
  request: HttpRequest,
  common: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const { method, path, headers, body, signal, guard } = request;
  const refusal: Refusal = { error: undefined };
  const options: GuardedOptions = { method, path, headers: { ...common, ...headers }, guard, refusal };
  try {
    const response = await dispatcher.request({
      ...options,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.statusCode, headers: response.headers, body: chunks(response.body, signal) };
  } catch (error) {
    throw refusal.error ?? failure(error, signal);
  }
}

async function* chunks(body: Readable, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    throw failure(error, signal);
  }
}

function failure(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return new TransportError(reasonOf(error), { cause: error });
}

/** Of several attempts at one name (`localhost`) Node says only the code. */
function reasonOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return messageOf(error) || (typeof code === "string" ? code : "");
}

/** What the guard threw, kept beside undici, which may wrap it. */
interface Refusal {
  error: unknown;
}

interface GuardedOptions extends Dispatcher.RequestOptions {
  readonly guard: (() => void) | undefined;
  readonly refusal: Refusal;
}

/** undici calls `onRequestStart` synchronously before it writes the request's head to the socket. */
const guarding: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { guard, refusal } = options as Dispatcher.DispatchOptions & GuardedOptions;
  if (guard === undefined) return dispatch(options, handler);
  return dispatch(options, {
    onRequestStart: (controller, context) => {
      try {
        guard();
      } catch (error) {
        refusal.error = error;
        controller.abort(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};
