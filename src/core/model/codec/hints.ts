/** What to write instead, for fields that no schema knows and values of the wrong type. */

import { msOf, parseDuration } from "../../std/duration.js";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../std/json.js";
import { retiredFieldHint } from "./retired.js";
import { type ObjectNode, resolveNode, type SchemaNode } from "./schema.js";

/** `near` is the field's nearest neighbour among those that there are. */
export function unknownFieldHint(
  node: ObjectNode,
  key: string,
  path: string,
  near: string | undefined,
): string | undefined {
  const retired = retiredFieldHint(path, key);
  if (retired !== undefined) return retired;
  const odd = ODD_SPACE.exec(key)?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  if (odd !== undefined) return `it holds a space that is a letter to YAML (U+${odd}): type the line anew`;
  return near === undefined ? misplacedHint(node, key) : `did you mean "${near}"?`;
}

const ODD_SPACE = /[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/;

/** A field that stands one level too high, as a line that is indented too little. */
function misplacedHint(node: ObjectNode, key: string): string | undefined {
  const homes = [...node.fields].filter(([name, field]) => name !== "templateDefaults" && hasField(field.node, key));
  const single = homes.filter(([, field]) => resolveNode(field.node).kind === "object");
  const names = (single.length > 0 ? single : homes).map(([name]) => name);
  if (names.length === 0 || names.length > 3) return undefined;
  return `it stands in ${single.length > 0 ? "" : "an item of "}${names.join(" or ")}: is the line indented too little?`;
}

function hasField(node: SchemaNode, key: string): boolean {
  const resolved = resolveNode(node);
  if (resolved.kind === "list") return resolveNode(resolved.item).kind === "object" && hasField(resolved.item, key);
  return resolved.kind === "object" && resolved.fields.has(key);
}

const STEP_GROUP = /\.steps\[\d+\]$/;

export function wrongTypeHint(wanted: string, value: Json, path: string): string | undefined {
  if (STEP_GROUP.test(path)) return "steps that run at once are a list in the list: - - name: ...";
  const field = /[\w]+$/.exec(path)?.[0] ?? "";
  const own = wanted === "a list" || isJsonList(value) ? listHint(field, value) : undefined;
  if (own !== undefined) return own;
  if (wanted === "a map" || wanted === "a list" || typeof value === "object") return undefined;
  if (typeof value === "string") return scalarTextHint(value) ?? secondsHint(field, value);
  return wanted.startsWith("text") ? "quote it" : undefined;
}

/** Where a list and something else are mixed up. */
function listHint(field: string, value: Json): string | undefined {
  if (isJsonList(value)) return FOR_LISTS[field];
  if (typeof value !== "string" || value.includes("\n")) return undefined;
  if (field === "withItems" && value.includes("{{")) return "a list that only the run knows goes into withParam";
  if (/^[\w./-]+$/.test(value)) return `write [${value}]`;
  const quoted = JSON.stringify(value);
  return field === "command" ? `write [sh, -c, ${quoted}]` : `write [${quoted}]`;
}

const FOR_LISTS: Readonly<Record<string, string | undefined>> = {
  withParam: "a list that stands in the file goes into withItems",
  depends: "depends is an expression, as in a && b; a list goes into dependencies",
  source: "write source: | and the script below it",
  entrypoint: "one template begins: the others are called from it",
};

/** For what stands where a list of `item`s belongs. */
export function wrongListHint(item: SchemaNode, value: Json, path: string): string | undefined {
  const named = STEP_GROUP.test(path) ? undefined : namedItemsHint(item, value);
  return named ?? wrongTypeHint("a list", value, path);
}

function namedItemsHint(item: SchemaNode, value: Json): string | undefined {
  const resolved = resolveNode(item);
  if (!isJsonObject(value) || resolved.kind !== "object" || !resolved.fields.has("name")) return undefined;
  const [name] = Object.keys(value);
  if (name === undefined || resolved.fields.has(name)) return "its items begin with a dash: - name: …";
  return `write a list: - ${itemText(resolved, name, value)}`;
}

function itemText(item: ObjectNode, name: string, value: JsonObject): string {
  const one = value[name];
  const isValue = item.fields.has("value") && (typeof one === "string" || typeof one === "number");
  return isValue ? `{name: ${name}, value: ${JSON.stringify(one)}}` : `name: ${name}`;
}

/** For a duration where seconds belong. */
function secondsHint(field: string, value: string): string | undefined {
  const duration = /seconds/i.test(field) ? parseDuration(value) : undefined;
  return duration?.ok === true ? `write the seconds: ${Math.ceil(msOf(duration.value) / 1000)}` : undefined;
}

/** For a text where a number or a boolean belongs. */
function scalarTextHint(value: string): string | undefined {
  if (value.includes("{{")) return "a variable cannot stand here: the manifest must hold the value itself";
  if (/^-?\d{16,}$/.test(value)) return "it is too large";
  return /^(?:-?\d+|true|false)$/.test(value) ? `write ${value} without quotes` : undefined;
}
