/** Reads unknown JSON by a schema: the typed value, and every problem at once. */

import { isJsonList, isJsonObject, type Json, type JsonObject, setOwn } from "../../std/json.js";
import type { Problem } from "../../std/problem.js";
import { fieldPath, itemPath } from "../path.js";
import { ProblemList } from "../problem-list.js";
import { generalNumber, plainNumber } from "./go-text.js";
import { unknownFieldHint, wrongListHint, wrongTypeHint } from "./hints.js";
import { type FieldNode, type ObjectNode, resolveNode, type Schema, type SchemaNode } from "./schema.js";
import { nearestName } from "./suggest.js";

export interface DecodeOptions {
  /** What a field no schema knows is: an error (default), or left out in silence as Go does without strictness. */
  readonly unknownFields?: "error" | "ignore";
  /** In `yaml` a number or boolean in a text field is text, as sigs.k8s.io/yaml has it; in `json` it is an error. */
  readonly format?: "yaml" | "json";
  /** The path of the value in its document. */
  readonly path?: string;
}

export interface Decoded<T> {
  /** What could be read; there also beside problems, without the parts at fault, so that later checks can go on. */
  readonly value: T;
  readonly problems: readonly Problem[];
  /**
   * Paths at which something stands, or was meant to stand, that `value` does not hold: what a later check misses there
   * is no fault of its own.
   */
  readonly unread: readonly string[];
  /** Path -> text, where a number or boolean stands for text. */
  readonly madeText: ReadonlyMap<string, string>;
}

/** Decodes `value` as a `T`. A faulty optional field is left out, a faulty required one is the empty value. */
export function decode<T>(schema: Schema<T>, value: Json, options: DecodeOptions = {}): Decoded<T> {
  const decoder = new Decoder(options);
  const decoded = decoder.read(schema.node, value, options.path ?? "");
  return {
    value: typed<T>(decoded ?? zeroOf(schema.node)),
    problems: decoder.problems.toArray(),
    unread: [...decoder.unread],
    madeText: decoder.madeText,
  };
}

/** The codec's edge: the one place where checked JSON becomes a typed value. */
function typed<T>(value: Json): T {
  return value as T;
}

type Kind = Exclude<SchemaNode["kind"], "lazy">;
type Reader<K extends Kind> = (
  decoder: Decoder,
  node: Extract<SchemaNode, { readonly kind: K }>,
  value: Json,
  path: string,
) => Json | undefined;
type ScalarReader = (decoder: Decoder, value: Json, path: string) => Json | undefined;

class Decoder {
  readonly problems = new ProblemList();
  readonly unread = new Set<string>();
  readonly madeText = new Map<string, string>();
  readonly strict: boolean;
  readonly scalarsAreText: boolean;

  constructor(options: DecodeOptions) {
    this.strict = options.unknownFields !== "ignore";
    this.scalarsAreText = options.format !== "json";
  }

  /** The value in its normal form; undefined (and a problem) when it has the wrong type. */
  read(node: SchemaNode, value: Json, path: string): Json | undefined {
    const resolved = resolveNode(node);
    switch (resolved.kind) {
      case "object":
        return readObject(this, resolved, value, path);
      case "list":
        return readList(this, resolved, value, path);
      case "map":
        return readMap(this, resolved, value, path);
      case "choice":
        return readChoice(this, resolved, value, path);
      case "integer":
        return readInteger(this, resolved, value, path);
      case "json":
        return value;
      default:
        return SCALAR_READERS[resolved.kind](this, value, path);
    }
  }

  wrongType(path: string, wanted: string, value: Json, hint = wrongTypeHint(wanted, value, path)): undefined {
    this.unread.add(path);
    this.problems.add({
      code: "wrong-type",
      severity: "error",
      path,
      message: `${path}: must be ${wanted}, not ${nameOf(value)}`,
      ...(hint === undefined ? {} : { hint }),
    });
    return undefined;
  }

  /** A number or boolean that is taken for text. */
  asText(path: string, text: string): string {
    this.madeText.set(path, text);
    return text;
  }

  badValue(path: string, message: string, hint?: string): void {
    const words = hint === undefined ? {} : { hint };
    this.unread.add(path);
    this.problems.add({ code: "bad-value", severity: "error", path, message: `${path}: ${message}`, ...words });
  }
}

