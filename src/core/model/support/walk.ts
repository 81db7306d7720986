/** Walks a value beside its rows and tells what is not obeyed. */

import { isJsonObject } from "../../std/json.js";
import { fieldPath, itemPath } from "../path.js";
import { ProblemList } from "../problem-list.js";
import { type EachRow, type FieldRows, type Row, type RuntimeName, resolveRow, type Support } from "./row.js";
import { templateRows } from "./template-rows.js";

export interface Place {
  readonly path: string;
  /** What the sentence is about: `template "notify"`, or the path of the spec; empty for the field alone. */
  readonly subject: string;
  /** The field's name from the subject on. */
  readonly name: string;
}

export class Walk {
  readonly problems = new ProblemList();
  readonly #runtime: RuntimeName | undefined;

  constructor(runtime: RuntimeName | undefined) {
    this.#runtime = runtime;
  }

  visit(row: Row, value: unknown, place: Place): void {
    if (saysNothing(value)) return;
    const current = resolveRow(row);
    if (current.kind === "verdict") this.#judge(current, place);
    else if (Array.isArray(value)) this.#visitItems(current, value, place);
    else if (isJsonObject(value)) this.#visitFields(current, value, place);
  }

  #visitItems(row: Row, items: readonly unknown[], place: Place): void {
    for (const [index, item] of items.entries()) this.visit(row, item, { ...place, path: itemPath(place.path, index) });
  }

  #visitFields(row: FieldRows | EachRow, value: Readonly<Record<string, unknown>>, outer: Place): void {
    const place = row === templateRows ? templatePlace(value, outer) : outer;
    for (const [key, item] of Object.entries(value)) {
      const below = rowBelow(row, key);
      if (below === undefined) continue;
      const name = place.name === "" ? key : `${place.name}.${key}`;
      this.visit(below, item, { path: fieldPath(place.path, key), subject: place.subject, name });
    }
  }

  #judge(support: Support, place: Place): void {
    if (support.level === "obeyed") return;
    if (this.#runtime !== undefined && support.obeyedBy.includes(this.#runtime)) return;
    const refused = support.level === "not-yet";
    const hint = refused ? (support.hint ?? stubHint(place)) : undefined;
    this.problems.add({
      code: refused ? "not-yet" : "ignored",
      severity: refused ? "error" : "notice",
      path: place.path,
      message: sentence(support, place),
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

function rowBelow(row: FieldRows | EachRow, key: string): Row | undefined {
  if (row.kind === "each") return row.row;
  return Object.hasOwn(row.fields, key) ? row.fields[key] : undefined;
}

/** A template is spoken of by its name; an inline one, which has none, by its path. */
function templatePlace(template: Readonly<Record<string, unknown>>, outer: Place): Place {
  const { name } = template;
  const named = typeof name === "string" && name !== "";
  return { path: outer.path, subject: named ? `template "${name}"` : outer.path, name: "" };
}

function sentence(support: Support, place: Place): string {
  const name = support.templateKind ? `kind ${place.name}` : place.name;
  if (place.subject === "") return `${name} ${support.text}`;
  if (place.subject.startsWith("template ")) return `${place.subject}: ${name} ${support.text}`;
  return support.templateKind
    ? `${place.subject}: ${name} ${support.text}`
    : `${place.subject}.${name} ${support.text}`;
}

function stubHint(place: Place): string | undefined {
  const match = /^template "(.+)"$/.exec(place.subject);
  return match === null ? undefined : `--stub ${match[1]}`;
}

/** `false`, `""` and empty collections ask for nothing; `0` does. */
function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
