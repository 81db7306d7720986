/** Go's fmt.Sprintf for integers, text, floats and booleans, wrong verbs included. */

import { formatFloat, quoteGo } from "./go-format.js";

/** A bigint prints as Go's int64, a number as its float64. */
export type PrintfArgument = bigint | number | string | boolean;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly verb: string;
}

const DIRECTIVE = /%([-+# 0]*)(\d*)(?:\.(\d*))?([\s\S]?)/gu;

/** Padding beyond this is cut: a format from a user must not fill the memory. Go's own limit is the same. */
const MAX_WIDTH = 1_000_000;

/** What Go prints, such as `%!s(int64=1)` for a verb that does not fit. */
export function sprintf(format: string, args: readonly PrintfArgument[]): string {
  let used = 0;
  let text = "";
  let from = 0;
  for (const match of format.matchAll(DIRECTIVE)) {
    const directive = directiveOf(match);
    const isLiteral = directive.verb === "" || directive.verb === "%";
    text += format.slice(from, match.index) + expand(directive, isLiteral ? undefined : args[used]);
    if (!isLiteral) used++;
    from = match.index + match[0].length;
  }
  text += format.slice(from);
  return used < args.length ? text + extra(args.slice(used)) : text;
}

function directiveOf([, flags = "", width = "", precision, verb = ""]: RegExpExecArray): Directive {
  return {
    flags,
    width: Math.min(Number(width), MAX_WIDTH),
    precision: precision === undefined ? undefined : Math.min(Number(precision), MAX_WIDTH),
    verb,
  };
}

function expand(directive: Directive, argument: PrintfArgument | undefined): string {
  if (directive.verb === "") return "%!(NOVERB)";
  if (directive.verb === "%") return "%";
  return argument === undefined ? `%!${directive.verb}(MISSING)` : print(directive, argument);
}

function extra(args: readonly PrintfArgument[]): string {
  return `%!(EXTRA ${args.map((argument) => `${typeName(argument)}=${plain(argument)}`).join(", ")})`;
}

function typeName(argument: PrintfArgument): string {
  switch (typeof argument) {
    case "bigint":
      return "int64";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    default:
      return "string";
  }
}

function plain(argument: PrintfArgument): string {
  return typeof argument === "number" ? formatFloat(argument) : String(argument);
}

function print(directive: Directive, argument: PrintfArgument): string {
  if (directive.verb === "T") return pad(directive, typeName(argument));
  const text = printKind(directive, argument);
  return text ?? `%!${directive.verb}(${typeName(argument)}=${plain(argument)})`;
}

function printKind(directive: Directive, argument: PrintfArgument): string | undefined {
  switch (typeof argument) {
    case "bigint":
      return printInteger(directive, argument);
    case "number":
      return printFloat(directive, argument);
    case "boolean":
      return "tv".includes(directive.verb) ? pad(directive, String(argument)) : undefined;
    default:
      return printText(directive, argument);
  }
}

const RADIXES: Readonly<Record<string, number>> = { b: 2, o: 8, O: 8, d: 10, v: 10, x: 16, X: 16 };
const MARKS: Readonly<Record<string, string>> = { b: "0b", o: "0", x: "0x", X: "0X" };

function printInteger(directive: Directive, value: bigint): string | undefined {
  const radix = RADIXES[directive.verb];
  if (radix === undefined) return printCharacter(directive, value);
  let digits = (value < 0n ? -value : value).toString(radix);
  if (directive.verb === "X") digits = digits.toUpperCase();
  if (directive.precision !== undefined) digits = digits.padStart(directive.precision, "0");
  const mark = markOf(directive);
  const sign = signOf(directive, value < 0n);
  if (directive.precision === undefined && has(directive, "0") && !has(directive, "-")) {
    // Go pads the digits to the width less the sign; a mark such as 0x comes on top.
    digits = digits.padStart(directive.width - sign.length, "0");
  }
  return pad(directive, sign + mark + digits);
}

function markOf(directive: Directive): string {
  if (directive.verb === "O") return "0o";
  return has(directive, "#") ? (MARKS[directive.verb] ?? "") : "";
}

function signOf(directive: Directive, isNegative: boolean): string {
  if (isNegative) return "-";
  if (has(directive, "+") && directive.verb !== "v") return "+";
  return has(directive, " ") ? " " : "";
}

function printCharacter(directive: Directive, value: bigint): string | undefined {
  const code = value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
  switch (directive.verb) {
    case "c":
      return pad(directive, String.fromCodePoint(code));
    case "q":
      return pad(directive, `'${quoteGo(String.fromCodePoint(code)).slice(1, -1).replace('\\"', '"')}'`);
    case "U":
      return pad(directive, `U+${BigInt.asUintN(64, value).toString(16).toUpperCase().padStart(4, "0")}`);
    default:
      return undefined;
  }
}

function printFloat(directive: Directive, value: number): string | undefined {
  const text = floatText(directive, value);
  if (text === undefined) return undefined;
  const signed = value >= 0 && !text.startsWith("-") ? signOf(directive, false) + text : text;
  if (!has(directive, "0") || has(directive, "-")) return pad(directive, signed);
  const sign = /^[-+ ]/.exec(signed)?.[0] ?? "";
  return sign + signed.slice(sign.length).padStart(directive.width - sign.length, "0");
}

function floatText({ verb, precision }: Directive, value: number): string | undefined {
  switch (verb) {
    case "f":
    case "F":
      return fixed(value, precision ?? 6);
    case "e":
      return exponential(value, precision ?? 6);
    case "E":
      return exponential(value, precision ?? 6).toUpperCase();
    case "g":
    case "v":
      return formatFloat(
        precision === undefined ? value : Number(value.toPrecision(Math.max(1, Math.min(precision, 100)))),
      );
    default:
      return undefined;
  }
}

function exponential(value: number, digits: number): string {
  return value.toExponential(Math.min(digits, 100)).replace(/e([+-])(\d)$/, "e$10$2");
}

/** toFixed changes to an exponent from 1e21; Go never does. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return formatFloat(value);
  if (Math.abs(value) < 1e21) return value.toFixed(Math.min(digits, 100));
  return `${BigInt(value)}${digits > 0 ? `.${"0".repeat(digits)}` : ""}`;
}

function printText(directive: Directive, value: string): string | undefined {
  const cut = directive.precision === undefined ? value : [...value].slice(0, directive.precision).join("");
  switch (directive.verb) {
    case "s":
    case "v":
      return pad(directive, cut);
    case "q":
      return pad(directive, quoteGo(cut));
    default:
      return undefined;
  }
}

function has(directive: Directive, flag: string): boolean {
  return directive.flags.includes(flag);
}

function pad(directive: Directive, text: string): string {
  const missing = directive.width - [...text].length;
  if (missing <= 0) return text;
  return has(directive, "-") ? text + " ".repeat(missing) : " ".repeat(missing) + text;
}
