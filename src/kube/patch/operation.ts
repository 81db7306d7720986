/** The operations of a JSON patch, read from untrusted input. */

import { isJsonObject, type Json, type JsonObject } from "../../core/std/json.js";
import { err, ok, type Result } from "../../core/std/result.js";
import { parsePointer } from "./pointer.js";

/** A pointer as written, for messages, and as tokens. */
export interface Pointer {
  readonly text: string;
  readonly tokens: readonly string[];
}

export type Operation =
  | { readonly op: "add" | "replace" | "test"; readonly path: Pointer; readonly value: Json }
  | { readonly op: "remove"; readonly path: Pointer }
  | { readonly op: "move" | "copy"; readonly path: Pointer; readonly from: Pointer };

type Reader = (path: Pointer, input: JsonObject) => Result<Operation>;

const readers: Readonly<Record<Operation["op"], Reader>> = {
  add: (path, input) => withValue("add", path, input),
  replace: (path, input) => withValue("replace", path, input),
  test: (path, input) => withValue("test", path, input),
  move: (path, input) => withSource("move", path, input),
  copy: (path, input) => withSource("copy", path, input),
  remove: (path) => ok({ op: "remove", path }),
};

/** One operation, or what is wrong with it. */
export function readOperation(input: Json): Result<Operation> {
  if (!isJsonObject(input)) return err("a JSON patch operation must be an object");
  const { op } = input;
  if (!isKind(op)) return err(`Unexpected kind: ${typeof op === "string" ? op : "unknown"}`);
  const path = readPointer(input["path"]);
  return path === undefined ? err(`${op} operation failed to decode path: missing value`) : readers[op](path, input);
}

function isKind(op: Json | undefined): op is Operation["op"] {
  return typeof op === "string" && Object.hasOwn(readers, op);
}

function withValue(op: "add" | "replace" | "test", path: Pointer, { value }: JsonObject): Result<Operation> {
  return value === undefined ? err(`${op} operation has no value`) : ok({ op, path, value });
}

function withSource(op: "move" | "copy", path: Pointer, input: JsonObject): Result<Operation> {
  const from = readPointer(input["from"]);
  return from === undefined ? err(`${op} operation failed to decode from: missing value`) : ok({ op, path, from });
}

function readPointer(input: Json | undefined): Pointer | undefined {
  if (typeof input !== "string") return undefined;
  const tokens = parsePointer(input);
  return tokens === undefined ? undefined : { text: input, tokens };
}
