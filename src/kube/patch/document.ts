/** Reading and changing one place of a JSON document by path-copying: what is not on the path is shared. */

import { isJsonObject, type Json } from "../../core/std/json.js";
import { err, ok, type Result } from "../../core/std/result.js";
import { isList } from "./equal.js";
import { member, withMember, withoutMember } from "./objects.js";
import { parseIndex } from "./pointer.js";

/** The value at `tokens`; undefined when there is none. */
export function valueAt(document: Json, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const token of tokens) {
    value = value === undefined ? undefined : childOf(value, token);
  }
  return value;
}

function childOf(value: Json, token: string): Json | undefined {
  if (isList(value)) {
    const index = parseIndex(token);
    return index === undefined ? undefined : value[index];
  }
  return isJsonObject(value) ? member(value, token) : undefined;
}

/** Whether an object or list stands where the last token would be looked up. */
export function hasContainer(document: Json, tokens: readonly string[]): boolean {
  const container = valueAt(document, tokens.slice(0, -1));
  return isList(container) || isJsonObject(container);
}

/** What happens to the container that holds the last token. */
type Edit = (container: Json, token: string) => Result<Json>;

/** `tokens` has at least one element, and its container exists ({@link hasContainer}). */
export function edited(document: Json, tokens: readonly string[], edit: Edit): Result<Json> {
  const [token = "", ...rest] = tokens;
  if (rest.length === 0) return edit(document, token);
  const child = childOf(document, token);
  if (child === undefined) return err("missing value");
  const changed = edited(child, rest, edit);
  if (!changed.ok || changed.value === child) return changed.ok ? ok(document) : changed;
  return put(document, token, changed.value);
}

/** Adds: an object's member is set, a list's item goes before the index, `-` is the end. */
export function inserting(value: Json): Edit {
  return (container, token) => {
    if (!isList(container)) return put(container, token, value);
    const index = token === "-" ? container.length : parseIndex(token);
    if (index === undefined) return err(`value was not a proper array index: '${token}'`);
    if (index > container.length) return invalidIndex(token);
    return ok([...container.slice(0, index), value, ...container.slice(index)]);
  };
}

/** Sets what is there already. */
export function replacing(value: Json): Edit {
  return (container, token) => put(container, token, value);
}

export const removing: Edit = (container, token) => {
  if (isList(container)) {
    const index = parseIndex(token);
    if (index === undefined) return err(`value was not a proper array index: '${token}'`);
    if (index >= container.length) return invalidIndex(token);
    return ok([...container.slice(0, index), ...container.slice(index + 1)]);
  }
  if (!isJsonObject(container) || !Object.hasOwn(container, token)) {
    return err(`Unable to remove nonexistent key: ${token}: missing value`);
  }
  return ok(withoutMember(container, token));
};

function put(container: Json, token: string, value: Json): Result<Json> {
  if (isList(container)) {
    const index = parseIndex(token);
    if (index === undefined || index >= container.length) return invalidIndex(token);
    return ok(container.with(index, value));
  }
  if (!isJsonObject(container)) return err("missing value");
  return ok(member(container, token) === value ? container : withMember(container, token, value));
}

function invalidIndex(token: string): Result<Json> {
  return err(`Unable to access invalid index: ${token}: invalid index referenced`);
}
