/** Rules for loops (Argo 4.1 behaviour 3.8, 10.6). */

import type { Invocation, Sequence } from "../model/argo/template.js";
import { fieldPath } from "../model/path.js";
import { isJsonList, isJsonObject } from "../std/json.js";
import { parseRawJson } from "../template/raw-json.js";
import type { KnownItems } from "./known-names.js";
import type { Spot } from "./report.js";

/** Tells what is wrong with a loop, and adds to `items` what `item` may be from here on. */
export function checkLoop(invocation: Invocation, path: string, items: KnownItems, spot: Spot): void {
  const { withItems = [], withParam = "", withSequence } = invocation;
  if (isLoopUnread(path, spot)) items.any = true;
  const given = [
    ...(withItems.length > 0 ? ["withItems"] : []),
    ...(withParam === "" ? [] : ["withParam"]),
    ...(withSequence === undefined ? [] : ["withSequence"]),
  ];
  if (given.length > 1) {
    const message = `${given.join(" and ")}: one of them is enough`;
    const argo = "only one of withItems, withParam, withSequence can be specified";
    spot.tell({ code: "conflict", path: fieldPath(path, given[1] ?? ""), message, argo });
  }
  for (const item of withItems) addKeys(item, items);
  if (withParam !== "") {
    items.any = true;
    checkParam(withParam, fieldPath(path, "withParam"), spot);
  }
  if (withSequence !== undefined) checkSequence(withSequence, fieldPath(path, "withSequence"), spot);
}

function addKeys(item: unknown, items: KnownItems): void {
  if (isJsonList(item)) for (const index of item.keys()) items.keys.add(`[${index}]`);
  else if (isJsonObject(item)) for (const key of Object.keys(item)) items.keys.add(key);
}

/** Argo finds this out when it runs. */
function checkParam(text: string, path: string, spot: Spot): void {
  if (text.includes("{{")) return;
  const parsed = parseRawJson(text);
  if (parsed.ok && (parsed.value.kind === "list" || (parsed.value.kind === "scalar" && parsed.value.type === "null")))
    return;
  const message = "withParam is not a JSON list";
  spot.tell({
    code: "bad-value",
    path,
    message,
    hint: 'such as ["a", "b"], or "{{…}}"; a list in YAML goes into withItems',
  });
}

function checkSequence(sequence: Sequence, path: string, spot: Spot): void {
  const { count, end } = sequence;
  if (count !== undefined && end !== undefined) {
    const message = "count and end: one of them is enough";
    const argo = "only one of count or end can be defined in withSequence";
    spot.tell({ code: "conflict", path: fieldPath(path, "end"), message, argo });
  }
  if (count === undefined && end === undefined) {
    const lacks = [fieldPath(path, "count"), fieldPath(path, "end")];
    spot.tell({
      code: "missing-field",
      path,
      message: "withSequence has no end",
      hint: "add count: N or end: N",
      lacks,
    });
  }
  for (const field of ["start", "count", "end"] as const) {
    const value = sequence[field];
    if (value === undefined || /^[+-]?\d+$/.test(String(value)) || String(value).includes("{{")) continue;
    spot.tell({ code: "bad-value", path: fieldPath(path, field), message: `"${value}" is no whole number` });
  }
}

/** Whether there may be a loop that could not be read. */
export function isLoopUnread(path: string, { unread }: Spot): boolean {
  return ["withItems", "withParam", "withSequence"].some((field) => unread.at(fieldPath(path, field)));
}

/** Of a loop over items: its outputs are aggregated, and those of a sequence are not, as far as Argo's check goes. */
export function isAggregated({ withItems = [], withParam = "" }: Invocation): boolean {
  return withItems.length > 0 || withParam !== "";
}
