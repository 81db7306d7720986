/** The client port over Kubernetes' REST API, whatever carries the requests. */

import type { KubeObject } from "../core/model/kube/meta.js";
import { apiVersionOf, type ResourceType } from "../core/model/resources.js";
import { isJsonObject, type Json, type JsonObject } from "../core/std/json.js";
import type {
  Client,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./client.js";
import type { Clock } from "./clock.js";
import { TransportError } from "./errors.js";
import { deepFreeze } from "./freeze.js";
import { linesOf, textOf } from "./http/lines.js";
import { collectionPath, listQuery, objectPath, watchQuery, writeQuery } from "./http/paths.js";
import { errorOfResponse, errorOfStatus } from "./http/status.js";
import type { HttpRequest, HttpResponse, Transport } from "./http/transport.js";

export interface HttpClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** For a whole answer; of a stream (watch, log), until its head. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
const patchTypes = { json: "application/json-patch+json", merge: "application/merge-patch+json" } as const;

export class HttpClient implements Client {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor({ transport, clock, timeoutMs = defaultTimeoutMs }: HttpClientOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  async get<T extends KubeObject>(type: ResourceType, key: ObjectKey): Promise<T> {
    return this.#object<T>(type, { method: "GET", path: objectPath(type, key) });
  }

  async list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
    const path = collectionPath(type, options.namespace) + listQuery(options);
    const list = await this.#json({ method: "GET", path });
    const { resourceVersion, continue: token } = objectOf(list["metadata"]);
    const items = Array.isArray(list["items"]) ? list["items"] : [];
    const result = {
      // The items of a list come without apiVersion and kind, which the list has said.
      items: items.map((item) => frozen<T>(type, item)),
      resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    };
    return typeof token === "string" && token !== "" ? { ...result, continue: token } : result;
  }

  async *watch<T extends KubeObject>(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent<T>> {
    const path = collectionPath(type, options.namespace) + watchQuery(options);
    const { signal } = options;
    try {
      const response = await this.stream({ method: "GET", path, ...(signal === undefined ? {} : { signal }) });
      for await (const line of linesOf(response.body)) {
        if (signal?.aborted) return;
        yield watchEventOf<T>(type, line);
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  create<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const path = collectionPath(type, object.metadata.namespace) + writeQuery(options);
    return this.#write<T>(type, { method: "POST", path, body: JSON.stringify(object) }, options);
  }

  update<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const { name = "", namespace } = object.metadata;
    const key = namespace === undefined ? { name } : { name, namespace };
    const path = objectPath(type, key, options.subresource) + writeQuery(options);
    return this.#write<T>(type, { method: "PUT", path, body: JSON.stringify(object) }, options);
  }

  patch<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const path = objectPath(type, key, options.subresource) + writeQuery(options);
    const headers = { "content-type": patchTypes[patch.type] };
    return this.#write<T>(type, { method: "PATCH", path, body: JSON.stringify(patch.body), headers }, options);
  }

  async delete<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    const { guard, ...deleteOptions } = options;
    const body = JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", ...deleteOptions });
    const answer = await this.#json(withJson({ method: "DELETE", path: objectPath(type, key), body }, guard));
    if (answer["kind"] === "Status") return undefined;
    const object = frozen<T>(type, answer);
    return isStillThere(object) ? object : undefined;
  }

  /** Any request, with its whole answer as text; rejects with ApiError unless the answer is a 2xx. */
  async text(request: HttpRequest): Promise<string> {
    return this.#timed(request, async (timed) => textOf((await this.#send(timed)).body));
  }

  /** Any request whose answer is read as it comes (a pod's log): the timeout is for the head only. */
  async stream(request: HttpRequest): Promise<HttpResponse> {
    return this.#timed(request, (timed) => this.#send(timed));
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #write<T extends KubeObject>(type: ResourceType, request: HttpRequest, { guard }: WriteOptions): Promise<T> {
    return this.#object<T>(type, withJson(request, guard));
  }

  async #object<T extends KubeObject>(type: ResourceType, request: HttpRequest): Promise<T> {
    return frozen<T>(type, await this.#json(request));
  }

  async #json(request: HttpRequest): Promise<JsonObject> {
    const text = await this.text({ ...request, headers: { accept: "application/json", ...request.headers } });
    return parsed(text);
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#transport.request(request);
    if (response.status >= 200 && response.status < 300) return response;
    throw errorOfResponse(response, await textOf(response.body));
  }

  /** Gives `act` the request with a signal that aborts at the timeout or with the caller's, until `act` has ended. */
  async #timed<R>(request: HttpRequest, act: (request: HttpRequest) => Promise<R>): Promise<R> {
    const abort = new AbortController();
    const { method, path, signal } = request;
    const timeout = `no answer within ${this.#timeoutMs} ms: ${method} ${path}`;
    const timer = this.#clock.after(this.#timeoutMs, () => abort.abort(new TransportError(timeout)));
    try {
      // The caller's signal goes on to count for the body of a stream, when the timeout is over.
      return await act({
        ...request,
        signal: signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]),
      });
    } finally {
      timer.cancel();
    }
  }
}

function withJson(request: HttpRequest, guard: (() => void) | undefined): HttpRequest {
  const headers = { "content-type": "application/json", ...request.headers };
  return guard === undefined ? { ...request, headers } : { ...request, headers, guard };
}

function watchEventOf<T extends KubeObject>(type: ResourceType, line: string): WatchEvent<T> {
  const { type: kind, object } = parsed(line);
  if (kind === "ERROR") throw errorOfStatus(objectOf(object));
  if (kind === "BOOKMARK") {
    const { resourceVersion } = objectOf(objectOf(object)["metadata"]);
    return { type: "BOOKMARK", resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "" };
  }
  if (kind !== "ADDED" && kind !== "MODIFIED" && kind !== "DELETED") {
    throw new TransportError(`the watch sent an event of unknown type ${JSON.stringify(kind)}`);
  }
  return { type: kind, object: frozen<T>(type, objectOf(object)) };
}

function parsed(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch (error) {
    throw new TransportError("the answer is not JSON", { cause: error });
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** An object as the API sent it: shape is the API's promise, checked by whoever reads deeper. */
function frozen<T extends KubeObject>(type: ResourceType, value: Json): T {
  const object = objectOf(value);
  const typed = "kind" in object ? object : { apiVersion: apiVersionOf(type), kind: type.kind, ...object };
  return deepFreeze(typed as unknown as T);
}

/** A delete answers with the object also when it is gone; it is there as long as grace or finalizers hold it. */
function isStillThere({ metadata }: KubeObject): boolean {
  if (metadata?.deletionTimestamp === undefined) return false;
  return (metadata.finalizers ?? []).length > 0 || (metadata.deletionGracePeriodSeconds ?? 0) > 0;
}
