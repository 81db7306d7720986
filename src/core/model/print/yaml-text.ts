/** How a text stands in YAML so that every reader (1.1, 1.2, Go's) reads the same text again. */

import { goNumber, goWord } from "../source/go-scalars.js";

/** A plain, quoted or literal scalar; `indent` is that of the lines of a literal block. */
export function yamlText(value: string, indent: number): string {
  if (value.includes("\n")) return literalBlock(value, indent) ?? doubleQuoted(value);
  if (!PRINTABLE.test(value)) return doubleQuoted(value);
  if (isPlain(value)) return value;
  // Go quotes what only looks like another type with double quotes, and the rest with single ones.
  return looksTyped(value) ? `"${value}"` : `'${value.replaceAll("'", "''")}'`;
}

/** A key: always on one line. */
export function yamlKey(key: string): string {
  return key.includes("\n") ? doubleQuoted(key) : yamlText(key, 0);
}

const PRINTABLE = /^[\t\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
const PLAIN_START = /^[^\s\-?:,[\]{}#&*!|>'"%@`=<~.]|^[-?:.](?=[^\s,[\]{}])|^<(?!<)/;
const UNPLAIN = /: |:$| #|^\s|\s$|^(?:---|\.\.\.)|[\t\u0085\u2028\u2029\ufeff]/;
const YAML_1_1 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$|^\d{4}-\d{1,2}-\d{1,2}|^[-+]?\.(?:inf|nan)$/i;

function isPlain(value: string): boolean {
  return PLAIN_START.test(value) && !UNPLAIN.test(value) && !looksTyped(value);
}

/** Whether a plain scalar of this text would be no text to some reader. */
function looksTyped(value: string): boolean {
  if (value === "") return true;
  return goWord(value) !== undefined || goNumber(value) !== undefined || YAML_1_1.test(value);
}

function doubleQuoted(value: string): string {
  return escapeUnprintable(JSON.stringify(value));
}

/** JSON may hold characters that YAML may not: with these escaped, JSON text is YAML too. */
export function escapeUnprintable(jsonText: string): string {
  return jsonText.replace(NEEDS_ESCAPE, (character) => {
    const code = character.charCodeAt(0);
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

const NEEDS_ESCAPE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Undefined where a block would not give the same text back to every reader. */
function literalBlock(value: string, indent: number): string | undefined {
  const body = value.replace(/\n+$/, "");
  const lines = body.split("\n");
  const first = lines[0] ?? "";
  const plain = lines.every((line) => PRINTABLE.test(line) && !/[\u0085\u2028\u2029]/.test(line));
  if (body === "" || first === "" || /^[ \t]/.test(first) || !plain) return undefined;
  if (lines.some((line) => /^[ \t]+$/.test(line))) return undefined;
  const newlines = value.length - body.length;
  const chomp = newlines === 0 ? "-" : newlines === 1 ? "" : "+";
  const margin = " ".repeat(indent);
  const text = lines.map((line) => (line === "" ? "" : margin + line)).join("\n");
  return `|${chomp}\n${text}${"\n".repeat(Math.max(0, newlines - 1))}`;
}
