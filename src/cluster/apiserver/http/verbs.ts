/** The verbs of Kubernetes' REST, each from a request to an answer. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { apiVersionOf, type ResourceType } from "../../../core/model/resources.js";
import { isJsonObject, type Json } from "../../../core/std/json.js";
import type { DeleteOptions, ListOptions, Patch, WriteOptions } from "../../../kube/client.js";
import type { Clock } from "../../../kube/clock.js";
import { ApiError } from "../../../kube/errors.js";
import { jsonCopy } from "../registry/json-copy.js";
import { badRequest, noSuchType } from "../registry/refusals.js";
import type { Registry } from "../registry/registry.js";
import { mediaTypeOf, readJson, unsupportedMediaType } from "./body.js";
import { type LogSource, sendLog } from "./logs.js";
import type { ResourcePath } from "./path.js";
import { count, flag, text } from "./query.js";
import { sendJson } from "./reply.js";
import { sendWatch } from "./watch-stream.js";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly path: ResourcePath;
  readonly type: ResourceType;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly logs: LogSource | undefined;
  readonly bodyBytesMax: number;
}

type Verb = (exchange: Exchange) => Promise<void>;

const ofObject: Readonly<Record<string, Verb>> = { GET: getOne, PUT: put, PATCH: patch, DELETE: remove };
const ofAll: Readonly<Record<string, Verb>> = { GET: listOrWatch, POST: post };

/** Rejects with what the registry refuses. */
export async function serve(exchange: Exchange): Promise<void> {
  const { path, request } = exchange;
  checkSubresource(exchange);
  const verbs = path.name === undefined ? ofAll : ofObject;
  const method = request.method ?? "";
  const verb = Object.hasOwn(verbs, method) ? verbs[method] : undefined;
  if (verb === undefined || (path.subresource !== undefined && method === "DELETE")) throw notAllowed();
  await verb(exchange);
}

