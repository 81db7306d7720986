/** Loops: one step or task for each item of withItems, withParam or withSequence (Argo 4.1 behaviour 3.8). */

import { type ExprContext, evaluateWhen, type Scope, type SubstituteError, substitute } from "../expr/index.js";
import type { Invocation, Sequence } from "../model/argo/template.js";
import { compareUtf8 } from "../std/order.js";
import { sprintf } from "../std/printf.js";
import { err, ok, type Result } from "../std/result.js";
import { parseRawJson, printRawJson, type RawJson } from "./raw-json.js";
import { extendScope } from "./scope.js";

export type LoopError = Pick<SubstituteError, "message" | "kind">;

/** A loop that grows beyond this many items is refused: its status could not be kept. */
const ITEMS_MAX = 1_000_000;
/** A format may pad each item to a million characters. */
const CHARACTERS_MAX = 64_000_000;

export function isLoop(invocation: Invocation): boolean {
  return (
    (invocation.withItems?.length ?? 0) > 0 ||
    (invocation.withParam ?? "") !== "" ||
    invocation.withSequence !== undefined
  );
}

/** The invocation itself when it is no loop; else one for each item, named `<name>(<index>:<item text>)`. */
export function expandLoop<T extends Invocation>(
  invocation: T,
  scope: Scope,
  context: ExprContext,
): Result<readonly T[], LoopError> {
  if (!isLoop(invocation)) return ok([invocation]);
  const items = itemsOf(invocation);
  if (!items.ok) return err({ message: items.error, kind: "failed" });
  const body = withoutLoop(invocation);
  const expanded: T[] = [];
  for (const [index, item] of items.value.entries()) {
    const one = expandItem(body, { index, item, scope, context });
    if (!one.ok) return one;
    expanded.push(one.value);
  }
  return ok(expanded);
}

/** The items may be large: they are not substituted once for each of them. */
function withoutLoop<T extends Invocation>(invocation: T): T;
function withoutLoop({
  withItems: _items,
  withParam: _param,
  withSequence: _sequence,
  ...body
}: Invocation): Invocation {
  return body;
}

interface Expansion {
  readonly index: number;
  readonly item: RawJson;
  readonly scope: Scope;
  readonly context: ExprContext;
}

function expandItem<T extends Invocation>(body: T, expansion: Expansion): Result<T, LoopError> {
  const { index, item, scope, context } = expansion;
  const skips = evaluateWhen(body.when ?? "");
  const mode = skips.ok && !skips.value ? "allow-unresolved" : "no-unresolved";
  const replaced = substitute(body, extendScope(scope, itemVariables(item)), { mode, context });
  if (!replaced.ok) return replaced;
  const name = `${body.name ?? ""}(${index}:${itemName(item).replaceAll(/[()]/g, "")})`;
  return ok({ ...replaced.value, name });
}

function itemsOf(invocation: Invocation): Result<readonly RawJson[]> {
  if ((invocation.withItems?.length ?? 0) > 0) return listOf(JSON.stringify(invocation.withItems));
  if ((invocation.withParam ?? "") !== "") {
    const text = invocation.withParam ?? "";
    const items = listOf(text);
    if (items.ok) return items;
    const when = evaluateWhen(invocation.when ?? "");
    if (when.ok && !when.value) return ok([]);
    return err(`withParam value could not be parsed as a JSON list: ${text.trim()}: ${items.error}`);
  }
  return sequenceItems(invocation.withSequence ?? {});
}

function listOf(text: string): Result<readonly RawJson[]> {
  const parsed = parseRawJson(text);
  if (!parsed.ok) return parsed;
  const value = parsed.value;
  if (value.kind === "list") return ok(value.items);
  if (value.kind === "scalar" && value.type === "null") return ok([]);
  const type = value.kind === "map" ? "object" : value.type;
  return err(`json: cannot unmarshal ${type} into Go value of type []v1alpha1.Item`);
}

function sequenceItems(sequence: Sequence): Result<readonly RawJson[]> {
  const start = wholeNumber(sequence.start ?? 0);
  if (!start.ok) return start;
  const last = lastOf(sequence, start.value);
  if (!last.ok) return last;
  if (last.value === undefined) return ok([]);
  const step = last.value < start.value ? -1 : 1;
  const count = Math.abs(last.value - start.value) + 1;
  if (count > ITEMS_MAX) return err(`withSequence has ${count} items, more than ${ITEMS_MAX}`);
  const format = (sequence.format ?? "") === "" ? "%d" : (sequence.format ?? "%d");
  const itemAt = (index: number): string => sprintf(format, [BigInt(start.value + index * step)]);
  const characters = count * Math.max(itemAt(0).length, itemAt(count - 1).length);
  if (characters > CHARACTERS_MAX) {
    return err(`withSequence has items of ${characters} characters together, more than ${CHARACTERS_MAX}`);
  }
  return ok(
    Array.from({ length: count }, (_one, index): RawJson => {
      return { kind: "scalar", type: "string", text: JSON.stringify(itemAt(index)) };
    }),
  );
}

/** Undefined for a count of 0. */
function lastOf(sequence: Sequence, start: number): Result<number | undefined> {
  if (sequence.end !== undefined) return wholeNumber(sequence.end);
  if (sequence.count === undefined) return err("neither end nor count was specified in withSequence");
  const count = wholeNumber(sequence.count);
  if (!count.ok) return count;
  return ok(count.value === 0 ? undefined : start + count.value - 1);
}

function wholeNumber(value: number | string): Result<number> {
  const text = String(value);
  return /^[+-]?\d{1,15}$/.test(text)
    ? ok(Number(text))
    : err(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function* itemVariables(item: RawJson): Generator<readonly [string, string]> {
  yield ["item", item.kind === "scalar" ? valueText(item) : printRawJson(item)];
  if (item.kind !== "map") return;
  for (const [key, value] of item.entries) yield [`item.${key}`, valueText(value)];
}

/** What `{{item}}` becomes: text without quotes, anything else as JSON. */
function valueText(item: RawJson): string {
  if (item.kind !== "scalar") return printRawJson(item);
  if (item.type !== "string") return item.text;
  const parsed: unknown = JSON.parse(item.text);
  return typeof parsed === "string" ? parsed : item.text;
}

/** What stands for the item in a node's name: JSON escapes stay (lessons G.1, 5). */
function itemName(item: RawJson): string {
  switch (item.kind) {
    case "scalar":
      // Argo takes null for an empty list here.
      if (item.type === "null") return "[]";
      return item.type === "string" ? item.text.slice(1, -1) : item.text;
    case "list":
      return `[${item.items.map(nestedName).join(" ")}]`;
    case "map":
      return item.entries
        .map(([key, value]) => `${key}:${nestedName(value)}`)
        .sort(compareUtf8)
        .join(",");
  }
}

function nestedName(item: RawJson): string {
  if (item.kind === "scalar") return item.type === "null" ? item.text : itemName(item);
  return printRawJson(item);
}
