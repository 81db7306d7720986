/** sprig's functions on text. */

import { quoteGo } from "../../std/go-format.js";
import { replaceText, splitText, trimChars, trimSpace } from "../builtins/text.js";
import { joinTexts } from "../values/operations.js";
import { type ExprKey, type ExprValue, ValueFault } from "../values/value.js";
import { castString, castTexts } from "./cast.js";
import { aliases, define, defineVariadic, type SprigRow } from "./define.js";
import { abbreviate, abbreviateBoth, byteSlice, initials, swapCase, titleCase, untitle, wrapText } from "./words.js";

const trimAll = define("trimAll", ["string", "string"], ([cutset, text]) => trimChars(text, cutset, "both"));

export const stringRows: readonly SprigRow[] = [
  define("trim", ["string"], ([text]) => trimSpace(text)),
  trimAll,
  ...aliases(trimAll, "trimall"),
  define("trimSuffix", ["string", "string"], ([suffix, text]) =>
    suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  define("trimPrefix", ["string", "string"], ([prefix, text]) =>
    text.startsWith(prefix) ? text.slice(prefix.length) : text,
  ),
  define("upper", ["string"], ([text]) => text.toUpperCase()),
  define("lower", ["string"], ([text]) => text.toLowerCase()),
  define("title", ["string"], ([text]) => titleCase(text)),
  define("untitle", ["string"], ([text]) => untitle(text)),
  define("swapcase", ["string"], ([text]) => swapCase(text)),
  define("repeat", ["int", "string"], ([count, text]) => repeat(text, count)),
  define("substr", ["int", "int", "string"], ([start, end, text]) => substring(text, start, end)),
  define("nospace", ["string"], ([text]) => text.replace(/\s/gu, "")),
  define("trunc", ["int", "string"], ([count, text]) => truncate(text, count)),
  define("abbrev", ["int", "string"], ([width, text]) => abbreviate(text, width)),
  define("abbrevboth", ["int", "int", "string"], ([left, right, text]) => abbreviateBoth(text, left, right)),
  define("initials", ["string"], ([text]) => initials(text)),
  define("wrap", ["int", "string"], ([width, text]) => wrapText(text, { width, lineEnd: "\n", longWords: "keep" })),
  define("wrapWith", ["int", "string", "string"], ([width, lineEnd, text]) =>
    wrapText(text, { width, lineEnd: lineEnd || "\n", longWords: "break" }),
  ),
  define("contains", ["string", "string"], ([part, text]) => text.includes(part)),
  define("hasPrefix", ["string", "string"], ([prefix, text]) => text.startsWith(prefix)),
  define("hasSuffix", ["string", "string"], ([suffix, text]) => text.endsWith(suffix)),
  defineVariadic("quote", [[], "any"], (_none, values) => joinPresent(values, (value) => quoteGo(castString(value)))),
  defineVariadic("squote", [[], "any"], (_none, values) => joinPresent(values, (value) => `'${castString(value)}'`)),
  defineVariadic("cat", [[], "any"], (_none, values) => joinPresent(values, castString)),
  define("indent", ["int", "string"], ([width, text]) => indent(text, width)),
  define("nindent", ["int", "string"], ([width, text]) => `\n${indent(text, width)}`),
  define("replace", ["string", "string", "string"], ([old, by, text]) => replaceText(text, [old, by], -1)),
  define("plural", ["string", "string", "int"], ([one, many, count]) => (count === 1 ? one : many)),
  define("toString", ["any"], ([value]) => castString(value)),
  define("toStrings", ["any"], ([value]) => castTexts(value)),
  define("join", ["string", "any"], ([separator, list]) => joinTexts(castTexts(list), separator)),
  define("split", ["string", "string"], ([separator, text]) => numbered(split(text, separator, -1))),
  define("splitn", ["string", "int", "string"], ([separator, limit, text]) => numbered(split(text, separator, limit))),
  define("splitList", ["string", "string"], ([separator, text]) => split(text, separator, -1)),
  define("hello", [], () => "Hello!"),
];

function joinPresent(values: readonly ExprValue[], print: (value: ExprValue) => string): string {
  return values
    .filter((value) => value !== null)
    .map(print)
    .join(" ");
}

function split(text: string, separator: string, limit: number): readonly string[] {
  return splitText(text, separator, { limit, separator: "drop" });
}

/** `_0`, `_1`, …: the names that templates use. */
function numbered(parts: readonly string[]): ExprValue {
  return new Map(parts.map((part, index): [ExprKey, ExprValue] => [`_${index}`, part]));
}

const MAX_REPEAT = 16 * 1024 * 1024;

export function repeat(text: string, count: number): string {
  if (count < 0) throw new ValueFault("strings: negative Repeat count");
  if (count * text.length > MAX_REPEAT) throw new ValueFault("memory budget exceeded");
  return text.repeat(count);
}

function indent(text: string, width: number): string {
  const margin = repeat(" ", width);
  return margin + replaceText(text, ["\n", `\n${margin}`], -1);
}

function substring(text: string, start: number, end: number): string {
  if (start < 0) return byteSlice(text, 0, end);
  return end < 0 ? byteSlice(text, start, undefined) : byteSlice(text, start, end);
}

function truncate(text: string, count: number): string {
  return count < 0 ? byteSlice(text, count, undefined) : byteSlice(text, 0, count);
}
