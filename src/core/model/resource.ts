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
import { rewordedProblems } from "./source/reworded.js";

export interface DecodedResource<T> {
  /**
   * What could be read. It is there beside problems too (of a known kind, without the parts at fault), so that later
   * checks can tell more at once; nothing may be run from it while a problem of severity `error` stands.
   */
  readonly value?: T;
  readonly problems: readonly Problem[];
  /** Paths at which `value` may lack what was meant: parts that could not be read, and fields that stand twice. */
  readonly unread: readonly string[];
}

/** The plain JSON of an object, or the document it came from, which gives positions to the problems. */
export type ResourceInput = SourceDocument | JsonObject;

/**
 * Decodes by `kind` and `apiVersion`; a kind that is not known is the problem `not-kind`. Where it is plain which one was
 * meant, what is wrong below it is told too.
 */
export function decodeResource(input: ResourceInput, options: DecodeOptions = {}): DecodedResource<KnownResource> {
  const kind = kindOf(jsonOf(input));
  if (typeof kind === "string") return decodeKnown(kind, input, options);
  if (kind.meant === undefined) return failed(input, kind.problem);
  const { value, problems, unread } = decodeKnown(kind.meant, withHeader(input, kind.meant), options);
  const all = [kind.problem, ...problems];
  return { ...(value === undefined ? {} : { value }), problems: located(all, input), unread };
}

function withHeader(input: ResourceInput, kind: KnownKind): ResourceInput {
  const header = { apiVersion: apiVersionOf(typesByKind[kind]), kind };
  if (!isDocument(input)) return { ...input, ...header };
  return { ...input, value: { ...(isJsonObject(input.value) ? input.value : {}), ...header } };
}

/** Decodes an object of the kind that the caller expects; another kind is the problem `not-kind`. */
export function decodeAs<K extends KnownKind>(
  kind: K,
  input: ResourceInput,
  options: DecodeOptions = {},
): DecodedResource<KnownByKind[K]> {
  const found = kindOf(jsonOf(input));
  if (found === kind) return decodeKnown(kind, input, options);
  if (typeof found !== "string") return failed(input, found.problem);
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
  const doubled = isDocument(input) ? input.doubled : [];
  const reworded = isDocument(input) ? rewordedProblems(decoded.madeText, input) : [];
  return {
    value: decoded.value,
    problems: located([...decoded.problems, ...reworded], input),
    unread: [...decoded.unread, ...doubled],
  };
}

function failed(input: ResourceInput, problem: Problem): DecodedResource<never> {
  return { problems: located([problem], input), unread: [] };
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

/** Why an object has no kind that is known, and the one that was plainly meant. */
interface WrongKind {
  readonly problem: Problem;
  readonly meant?: KnownKind;
}

function kindOf(value: Json): KnownKind | WrongKind {
  if (!isJsonObject(value))
    return {
      problem: notKind("", "this is not a Kubernetes resource: that would be a map with apiVersion and kind"),
    };
  const { apiVersion, kind } = value;
  if (typeof kind !== "string" || typeof apiVersion !== "string") return lackingHeader(value);
  if (!isKnownKind(kind)) return unknownKind(kind, apiVersion);
  const wanted = apiVersionOf(typesByKind[kind]);
  if (apiVersion === wanted) return kind;
  const problem = notKind("apiVersion", `${apiVersion} has no ${kind} here`, `write: apiVersion: ${wanted}`);
  return apiVersion.split("/")[0] === wanted.split("/")[0] ? { problem, meant: kind } : { problem };
}

function lackingHeader(value: JsonObject): WrongKind {
  const { apiVersion, kind } = value;
  const lacking = Object.entries({ apiVersion, kind }).filter(([, one]) => typeof one !== "string");
  const names = lacking.map(([name]) => name).join(" and no ");
  const message = `this is not a Kubernetes resource: it has no ${names}`;
  if (typeof kind !== "string" || !isKnownKind(kind)) return { problem: notKind("", message, headerHint(value)) };
  const hint = `write: apiVersion: ${apiVersionOf(typesByKind[kind])}`;
  return { problem: notKind("", message, hint), meant: kind };
}

/** Files of other systems that are called workflows or pipelines too, by the fields that only they have. */
const OTHERS: readonly (readonly [field: string, hint: string])[] = [
  ["jobs", "it looks like a workflow of GitHub Actions; what runs here are Argo's: kind: Workflow"],
  ["services", "it looks like a file of Docker Compose; what runs here are Argo's workflows: kind: Workflow"],
  ["stages", "it looks like a pipeline of GitLab or Azure; what runs here are Argo's workflows: kind: Workflow"],
];

function headerHint(value: JsonObject): string | undefined {
  const other = OTHERS.find(([field]) => Object.hasOwn(value, field));
  if (other !== undefined) return other[1];
  const isArgo = typeof value["apiVersion"] === "string" && value["apiVersion"].startsWith("argoproj.io/");
  return isArgo ? "add kind: Workflow (or WorkflowTemplate, ClusterWorkflowTemplate, CronWorkflow)" : undefined;
}

function unknownKind(kind: string, apiVersion: string): WrongKind {
  const near = nearestName(kind, knownKinds);
  const hint = near === undefined ? `known are ${knownKinds.join(", ")}` : `did you mean "${near}"?`;
  const problem = notKind("kind", `kind ${kind} is not known`, hint);
  const meant = knownKinds.find((one) => one === near && apiVersionOf(typesByKind[one]) === apiVersion);
  return meant === undefined ? { problem } : { problem, meant };
}

function notKind(path: string, message: string, hint?: string): Problem {
  return { code: "not-kind", severity: "error", path, message, ...(hint === undefined ? {} : { hint }) };
}
