/** Field selectors: `metadata.name=a,status.phase!=Running`, with `\\`, `\,` and `\=` as escapes. */

import { err, ok, type Result } from "../../core/std/result.js";

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** The requirements of `text`; an empty text has none. Which fields a type allows is the server's matter. */
export function parseFieldSelector(text: string): Result<readonly FieldRequirement[]> {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === "") continue;
    const requirement = readTerm(term);
    if (requirement === undefined) return err(`invalid selector: '${text}'; can't understand '${term}'`);
    const value = unescaped(requirement.value);
    if (!value.ok) return value;
    requirements.push({ ...requirement, value: value.value });
  }
  return ok(requirements);
}

function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let term = "";
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "\\") {
      term += text.slice(index, index + 2);
      index++;
    } else if (char === ",") {
      terms.push(term);
      term = "";
    } else {
      term += char;
    }
  }
  return [...terms, term];
}

function readTerm(term: string): FieldRequirement | undefined {
  const found = /^((?:\\.|[^\\=!])*)(!=|==|=)(.*)$/s.exec(term);
  if (found === null) return undefined;
  const [, field = "", operator, value = ""] = found;
  return { field, operator: operator === "!=" ? "!=" : "=", value };
}

function unescaped(text: string): Result<string> {
  let value = "";
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "=" || char === ",") return err(`invalid field selector: unescaped character in value: ${char}`);
    if (char !== "\\") {
      value += char;
      continue;
    }
    const escaped = text.charAt(++index);
    if (escaped !== "\\" && escaped !== "," && escaped !== "=") {
      return err(`invalid field selector: invalid escape sequence: \\${escaped}`);
    }
    value += escaped;
  }
  return ok(value);
}

/** Whether every requirement holds; `read` answers undefined for a field the object does not have (taken as ""). */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  read: (field: string) => string | undefined,
): boolean {
  return requirements.every(({ field, operator, value }) => ((read(field) ?? "") === value) === (operator === "="));
}

/** The text at a dotted path of plain objects (`status.phase`); undefined when there is no text, number or boolean. */
export function fieldValueOf(object: unknown, path: string): string | undefined {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
