/** Prints JSON values as `kubectl -o json` does: four spaces, keys sorted. */

import { isJsonList, isJsonObject, type Json, setOwn } from "../../std/json.js";
import { compareUtf8 } from "../../std/order.js";
import { escapeUnprintable } from "./yaml-text.js";

/** One document, ending in a newline. */
export function printJson(value: Json): string {
  return `${escapeUnprintable(JSON.stringify(sortKeys(value), null, 4))}\n`;
}

function sortKeys(value: Json): Json {
  if (isJsonList(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const key of Object.keys(value).sort(compareUtf8)) setOwn(result, key, sortKeys(value[key] ?? null));
  return result;
}
