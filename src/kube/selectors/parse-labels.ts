/** Reads the text form of a label selector: `a=b,c!=d,e in (f,g),h,!i,n>3`; faults as the API server words them. */

import { err, ok, type Result } from "../../core/std/result.js";
import { type LabelOperator, type LabelRequirement, newRequirement } from "./labels.js";
import { labelKeyFault } from "./syntax.js";

interface Token {
  readonly kind: "identifier" | "symbol" | "end";
  readonly text: string;
}

const end: Token = { kind: "end", text: "" };
const symbols: readonly string[] = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];

const operatorOf: Readonly<Record<string, LabelOperator>> = {
  in: "In",
  notin: "NotIn",
  "=": "In",
  "==": "In",
  "!=": "NotIn",
  ">": "Gt",
  "<": "Lt",
};

/** The requirements of `text`; an empty text has none and so matches everything. */
export function parseLabelSelector(text: string): Result<readonly LabelRequirement[]> {
  const reader = new Reader(tokenize(text));
  const requirements: LabelRequirement[] = [];
  if (reader.peek().kind === "end") return ok(requirements);
  for (;;) {
    const first = reader.peek();
    if (!startsRequirement(first)) {
      return err(
        requirements.length > 0
          ? `found '${first.text}', expected: identifier after ','`
          : `found '${first.text}', expected: !, identifier, or 'end of string'`,
      );
    }
    const requirement = readRequirement(reader);
    if (!requirement.ok) return err(`unable to parse requirement: ${requirement.error}`);
    requirements.push(requirement.value);
    const separator = reader.next();
    if (separator.kind === "end") return ok(requirements);
    if (separator.text !== ",") return err(`found '${separator.text}', expected: ',' or 'end of string'`);
  }
}

function startsRequirement(token: Token): boolean {
  return token.kind === "identifier" || token.text === "!";
}

class Reader {
  #index = 0;

  constructor(readonly tokens: readonly Token[]) {}

  peek(): Token {
    return this.tokens[this.#index] ?? end;
  }

  next(): Token {
    const token = this.peek();
    this.#index++;
    return token;
  }
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < text.length) {
    const symbol = symbols.find((candidate) => text.startsWith(candidate, index));
    if (symbol !== undefined) {
      tokens.push({ kind: "symbol", text: symbol });
      index += symbol.length;
    } else if (/\s/.test(text.charAt(index))) {
      index++;
    } else {
      const start = index;
      while (index < text.length && !/[\s=!(),<>]/.test(text.charAt(index))) index++;
      tokens.push({ kind: "identifier", text: text.slice(start, index) });
    }
  }
  return tokens;
}

function readRequirement(reader: Reader): Result<LabelRequirement> {
  const isNegated = reader.peek().text === "!";
  if (isNegated) reader.next();
  const key = reader.next();
  if (key.kind !== "identifier") return err(`found '${key.text}', expected: identifier`);
  const fault = labelKeyFault(key.text);
  if (fault !== undefined) return err(`key: Invalid value: ${JSON.stringify(key.text)}: ${fault}`);
  return isNegated ? newRequirement(key.text, "DoesNotExist", []) : readComparison(reader, key.text);
}

/** What follows the key; nothing: the key has to be there. */
function readComparison(reader: Reader, key: string): Result<LabelRequirement> {
  const following = reader.peek();
  if (following.kind === "end" || following.text === ",") return newRequirement(key, "Exists", []);
  reader.next();
  const operator = Object.hasOwn(operatorOf, following.text) ? operatorOf[following.text] : undefined;
  if (operator === undefined) return err(`found '${following.text}', expected: in, notin, =, ==, !=, gt, lt`);
  const values = following.kind === "identifier" ? readValues(reader) : readExactValue(reader);
  return values.ok ? newRequirement(key, operator, values.value) : values;
}

/** `a=` and `a=,b` ask for the empty value. */
function readExactValue(reader: Reader): Result<readonly string[]> {
  const token = reader.peek();
  if (token.kind === "end" || token.text === ",") return ok([""]);
  reader.next();
  return token.kind === "identifier" ? ok([token.text]) : err(`found '${token.text}', expected: identifier`);
}

/** `(a,b)`; an empty place between commas is the empty value. */
function readValues(reader: Reader): Result<readonly string[]> {
  const open = reader.next();
  if (open.text !== "(") return err(`found '${open.text}' expected: '('`);
  if (reader.peek().text === ")") {
    reader.next();
    return ok([]);
  }
  const values = new Set<string>();
  for (;;) {
    values.add(reader.peek().kind === "identifier" ? reader.next().text : "");
    const separator = reader.next();
    if (separator.text === ")") return ok([...values].sort());
    if (separator.text !== ",") return err(`found '${separator.text}', expected: ',' or ')'`);
  }
}
