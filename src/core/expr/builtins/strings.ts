/** Builtins on text. */

import { fromBase64, toBase64, utf8Decode, utf8Encode } from "../../std/bytes.js";
import { asText, joinTexts, toInt, utf8Length } from "../values/operations.js";
import { type ExprValue, goTypeOf, isList, ValueFault } from "../values/value.js";
import { type BuiltinRow, overload } from "./row.js";
import { replaceText, splitText, trimChars, trimSpace } from "./text.js";

const MAX_REPEAT = 1_000_000;

function onText(operation: (text: string) => ExprValue): BuiltinRow {
  return { accepts: [overload("string", "string")], call: ([text]) => operation(asText(text)) };
}

function onTwoTexts(result: "bool" | "int", operation: (text: string, other: string) => ExprValue): BuiltinRow {
  return {
    accepts: [overload(result, "string", "string")],
    call: ([text, other]) => operation(asText(text), asText(other)),
  };
}

/** The second text may be left out: a space. */
function trimmer(operation: (text: string, affix: string) => string): BuiltinRow {
  return {
    accepts: [overload("string", "string", "string"), overload("string", "string")],
    call: ([text, affix]) => operation(asText(text), affix === undefined ? " " : asText(affix)),
  };
}

function byteIndex(text: string, index: number): bigint {
  return BigInt(index < 0 ? -1 : utf8Length(text.slice(0, index)));
}

export const stringRows: readonly (readonly [string, BuiltinRow])[] = [
  [
    "trim",
    {
      accepts: [overload("string", "string"), overload("string", "string", "string")],
      call: ([text, cutset]) =>
        cutset === undefined ? trimSpace(asText(text)) : trimChars(asText(text), asText(cutset), "both"),
    },
  ],
  ["trimPrefix", trimmer((text, affix) => (text.startsWith(affix) ? text.slice(affix.length) : text))],
  ["trimSuffix", trimmer((text, affix) => (text.endsWith(affix) ? text.slice(0, text.length - affix.length) : text))],
  ["upper", onText((text) => text.toUpperCase())],
  ["lower", onText((text) => text.toLowerCase())],
  ["split", splitter("drop")],
  ["splitAfter", splitter("keep")],
  [
    "replace",
    {
      accepts: [
        overload("string", "string", "string", "string", "int"),
        overload("string", "string", "string", "string"),
      ],
      call: ([text, old, by, count]) => {
        const limit = count === undefined ? -1 : Number(toInt(count));
        return replaceText(asText(text), [asText(old), asText(by)], limit);
      },
    },
  ],
  ["repeat", { accepts: [overload("string", "string", "int")], call: ([text, count]) => repeat(asText(text), count) }],
  [
    "join",
    {
      accepts: [
        overload("string", "texts", "string"),
        overload("string", "array", "string"),
        overload("string", "array"),
        overload("string", "texts", "string"),
        overload("string", "texts"),
      ],
      call: ([list, glue]) => join(list, glue === undefined ? "" : asText(glue)),
    },
  ],
  ["indexOf", onTwoTexts("int", (text, part) => byteIndex(text, text.indexOf(part)))],
  ["lastIndexOf", onTwoTexts("int", (text, part) => byteIndex(text, text.lastIndexOf(part)))],
  ["hasPrefix", onTwoTexts("bool", (text, part) => text.startsWith(part))],
  ["hasSuffix", onTwoTexts("bool", (text, part) => text.endsWith(part))],
  ["toBase64", onText((text) => toBase64(utf8Encode(text)))],
  ["fromBase64", onText(decode)],
];

function splitter(separator: "keep" | "drop"): BuiltinRow {
  return {
    accepts: [overload("array", "string", "string"), overload("array", "string", "string", "int")],
    call: ([text, by, count], call) => {
      const limit = count === undefined ? -1 : Number(toInt(count));
      const parts = splitText(asText(text), asText(by), { limit, separator });
      call.spend(parts.length);
      return parts;
    },
  };
}

function repeat(text: string, count: ExprValue | undefined): string {
  const times = Number(toInt(count ?? null));
  if (times < 0) throw new ValueFault(`invalid argument for repeat (expected positive integer, got ${times})`);
  if (times > MAX_REPEAT || times * text.length > MAX_REPEAT * 16) throw new ValueFault("memory budget exceeded");
  return text.repeat(times);
}

function join(list: ExprValue | undefined, glue: string): string {
  if (!isList(list)) throw new ValueFault(`invalid argument for join (type ${goTypeOf(list ?? null)})`);
  return joinTexts(
    list.map((element) => asText(element)),
    glue,
  );
}

function decode(text: string): string {
  const bytes = fromBase64(text);
  if (!bytes.ok) throw new ValueFault(bytes.error);
  return utf8Decode(bytes.value);
}
