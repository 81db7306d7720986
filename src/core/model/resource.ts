/** From a document to a typed resource, and back: the codec's face for whole objects. */

import { isJsonObject, type Json, type JsonObject } from "../std/json.js";
import type { Problem } from "../std/problem.js";
import { type DecodeOptions, decode } from "./codec/decode.js";
import { encodeNode } from "./codec/encode.js";
import { openObject } from "./codec/schema.js";
import { nearestName } from "./codec/suggest.js";
import {
  isKnownKind,
  type KnownByKind,
  type KnownKind,
  type KnownResource,
  knownKinds,
  type ResourcesByKind,
  schemas,
  typesByKind,
} from "./kinds.js";
import { apiVersionOf } from "./resources.js";
import { locateProblems, type SourceDocument } from "./source/document.js";

export interface DecodedResource<T> {
  /**
   * What could be read. It is there beside problems too (of a known kind, without the parts at fault), so that later
   * checks can tell more at once; nothing may be run from it while a problem of severity `error` stands.
   */
  readonly value?: T;
  readonly problems: readonly Problem[];
}

/** The plain JSON of an object, or the document it came from, which gives positions to the problems. */
export type ResourceInput = SourceDocument | JsonObject;

/** Decodes by `kind` and `apiVersion`; a kind that is not known is the problem `not-kind`. */
export function decodeResource(input: ResourceInput, options: DecodeOptions = {}): DecodedResource<KnownResource> {
  const kind = kindOf(jsonOf(input));
  return typeof kind === "string" ? decodeKnown(kind, input, options) : failed(input, kind);
}

/** Decodes an object of the kind that the caller expects; another kind is the problem `not-kind`. */
export function decodeAs<K extends KnownKind>(
  kind: K,
  input: ResourceInput,
  options: DecodeOptions = {},
): DecodedResource<KnownByKind[K]> {
  const found = kindOf(jsonOf(input));
  if (found === kind) return decodeKnown(kind, input, options);
  if (typeof found !== "string") return failed(input, found);
  return failed(input, notKind("kind", `this is a ${found}; a ${kind} is wanted here`));
}

/** Plain JSON in a stable order of fields: apiVersion, kind, metadata, then as the schema has them. */
export function encodeResource(resource: ResourcesByKind[KnownKind]): JsonObject {
  const node = isKnownKind(resource.kind) ? schemas[resource.kind].node : openObject.node;
  const encoded = encodeNode(node, resource);
  return isJsonObject(encoded) ? encoded : {};
}

function decodeKnown<K extends KnownKind>(
  kind: K,
  input: ResourceInput,
  options: DecodeOptions,
): DecodedResource<KnownByKind[K]> {
  const format = isDocument(input) ? input.format : "json";
  const decoded = decode<KnownByKind[K]>(schemas[kind], jsonOf(input), { format, ...options });
  return { value: decoded.value, problems: located(decoded.problems, input) };
}

function failed(input: ResourceInput, problem: Problem): DecodedResource<never> {
  return { problems: located([problem], input) };
}

function isDocument(input: ResourceInput): input is SourceDocument {
  return typeof input["positionOf"] === "function";
}

function jsonOf(input: ResourceInput): Json {
  return isDocument(input) ? input.value : input;
}

function located(problems: readonly Problem[], input: ResourceInput): readonly Problem[] {
  return isDocument(input) ? locateProblems(problems, input) : problems;
}

/** The kind of an object, or why it has none that is known. */
function kindOf(value: Json): KnownKind | Problem {
  if (!isJsonObject(value))
    return notKind("", "this is not a Kubernetes resource: that would be a map with apiVersion and kind");
  const { apiVersion, kind } = value;
  if (typeof kind !== "string" || typeof apiVersion !== "string") {
    const lacking = [typeof apiVersion === "string" ? "" : "apiVersion", typeof kind === "string" ? "" : "kind"];
    return notKind("", `this is not a Kubernetes resource: it has no ${lacking.filter(Boolean).join(" and no ")}`);
  }
  if (!isKnownKind(kind)) return unknownKind(kind);
  const wanted = apiVersionOf(typesByKind[kind]);
  if (apiVersion === wanted) return kind;
  return notKind("apiVersion", `${apiVersion} has no ${kind} here`, `write: apiVersion: ${wanted}`);
}

function unknownKind(kind: string): Problem {
  const near = nearestName(kind, knownKinds);
  const hint = near === undefined ? `known are ${knownKinds.join(", ")}` : `did you mean "${near}"?`;
  return notKind("kind", `kind ${kind} is not known`, hint);
}

function notKind(path: string, message: string, hint?: string): Problem {
  return { code: "not-kind", severity: "error", path, message, ...(hint === undefined ? {} : { hint }) };
}