const readObject: Reader<"object"> = (decoder, node, value, path) => {
  if (!isJsonObject(value)) return decoder.wrongType(path, "a map", value);
  const result: Record<string, Json> = {};
  for (const [name, field] of node.fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    // Most fields are not there: their paths would be most of the work.
    if (field.presence === "optional" && isAbsent(given)) continue;
    if (field.presence === "required" && isAbsent(given)) tellMissing(decoder, node, value, { name, path });
    const read = readField(decoder, field, given, fieldPath(path, name));
    if (read !== undefined) result[name] = read;
  }
  if (decoder.strict) reportUnknownFields(decoder, node, value, path);
  return result;
};

/** Null is absent, as in Go. */
function isAbsent(given: Json | undefined): given is null | undefined {
  return given === undefined || given === null;
}

function readField(decoder: Decoder, field: FieldNode, given: Json | undefined, path: string): Json | undefined {
  const read = isAbsent(given) ? undefined : decoder.read(field.node, given, path);
  return read === undefined && field.presence !== "optional" ? zeroOf(field.node) : read;
}

const readList: Reader<"list"> = (decoder, node, value, path) => {
  if (!isJsonList(value)) {
    return decoder.wrongType(path, "a list", value, wrongListHint(node.item, value, path));
  }
  // An empty item (`- `) is the zero value in Go; here a fault in it is told as any other.
  return value.map((item, index) => {
    const given = item === null && resolveNode(node.item).kind !== "json" ? zeroOf(node.item) : item;
    return decoder.read(node.item, given, itemPath(path, index)) ?? zeroOf(node.item);
  });
};

const readMap: Reader<"map"> = (decoder, node, value, path) => {
  if (!isJsonObject(value)) return decoder.wrongType(path, "a map", value);
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    const given = item === null ? zeroOf(node.value) : item;
    setOwn(result, key, decoder.read(node.value, given, fieldPath(path, key)) ?? zeroOf(node.value));
  }
  return result;
};

const readText: ScalarReader = (decoder, value, path) => {
  if (typeof value === "string") return value;
  if (decoder.scalarsAreText && typeof value === "number") return decoder.asText(path, generalNumber(value));
  if (decoder.scalarsAreText && typeof value === "boolean") return decoder.asText(path, String(value));
  return decoder.wrongType(path, "text", value);
};

const readAnyText: ScalarReader = (decoder, value, path) => {
  if (typeof value === "string") return value;
  if (typeof value === "number") return decoder.asText(path, plainNumber(value));
  if (typeof value === "boolean") return decoder.asText(path, String(value));
  return decoder.wrongType(path, "text, a number or a boolean", value);
};

const readChoice: Reader<"choice"> = (decoder, node, value, path) => {
  if (typeof value !== "string") return decoder.wrongType(path, "text", value);
  if (node.values.includes(value) || hasVariable(value)) return value;
  const near = nearestName(value, node.values);
  const hint = near === undefined || near === "" ? undefined : `did you mean "${near}"?`;
  const known = node.values.filter((known) => known !== "").join(", ");
  decoder.badValue(path, `${shown(value)} is not one of ${known}`, hint);
  return undefined;
};

const readInteger: Reader<"integer"> = (decoder, node, value, path) => {
  if (typeof value !== "number" || !Number.isInteger(value)) return decoder.wrongType(path, "a whole number", value);
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = node;
  if (value >= min && value <= max) return value;
  decoder.badValue(path, value < min ? `must be ${min} or more, not ${value}` : `must be ${max} or less, not ${value}`);
  return undefined;
};

const readIntegerOrText: ScalarReader = (decoder, value, path) => {
  if (typeof value === "string" || Number.isInteger(value)) return value;
  return decoder.wrongType(path, "a whole number or text", value);
};

const readDuration: ScalarReader = (decoder, value, path) => {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value)) return String(value);
  return decoder.wrongType(path, 'a duration such as "10s", or whole seconds', value);
};

const QUANTITY = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][-+]?\d+)?$/;