function notAllowed(): ApiError {
  return new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

function checkSubresource({ path: { subresource }, type }: Exchange): void {
  if (subresource === undefined) return;
  if (subresource === "status" && type.statusSubresource) return;
  if (subresource !== "log" || type.plural !== "pods" || type.group !== "") throw noSuchType();
}

async function getOne(exchange: Exchange): Promise<void> {
  const { registry, response, query, path, logs, type } = exchange;
  if (path.subresource === "log") {
    if (logs === undefined) throw noSuchType();
    const { namespace = "", name } = targetOf(exchange);
    registry.get(targetOf(exchange));
    return sendLog(response, logs, { namespace, name }, query);
  }
  if (flag(query, "watch")) return sendWatch(response, { ...exchange, ...targetOf(exchange) });
  sendJson(response, 200, registry.get({ ...targetOf(exchange), type }).object);
}

async function listOrWatch(exchange: Exchange): Promise<void> {
  const { registry, response, query, type, path } = exchange;
  if (flag(query, "watch")) return sendWatch(response, { ...exchange, namespace: path.namespace, name: undefined });
  const page = registry.list(type, listOptionsOf(exchange));
  const metadata = { resourceVersion: String(page.revision), ...(page.continue && { continue: page.continue }) };
  const items = page.items.map(({ object }) => object);
  sendJson(response, 200, { kind: `${type.kind}List`, apiVersion: apiVersionOf(type), metadata, items });
}

function listOptionsOf({ path: { namespace }, query }: Exchange): ListOptions {
  const limit = count(query, "limit");
  const labelSelector = text(query, "labelSelector");
  const fieldSelector = text(query, "fieldSelector");
  const next = text(query, "continue");
  const resourceVersion = text(query, "resourceVersion");
  return {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(limit !== undefined && { limit }),
    ...(next !== undefined && { continue: next }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

async function post(exchange: Exchange): Promise<void> {
  const { registry, response, type } = exchange;
  const body = await objectBody(exchange);
  const { object } = await registry.create(type, placed(body, exchange), writeOptionsOf(exchange));
  sendJson(response, 201, object);
}

async function put(exchange: Exchange): Promise<void> {
  const { registry, response, type, path } = exchange;
  if (path.subresource === "log") throw notAllowed();
  const body = await objectBody(exchange);
  const { object } = await registry.update(type, placed(body, exchange), writeOptionsOf(exchange));
  sendJson(response, 200, object);
}

const patchTypes: Readonly<Record<string, Patch["type"]>> = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
};

async function patch(exchange: Exchange): Promise<void> {
  const { registry, response, request, path, bodyBytesMax } = exchange;
  if (path.subresource === "log") throw notAllowed();
  const mediaType = mediaTypeOf(request);
  const type = Object.hasOwn(patchTypes, mediaType) ? patchTypes[mediaType] : undefined;
  if (type === undefined) throw unsupportedMediaType(mediaType, Object.keys(patchTypes));
  const body = jsonCopy((await readJson(request, bodyBytesMax)) ?? null);
  const { object } = await registry.patch(targetOf(exchange), patchOf(type, body), writeOptionsOf(exchange));
  sendJson(response, 200, object);
}

function patchOf(type: Patch["type"], body: Json): Patch {
  if (type === "merge") return { type, body };
  if (Array.isArray(body)) return { type, body };
  throw badRequest("a JSON patch is a list of operations");
}

async function remove(exchange: Exchange): Promise<void> {
  const { registry, response, request, query, bodyBytesMax, type } = exchange;
  const options = deleteOptionsOf(await readJson(request, bodyBytesMax), query);
  const { object, isGone } = await registry.delete(targetOf(exchange), options);
  if (!isGone) return sendJson(response, 200, object.object);
  const { name, uid } = object.bare.metadata;
  const details = { name, ...(type.group !== "" && { group: type.group }), kind: type.plural, uid };
  sendJson(response, 200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
}

/** metav1.DeleteOptions from the body, or from the query where there is none. */
function deleteOptionsOf(body: unknown, query: URLSearchParams): DeleteOptions {
  const given = isJsonObject(body) ? body : {};
  const seconds = given["gracePeriodSeconds"] ?? count(query, "gracePeriodSeconds");
  const policy = propagationPolicyOf(given["propagationPolicy"] ?? text(query, "propagationPolicy"));
  const { uid, resourceVersion } = isJsonObject(given["preconditions"]) ? given["preconditions"] : {};
  return {
    ...(typeof seconds === "number" && { gracePeriodSeconds: seconds }),
    ...(policy !== undefined && { propagationPolicy: policy }),
    preconditions: {
      ...(typeof uid === "string" && { uid }),
      ...(typeof resourceVersion === "string" && { resourceVersion }),
    },
  };
}

function propagationPolicyOf(given: unknown): DeleteOptions["propagationPolicy"] {
  if (given === undefined || given === null || given === "") return undefined;
  if (given === "Background" || given === "Foreground" || given === "Orphan") return given;
  throw badRequest(
    `propagationPolicy: Unsupported value: ${JSON.stringify(given)}: supported values: "Background", "Foreground", "Orphan"`,
  );
}

async function objectBody({ request, bodyBytesMax }: Exchange): Promise<Readonly<Record<string, unknown>>> {
  const mediaType = mediaTypeOf(request);
  if (mediaType !== "" && mediaType !== "application/json") throw unsupportedMediaType(mediaType, ["application/json"]);
  const body = await readJson(request, bodyBytesMax);
  if (isJsonObject(body)) return body;
  throw badRequest("the body of the request is not an object");
}

/** The object in the namespace, and under the name, that the URL says. */
function placed(body: Readonly<Record<string, unknown>>, { path, type }: Exchange): unknown {
  const given = body["metadata"];
  const metadata = isJsonObject(given) ? given : {};
  const { namespace, name } = metadata;
  if (type.namespaced && isText(namespace) && namespace !== path.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (path.name !== undefined && isText(name) && name !== path.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${path.name})`);
  }
  return {
    ...body,
    metadata: {
      ...metadata,
      ...(type.namespaced && { namespace: path.namespace }),
      ...(path.name !== undefined && { name: path.name }),
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function writeOptionsOf({ path, query }: Exchange): WriteOptions {
  const dryRun = text(query, "dryRun");
  if (dryRun !== undefined && dryRun !== "All")
    throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`);
  return {
    ...(path.subresource === "status" && { subresource: "status" }),
    ...(dryRun !== undefined && { dryRun: true }),
  };
}

function targetOf({ type, path }: Exchange) {
  return { type, namespace: type.namespaced ? path.namespace : undefined, name: path.name ?? "" };
}
