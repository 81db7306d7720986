/** The form of the support table: what this machine makes of each field. */

/** How containers are started here. */
export type RuntimeName = "host" | "docker" | "podman" | "scripted";

/** `obeyed`; `notice`: read, and without meaning on one machine; `not-yet`: refused where a run would reach it. */
export type SupportLevel = "obeyed" | "notice" | "not-yet";

export interface Support {
  readonly kind: "verdict";
  readonly level: SupportLevel;
  /** What follows the field's name in a sentence; empty for `obeyed`. */
  readonly text: string;
  /** The verdict holds for all fields below; else it stands for one value. */
  readonly whole: boolean;
  /** Runtimes that obey the field after all. */
  readonly obeyedBy: readonly RuntimeName[];
  /** The field says what kind of work a template does. */
  readonly templateKind: boolean;
  /** What to do instead. */
  readonly hint?: string;
}

export interface FieldRows {
  readonly kind: "fields";
  readonly fields: Readonly<Record<string, Row>>;
}

/** A map from names that the user chooses to values of one kind. */
export interface EachRow {
  readonly kind: "each";
  readonly row: Row;
}

export type Row = Support | FieldRows | EachRow | (() => Row);

type KnownKeys<T> = keyof { readonly [K in keyof T as string extends K ? never : K]: T[K] };

/** A row for each field of `T`; one that is missing or too many does not compile. */
export type Rows<T> = { readonly [K in KnownKeys<T>]-?: Row };

export function fields<T>(rows: Rows<T>): FieldRows {
  return { kind: "fields", fields: rows };
}

/** Rows of a part that our types carry as JSON; the table's test compares them with its schema. */
export function partFields(rows: Readonly<Record<string, Row>>): FieldRows {
  return { kind: "fields", fields: rows };
}

export function each(row: Row): EachRow {
  return { kind: "each", row };
}

const BASE = { kind: "verdict", text: "", whole: true, obeyedBy: [], templateKind: false } as const;

/** One value that is obeyed. */
export const obeyed: Support = { ...BASE, level: "obeyed", whole: false };
/** Obeyed with all that is below it. */
export const obeyedWhole: Support = { ...BASE, level: "obeyed" };

export function notice(text: string, obeyedBy: readonly RuntimeName[] = []): Support {
  return { ...BASE, level: "notice", text, obeyedBy };
}

export function notYet(text = "is not built yet", hint?: string): Support {
  return { ...BASE, level: "not-yet", text, ...(hint === undefined ? {} : { hint }) };
}

export const kindNotYet: Support = { ...BASE, level: "not-yet", text: "is not built yet", templateKind: true };

export function resolveRow(row: Row): Exclude<Row, () => Row> {
  let current = row;
  while (typeof current === "function") current = current();
  return current;
}