const readQuantity: ScalarReader = (decoder, value, path) => {
  if (typeof value === "number") return Number.isInteger(value) ? value : plainNumber(value);
  if (typeof value !== "string") return decoder.wrongType(path, "a quantity", value);
  if (QUANTITY.test(value)) return value;
  const hint = hasVariable(value)
    ? "a variable cannot stand in a quantity; Argo takes one in podSpecPatch only"
    : "such as 500m, 2, 1.5, 256Mi";
  decoder.badValue(path, `${shown(value)} is not a quantity`, hint);
  return undefined;
};

const SCALAR_READERS: {
  readonly [K in Exclude<Kind, "object" | "list" | "map" | "choice" | "integer" | "json">]: ScalarReader;
} = {
  text: readText,
  "any-text": readAnyText,
  "integer-or-text": readIntegerOrText,
  "duration-or-seconds": readDuration,
  quantity: readQuantity,
  number: (decoder, value, path) => (typeof value === "number" ? value : decoder.wrongType(path, "a number", value)),
  boolean: (decoder, value, path) =>
    typeof value === "boolean" ? value : decoder.wrongType(path, "true or false", value),
  "open-object": (decoder, value, path) => (isJsonObject(value) ? value : decoder.wrongType(path, "a map", value)),
};

/** A field whose name is written wrong is there: of that one nothing is missing. */
function tellMissing(
  decoder: Decoder,
  node: ObjectNode,
  value: JsonObject,
  { name, path }: { readonly name: string; readonly path: string },
): void {
  const at = fieldPath(path, name);
  decoder.unread.add(at);
  const isMeant = (key: string): boolean => !node.fields.has(key) && nearestName(key, node.fields.keys()) === name;
  if (!decoder.problems.full && decoder.strict && Object.keys(value).some(isMeant)) return;
  decoder.problems.add({ code: "missing-field", severity: "error", path: at, message: `${at}: is missing` });
}

function reportUnknownFields(decoder: Decoder, node: ObjectNode, value: JsonObject, path: string): void {
  for (const key of Object.keys(value)) {
    if (node.fields.has(key)) continue;
    // Nobody reads the hints beyond the bound, and what is not told must cost nothing.
    const near = decoder.problems.full ? undefined : nearestName(key, node.fields.keys());
    const hint = decoder.problems.full ? undefined : unknownFieldHint(node, key, path, near);
    const meant = decoder.problems.full ? [path] : meantFields(node, value, near).map((name) => fieldPath(path, name));
    for (const one of meant) decoder.unread.add(one);
    decoder.problems.add({
      code: "unknown-field",
      severity: "error",
      path: fieldPath(path, key),
      message: `${fieldPath(path, shortened(key))}: no such field`,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** The fields that one written wrong may stand for: the nearest, where it is not there already; else any that is not. */
function meantFields(node: ObjectNode, value: JsonObject, near: string | undefined): readonly string[] {
  if (near !== undefined && !Object.hasOwn(value, near)) return [near];
  return [...node.fields.keys()].filter((name) => !Object.hasOwn(value, name));
}

/** Go's zero value of a type, as far as JSON shows it. */
function zeroOf(node: SchemaNode): Json {
  const resolved = resolveNode(node);
  return resolved.kind === "object" ? zeroObject(resolved) : ZEROS[resolved.kind];
}

const ZEROS: { readonly [K in Exclude<Kind, "object">]: Json } = {
  text: "",
  "any-text": "",
  choice: "",
  "duration-or-seconds": "",
  integer: 0,
  number: 0,
  "integer-or-text": 0,
  quantity: "0",
  boolean: false,
  list: [],
  map: {},
  "open-object": {},
  json: null,
};

function zeroObject(node: ObjectNode): JsonObject {
  const result: Record<string, Json> = {};
  for (const [name, field] of node.fields) if (field.presence !== "optional") result[name] = zeroOf(field.node);
  return result;
}

function hasVariable(value: string): boolean {
  return value.includes("{{");
}

function nameOf(value: Json): string {
  if (value === null) return "nothing";
  if (isJsonList(value)) return "a list";
  if (typeof value === "string") return `text (${shown(value)})`;
  return typeof value === "object" ? "a map" : `${value}`;
}

const SHOWN_MAX = 60;

function shown(value: string): string {
  return JSON.stringify(shortened(value));
}

function shortened(value: string): string {
  return value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX - 1)}…` : value;
}
