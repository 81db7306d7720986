/** Prints JSON values as `kubectl -o yaml` does: keys sorted, two spaces, lists not indented. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../std/json.js";
import { compareUtf8 } from "../../std/order.js";
import { yamlKey, yamlText } from "./yaml-text.js";

/** One document, ending in a newline. Reading it again gives an equal value. */
export function printYaml(value: Json): string {
  if (isCollection(value)) return `${blockOf(value, 0)}\n`;
  return `${scalarText(value, 2)}\n`;
}

/** The lines of a collection that is not empty, all at column `indent`; the first without its margin. */
function blockOf(value: Collection, indent: number): string {
  const margin = `\n${" ".repeat(indent)}`;
  if (isJsonList(value)) return value.map((item) => `- ${inlineOrBlock(item, indent + 2)}`).join(margin);
  const keys = Object.keys(value).sort(compareUtf8);
  return keys.map((key) => `${yamlKey(key)}:${afterKey(value[key] ?? null, indent)}`).join(margin);
}

function afterKey(value: Json, indent: number): string {
  if (!isCollection(value)) return ` ${scalarText(value, indent + 2)}`;
  const below = isJsonList(value) ? indent : indent + 2;
  return `\n${" ".repeat(below)}${blockOf(value, below)}`;
}

function inlineOrBlock(value: Json, indent: number): string {
  return isCollection(value) ? blockOf(value, indent) : scalarText(value, indent);
}

type Collection = readonly Json[] | JsonObject;

function isCollection(value: Json): value is Collection {
  if (isJsonList(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function scalarText(value: Json, indent: number): string {
  if (typeof value === "string") return yamlText(value, indent);
  if (typeof value === "number") return Object.is(value, -0) ? "-0.0" : String(value);
  if (typeof value === "object" && value !== null) return isJsonList(value) ? "[]" : "{}";
  return String(value);
}
