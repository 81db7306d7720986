/** JSON as Go's encoding/json reads and writes it: its error texts, its escapes, its order of keys. */

import { isJsonObject, type Json } from "./json.js";
import { compareUtf8 } from "./order.js";
import { err, ok, type Result } from "./result.js";

/** Deeper nesting is refused with Go's words; Go allows ten times as much, but what walks the value recurses. */
const MAX_DEPTH = 1_000;

/**
 * The value, or Go's message such as `invalid character 'S' looking for beginning of value`. Of two fields with one
 * name the later counts.
 */
export function parseGoJson(text: string): Result<Json> {
  const problem = findProblem(text);
  return problem === undefined ? ok(parseKnownGood(text)) : err(problem);
}

/** The text is known to be JSON. */
function parseKnownGood(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

interface Scanner {
  readonly text: string;
  at: number;
  depth: number;
  problem: string | undefined;
}

function createScanner(text: string): Scanner {
  return { text, at: 0, depth: 0, problem: undefined };
}

function findProblem(text: string): string | undefined {
  // The fast way for good texts; the slow one finds Go's words for the others.
  if (isJson(text)) return isTooDeep(text) ? "exceeded max depth" : undefined;
  const scanner = createScanner(text);
  scanValue(scanner);
  skipSpace(scanner);
  if (scanner.problem === undefined && scanner.at < text.length) complain(scanner, "after top-level value");
  return scanner.problem ?? "invalid JSON";
}

/** Of a text that is JSON. By characters: a pattern over a long text would use up the stack. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH * 2) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length && depth <= MAX_DEPTH; at++) {
    const character = text.charAt(at);
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === "\\" ? 1 : 0;
    else depth += DEPTH_STEPS[character] ?? 0;
  }
  return depth > MAX_DEPTH;
}

const DEPTH_STEPS: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function skipSpace(scanner: Scanner): void {
  while (" \t\r\n".includes(scanner.text.charAt(scanner.at) || "x")) scanner.at++;
}

/** Go ends a text with a space to see whether it is complete; inside a word or a number that space is the fault. */
const INSIDE = /^(in (literal|numeric|exponent|string escape|\\u)|after decimal)/;
const SPACE = 0x20;

/** Notes the first problem: the character here is not what `context` wants. False, for the scanner that gives up. */
function complain(scanner: Scanner, context: string): boolean {
  if (scanner.problem !== undefined) return false;
  const code = scanner.text.codePointAt(scanner.at) ?? (INSIDE.test(context) ? SPACE : undefined);
  scanner.problem =
    code === undefined
      ? "unexpected end of JSON input"
      : `invalid character ${quoteCharacter(String.fromCodePoint(code))} ${context}`;
  return false;
}

/** Go looks at bytes: a character outside ASCII is shown as the first of its bytes. */
function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\" };
  const short = escapes[character];
  if (short !== undefined) return `'${short}'`;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `'\\x${code.toString(16).padStart(2, "0")}'`;
  return `'${code < 0x80 ? character : String.fromCharCode(firstByte(code))}'`;
}

function firstByte(code: number): number {
  if (code < 0x800) return 0xc0 | (code >> 6);
  return code < 0x10000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18);
}

function scanValue(scanner: Scanner): boolean {
  skipSpace(scanner);
  if (++scanner.depth > MAX_DEPTH) scanner.problem ??= "exceeded max depth";
  const isGood = scanner.problem === undefined && scanHere(scanner);
  scanner.depth--;
  return isGood;
}

function scanHere(scanner: Scanner): boolean {
  const character = scanner.text.charAt(scanner.at);
  switch (character) {
    case "{":
      return scanObject(scanner);
    case "[":
      return scanList(scanner);
    case '"':
      return scanString(scanner);
    case "t":
      return scanWord(scanner, "true");
    case "f":
      return scanWord(scanner, "false");
    case "n":
      return scanWord(scanner, "null");
    default:
      if (/[-\d]/.test(character)) return scanNumber(scanner);
      return complain(scanner, "looking for beginning of value");
  }
}

function scanWord(scanner: Scanner, word: string): boolean {
  for (const letter of word) {
    if (scanner.text.charAt(scanner.at) !== letter) {
      return complain(scanner, `in literal ${word} (expecting '${letter}')`);
    }
    scanner.at++;
  }
  return true;
}

