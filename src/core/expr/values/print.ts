/** How values look: as Go's `%v` prints them, and as JSON. */

import { formatDuration } from "../../std/duration.js";
import { formatFloat } from "../../std/go-format.js";
import { numberText, quoteJson } from "../../std/go-json.js";
import { compareUtf8 } from "../../std/order.js";
import { formatRfc3339Nano } from "../../std/time.js";
import { formatLayout } from "../../std/time-layout.js";
import { type ExprKey, type ExprMap, type ExprValue, isDuration, isList, isMap, isTime, ValueFault } from "./value.js";

/** As `%v`: `[1 2]`, `map[a:1]`, `<nil>`. */
export function printValue(value: ExprValue): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return formatFloat(value);
  if (typeof value !== "object") return String(value);
  if (isList(value)) return `[${value.map(printValue).join(" ")}]`;
  if (isMap(value)) {
    return `map[${sortedEntries(value)
      .map(([key, element]) => `${printValue(key)}:${printValue(element)}`)
      .join(" ")}]`;
  }
  if (isTime(value)) return formatLayout("2006-01-02 15:04:05.999999999 -0700 MST", value.time);
  return isDuration(value) ? formatDuration(value.duration) : "0x0";
}

/** By key: numbers by value, text by bytes. */
export function sortedEntries(map: ExprMap): readonly (readonly [ExprKey, ExprValue])[] {
  return [...map].sort(([left], [right]) => compareKeys(left, right));
}

function compareKeys(left: ExprKey, right: ExprKey): number {
  const bothNumbers =
    (typeof left === "bigint" || typeof left === "number") && (typeof right === "bigint" || typeof right === "number");
  return bothNumbers ? Number(left) - Number(right) : compareUtf8(String(left), String(right));
}

/** How JSON is laid out. */
export interface JsonStyle {
  /** Repeated for each level; empty for one line. */
  readonly indent: string;
  /** Escapes `<`, `>` and `&`, as Go does unless told otherwise. */
  readonly html: "escaped" | "plain";
}

export const COMPACT: JsonStyle = { indent: "", html: "escaped" };

/** As json.Marshal; throws a `ValueFault` for what JSON cannot say: infinity, a function. */
export function printJson(value: ExprValue, style: JsonStyle = COMPACT): string {
  return writeJson(value, style, "");
}

function writeJson(value: ExprValue, style: JsonStyle, margin: string): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return jsonString(value, style);
    case "number":
      if (!Number.isFinite(value)) throw new ValueFault(`json: unsupported value: ${formatFloat(value)}`);
      return numberText(value);
    case "boolean":
    case "bigint":
      return String(value);
    default:
      return writeObject(value, style, margin);
  }
}

function jsonString(text: string, style: JsonStyle): string {
  const quoted = quoteJson(text);
  if (style.html === "escaped") return quoted;
  return quoted.replace(/(\\\\)|\\u(003c|003e|0026)/g, (all, backslash, code) =>
    backslash === undefined ? String.fromCharCode(Number.parseInt(String(code), 16)) : String(all),
  );
}

function writeObject(value: Exclude<ExprValue, null>, style: JsonStyle, margin: string): string {
  const inner = margin + style.indent;
  if (isList(value)) {
    const elements = value.map((element) => writeJson(element, style, inner));
    return enclose(["[", "]"], elements, { style, margin });
  }
  if (isMap(value)) {
    const colon = style.indent === "" ? ":" : ": ";
    const fields = sortedEntries(value).map(([key, element]) => {
      if (typeof key !== "string") throw new ValueFault("json: unsupported type: map[interface {}][]interface {}");
      return `${jsonString(key, style)}${colon}${writeJson(element, style, inner)}`;
    });
    return enclose(["{", "}"], fields, { style, margin });
  }
  if (isTime(value)) return quoteJson(formatRfc3339Nano(value.time));
  if (isDuration(value)) return String(value.duration);
  throw new ValueFault("json: unsupported type: func(...interface {}) interface {}");
}

function enclose(
  [open, close]: readonly [string, string],
  parts: readonly string[],
  { style, margin }: { readonly style: JsonStyle; readonly margin: string },
): string {
  if (style.indent === "" || parts.length === 0) return open + parts.join(",") + close;
  const inner = `\n${margin}${style.indent}`;
  return `${open}${inner}${parts.join(`,${inner}`)}\n${margin}${close}`;
}
