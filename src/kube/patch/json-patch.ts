/** JSON patch (RFC 6902), with the limits and the error texts of the Kubernetes API. */

import { isJsonObject, type Json } from "../../core/std/json.js";
import { err, ok, type Result } from "../../core/std/result.js";
import { edited, hasContainer, inserting, removing, replacing, valueAt } from "./document.js";
import { isList, jsonEqual } from "./equal.js";
import { type Operation, type Pointer, readOperation } from "./operation.js";

/** As in Kubernetes. */
export const operationsMax = 10_000;
/** Bytes that all `copy` operations of one patch may add: without it twenty copies make a document of gigabytes. */
export const copySizeMax = 3 * 1024 * 1024;
const copyDepthMax = 500;

export interface PatchFailure {
  /** `malformed` is the API's 400, `too-large` its 413, the others its 422. */
  readonly reason: "malformed" | "too-large" | "test-failed" | "not-applicable";
  readonly message: string;
}

/**
 * `document` after all operations, in order, or the first failure. Nothing is mutated; what no operation touches is
 * shared with `document`. As in Kubernetes a `test` for null holds where there is no value.
 */
export function applyJsonPatch(document: Json, patch: readonly Json[]): Result<Json, PatchFailure> {
  if (patch.length > operationsMax) {
    const message = `The allowed maximum operations in a JSON patch is ${operationsMax}, got ${patch.length}`;
    return err({ reason: "too-large", message });
  }
  let result = document;
  const budget: CopyBudget = { copied: 0 };
  for (const input of patch) {
    const operation = readOperation(input);
    if (!operation.ok) return err({ reason: "malformed", message: operation.error });
    const next = perform(result, operation.value, budget);
    if (!next.ok) return next;
    result = next.value;
  }
  return ok(jsonEqual(result, document) ? document : result);
}

interface CopyBudget {
  copied: number;
}

function perform(document: Json, operation: Operation, budget: CopyBudget): Result<Json, PatchFailure> {
  switch (operation.op) {
    case "add":
      return applied(add(document, operation.path, operation.value));
    case "remove":
      return applied(remove(document, operation.path));
    case "replace":
      return applied(replace(document, operation.path, operation.value));
    case "move":
      return applied(move(document, operation.from, operation.path));
    case "copy":
      return copy(document, operation, budget);
    case "test":
      return test(document, operation.path, operation.value);
  }
}

function applied(result: Result<Json>): Result<Json, PatchFailure> {
  return result.ok ? result : err({ reason: "not-applicable", message: result.error });
}

function add(document: Json, path: Pointer, value: Json): Result<Json> {
  if (path.tokens.length === 0) return ok(value);
  if (!hasContainer(document, path.tokens)) {
    return err(`add operation does not apply: doc is missing path: "${path.text}": missing value`);
  }
  return prefixed(`error in add for path: '${path.text}'`, edited(document, path.tokens, inserting(value)));
}

function remove(document: Json, path: Pointer): Result<Json> {
  if (path.tokens.length === 0 || !hasContainer(document, path.tokens)) {
    return err(`remove operation does not apply: doc is missing path: "${path.text}": missing value`);
  }
  return prefixed(`error in remove for path: '${path.text}'`, edited(document, path.tokens, removing));
}

function replace(document: Json, path: Pointer, value: Json): Result<Json> {
  if (path.tokens.length === 0) return ok(value);
  if (!hasContainer(document, path.tokens)) {
    return err(`replace operation does not apply: doc is missing path: ${path.text}: missing value`);
  }
  if (valueAt(document, path.tokens) === undefined) {
    return err(`replace operation does not apply: doc is missing key: ${path.text}: missing value`);
  }
  return prefixed(`error in replace for path: '${path.text}'`, edited(document, path.tokens, replacing(value)));
}

function move(document: Json, from: Pointer, path: Pointer): Result<Json> {
  const value = valueAt(document, from.tokens);
  if (value === undefined || from.tokens.length === 0) {
    return err(`move operation does not apply: doc is missing from path: ${from.text}: missing value`);
  }
  if (from.text === path.text) return ok(document);
  if (path.text.startsWith(`${from.text}/`)) {
    return err(`error in move for path: '${path.text}': a value cannot be moved into itself`);
  }
  const without = remove(document, from);
  return without.ok ? prefixed("move operation does not apply", add(without.value, path, value)) : without;
}

function copy(
  document: Json,
  operation: { readonly from: Pointer; readonly path: Pointer },
  budget: CopyBudget,
): Result<Json, PatchFailure> {
  const { from, path } = operation;
  const value = valueAt(document, from.tokens);
  if (value === undefined) {
    return applied(err(`copy operation does not apply: doc is missing from path: ${from.text}: missing value`));
  }
  const size = sizeOf(value);
  if (size === undefined || budget.copied + size > copySizeMax) {
    const message = `Unable to complete the copy, the accumulated size increase of copy exceeds the limit ${copySizeMax}`;
    return err({ reason: "too-large", message });
  }
  budget.copied += size;
  return applied(prefixed("copy operation does not apply", add(document, path, value)));
}

function test(document: Json, path: Pointer, expected: Json): Result<Json, PatchFailure> {
  if (path.tokens.length > 0 && !hasContainer(document, path.tokens)) {
    return applied(err(`test operation does not apply: is missing path: ${path.text}: missing value`));
  }
  if (jsonEqual(valueAt(document, path.tokens) ?? null, expected)) return ok(document);
  return err({ reason: "test-failed", message: `testing value ${path.text} failed: test failed` });
}

function prefixed(prefix: string, result: Result<Json>): Result<Json> {
  return result.ok ? result : err(`${prefix}: ${result.error}`);
}

/** Length of the printed value, nearly; undefined when it is larger or deeper than any copy may be. */
function sizeOf(value: Json): number | undefined {
  let size = 0;
  const pending: { readonly value: Json; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: current, depth } = next;
    size += typeof current === "string" ? current.length + 3 : 4;
    if (size > copySizeMax || depth > copyDepthMax) return undefined;
    if (isList(current)) for (const item of current) pending.push({ value: item, depth: depth + 1 });
    if (!isJsonObject(current)) continue;
    for (const [key, item] of Object.entries(current)) {
      size += key.length + 3;
      pending.push({ value: item, depth: depth + 1 });
    }
  }
  return size;
}