const NUMBER_PARTS: readonly (readonly [RegExp, string])[] = [
  [/-?/y, ""],
  [/0|[1-9]\d*/y, "in numeric literal"],
];

function scanNumber(scanner: Scanner): boolean {
  for (const [pattern, context] of NUMBER_PARTS) {
    if (!scanPattern(scanner, pattern)) return complain(scanner, context);
  }
  if (scanPattern(scanner, /\./y) && !scanPattern(scanner, /\d+/y)) {
    return complain(scanner, "after decimal point in numeric literal");
  }
  if (scanPattern(scanner, /[eE][+-]?/y) && !scanPattern(scanner, /\d+/y)) {
    return complain(scanner, "in exponent of numeric literal");
  }
  return true;
}

function scanPattern(scanner: Scanner, pattern: RegExp): boolean {
  pattern.lastIndex = scanner.at;
  const found = pattern.exec(scanner.text);
  if (found === null) return false;
  scanner.at += found[0].length;
  return true;
}

function scanString(scanner: Scanner): boolean {
  scanner.at++;
  for (;;) {
    const character = scanner.text.charAt(scanner.at);
    if (character === "") return complain(scanner, "");
    if (character < " ") return complain(scanner, "in string literal");
    scanner.at++;
    if (character === '"') return true;
    if (character === "\\" && !scanEscape(scanner)) return false;
  }
}

function scanEscape(scanner: Scanner): boolean {
  const character = scanner.text.charAt(scanner.at);
  if (character !== "u") {
    if (character === "" || !'"\\/bfnrt'.includes(character)) {
      return complain(scanner, "in string escape code");
    }
    scanner.at++;
    return true;
  }
  scanner.at++;
  for (let digit = 0; digit < 4; digit++) {
    if (!/^[\da-fA-F]$/.test(scanner.text.charAt(scanner.at))) {
      return complain(scanner, "in \\u hexadecimal character escape");
    }
    scanner.at++;
  }
  return true;
}

function scanList(scanner: Scanner): boolean {
  scanner.at++;
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) === "]") {
    scanner.at++;
    return true;
  }
  do scanValue(scanner);
  while (scanSeparator(scanner, "]", "after array element"));
  return scanner.problem === undefined;
}

/** True when another element follows; a problem ends the run as well. */
function scanSeparator(scanner: Scanner, end: string, context: string): boolean {
  if (scanner.problem !== undefined) return false;
  skipSpace(scanner);
  const character = scanner.text.charAt(scanner.at);
  if (character !== "," && character !== end) {
    return complain(scanner, context);
  }
  scanner.at++;
  return character === ",";
}

function scanObject(scanner: Scanner): boolean {
  scanner.at++;
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) === "}") {
    scanner.at++;
    return true;
  }
  do scanField(scanner);
  while (scanSeparator(scanner, "}", "after object key:value pair"));
  return scanner.problem === undefined;
}

function scanField(scanner: Scanner): boolean {
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) !== '"') return complain(scanner, "looking for beginning of object key string");
  if (!scanString(scanner)) return false;
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) !== ":") return complain(scanner, "after object key");
  scanner.at++;
  return scanValue(scanner);
}

/** As json.Marshal: compact, keys sorted by bytes, `<`, `>` and `&` escaped. */
export function printGoJson(value: Json): string {
  if (typeof value === "string") return quoteJson(value);
  if (Array.isArray(value)) return `[${value.map(printGoJson).join(",")}]`;
  if (!isJsonObject(value)) return typeof value === "number" ? numberText(value) : String(value);
  const fields = Object.entries(value).sort(([left], [right]) => compareUtf8(left, right));
  return `{${fields.map(([key, field]) => `${quoteJson(key)}:${printGoJson(field)}`).join(",")}}`;
}

/** A float as Go writes it in JSON; JavaScript's own text is the same but for negative zero. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

const UNSAFE = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A JSON string with Go's escapes. */
export function quoteJson(text: string): string {
  if (!UNSAFE.test(text)) return `"${text}"`;
  const whole = text.replace(LONE_SURROGATES, "\ufffd");
  return `"${whole.replace(/["\\\u0000-\u001f<>&\u2028\u2029]/g, escapeJson)}"`;
}

/** The escape of one character that JSON, or Go, does not leave as it is. */
export function escapeJson(character: string): string {
  return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
