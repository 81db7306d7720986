/** The operations of a JSON patch, read from untrusted input. */

import { isJsonObject, type Json } from "../../core/std/json.js";
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

/** One operation, or what is wrong with it. */
export function readOperation(input: Json): Result<Operation> {
  if (!isJsonObject(input)) return err("a JSON patch operation must be an object");
  const { op, value } = input;
  if (op !== "add" && op !== "replace" && op !== "test" && op !== "remove" && op !== "move" && op !== "copy") {
    return err(`Unexpected kind: ${typeof op === "string" ? op : "unknown"}`);
  }
  const path = readPointer(input["path"]);
  if (path === undefined) return err(`${op} operation failed to decode path: missing value`);
  if (op === "remove") return ok({ op, path });
  if (op === "move" || op === "copy") {
    const from = readPointer(input["from"]);
    return from === undefined ? err(`${op} operation failed to decode from: missing value`) : ok({ op, path, from });
  }
  return value === undefined ? err(`${op} operation has no value`) : ok({ op, path, value });
}

function readPointer(input: Json | undefined): Pointer | undefined {
  if (typeof input !== "string") return undefined;
  const tokens = parsePointer(input);
  return tokens === undefined ? undefined : { text: input, tokens };
}
