/** Semantic versions and their constraints, as sprig's `semver` and `semverCompare` know them. */

import { type ExprFunction, type ExprKey, type ExprValue, ValueFault } from "../values/value.js";
import { define, type SprigRow } from "./define.js";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: string;
  readonly metadata: string;
  readonly original: string;
}

const VERSION = /^v?(\d{1,18})(?:\.(\d{1,18}))?(?:\.(\d{1,18}))?(?:-([\w.-]+))?(?:\+([\w.-]+))?$/;

function parseVersion(text: string): Version {
  const match = VERSION.exec(text);
  if (match === null) throw new ValueFault("invalid semantic version");
  const [, major = "0", minor = "0", patch = "0", prerelease = "", metadata = ""] = match;
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], prerelease, metadata, original: text };
}

function compareVersions(left: Version, right: Version): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

/** None is greater than any; parts compare as numbers where both are. */
function comparePrereleases(left: string, right: string): number {
  if (left === right) return 0;
  if (left === "" || right === "") return left === "" ? 1 : -1;
  const a = left.split(".");
  const b = right.split(".");
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = comparePart(a[index], b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

/** A part that is not there is less than any. */
function comparePart(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined);
  return left === right ? 0 : compareNamed(left, right);
}

function compareNamed(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (leftIsNumber && rightIsNumber) return BigInt(left) < BigInt(right) ? -1 : 1;
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return left < right ? -1 : 1;
}

/** A version with open ends, such as `1.2.x`. */
interface Bound {
  readonly version: Version;
  /** How many of the three numbers were given. */
  readonly given: number;
}

const CONSTRAINT = /^(=|==|!=|>|<|>=|=>|<=|=<|~|~>|\^|)\s*(v?[\dxX*][\w.*+-]*)$/;

const MAX_CONSTRAINT_LENGTH = 1_000;

/** `||` of comma or space separated parts, with ranges `1.2 - 2.0`. */
function satisfies(constraint: string, version: Version): boolean {
  if (constraint.length > MAX_CONSTRAINT_LENGTH) throw new ValueFault("improper constraint: too long");
  return constraint.split("||").some((alternative) => {
    const ranges = alternative.replace(/(\S+)\s+-\s+(\S+)/g, ">=$1 <=$2").trim();
    const parts = ranges.match(/(?:[=!<>~^]+\s*)?[^\s,]+/g) ?? [];
    return parts.every((part) => satisfiesPart(part, version));
  });
}

function satisfiesPart(part: string, version: Version): boolean {
  const match = CONSTRAINT.exec(part);
  if (match === null) throw new ValueFault(`improper constraint: ${part}`);
  const bound = boundOf(match[2] ?? "");
  // A prerelease satisfies only what names a prerelease itself.
  if (version.prerelease !== "" && bound.version.prerelease === "") return false;
  return holds(match[1] ?? "", bound, version);
}

function boundOf(text: string): Bound {
  const [core = ""] = text.replace(/^v/, "").split(/[-+]/, 1);
  const numbers = core.split(".");
  const open = numbers.findIndex((number) => /^[xX*]$/.test(number));
  const given = open < 0 ? numbers.length : open;
  const filled = open < 0 ? text : `${numbers.slice(0, open).join(".") || "0"}`;
  return { version: parseVersion(filled), given };
}

function holds(operator: string, bound: Bound, version: Version): boolean {
  const order = compareVersions(version, bound.version);
  const isWithin = sharesNumbers(bound, version, bound.given);
  const isOpen = bound.given < 3;
  const equal = isOpen ? isWithin : order === 0;
  const rules: Readonly<Record<string, boolean>> = {
    "": equal,
    "=": equal,
    "!=": !equal,
    ">": order > 0 && !(isOpen && isWithin),
    "<": order < 0,
    ">=": order >= 0,
    "<=": order <= 0 || (isOpen && isWithin),
    "^": order >= 0 && sharesNumbers(bound, version, caretLength(bound)),
    "~": order >= 0 && sharesNumbers(bound, version, Math.min(2, bound.given)),
  };
  return rules[SAME_AS[operator] ?? operator] ?? false;
}

/** Other ways to write an operator. */
const SAME_AS: Readonly<Record<string, string>> = { "==": "=", "=>": ">=", "=<": "<=", "~>": "~" };

function sharesNumbers(bound: Bound, version: Version, count: number): boolean {
  return bound.version.numbers.slice(0, count).every((number, index) => number === version.numbers[index]);
}

/** Up to the first number that is not zero. */
function caretLength({ version, given }: Bound): number {
  const first = version.numbers.findIndex((number) => number !== 0n);
  return first < 0 ? Math.min(given, 3) : Math.min(first + 1, Math.max(given, 1));
}

export const semverRows: readonly SprigRow[] = [
  define("semver", ["string"], ([text]) => versionValue(parseVersion(text))),
  define("semverCompare", ["string", "string"], ([constraint, text]) => satisfies(constraint, parseVersion(text))),
];

/** In Go these are methods: `sprig.semver('1.2.3').Major()`. */
function versionValue(version: Version): ExprValue {
  const [major, minor, patch] = version.numbers;
  const entries: readonly (readonly [string, ExprValue])[] = [
    ["Major", major],
    ["Minor", minor],
    ["Patch", patch],
    ["Prerelease", version.prerelease],
    ["Metadata", version.metadata],
    ["Original", version.original],
    ["String", textOf(version)],
  ];
  return new Map<ExprKey, ExprValue>(entries.map(([name, value]) => [name, constant(name, value)]));
}

function textOf({ numbers, prerelease, metadata }: Version): string {
  return numbers.join(".") + (prerelease && `-${prerelease}`) + (metadata && `+${metadata}`);
}

function constant(name: string, value: ExprValue): ExprFunction {
  return { kind: "function", name, call: () => value };
}
