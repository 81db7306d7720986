/** What is wrong with an expression, and where: printed as expr-lang does, with the line and a mark below it. */

/** `syntax` and `type` are found before anything runs. */
export type ExprErrorKind = "syntax" | "type" | "run";

export interface ExprError {
  readonly kind: ExprErrorKind;
  /** The fault alone. */
  readonly reason: string;
  /** Where in the expression, in UTF-16 units from its beginning. */
  readonly offset: number;
  /** The reason, the position and the line with a mark: what Argo shows. */
  readonly message: string;
}

/** A fault before it is bound to its source. */
export interface Fault {
  readonly kind: ExprErrorKind;
  readonly reason: string;
  readonly offset: number;
}

/** Carries a fault out of deep recursion inside this folder; never leaves it. */
export class FaultSignal extends Error {
  override readonly name = "FaultSignal";
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.reason);
    this.fault = fault;
  }
}

/** Columns count characters, from 1; there is no mark behind a character outside ASCII, as in Argo. */
export function bindFault(fault: Fault, source: string): ExprError {
  const before = source.slice(0, fault.offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  const column = [...before.slice(lineStart)].length;
  const lineEnd = source.indexOf("\n", lineStart);
  const text = source.slice(lineStart, lineEnd < 0 ? source.length : lineEnd).replaceAll("\t", " ");
  const snippet = text === "" && source === "" ? "" : `\n | ${text}${markOf(text, column)}`;
  return { ...fault, message: `${fault.reason} (${line}:${column + 1})${snippet}` };
}

function markOf(text: string, column: number): string {
  const upTo = [...text].slice(0, column + 1);
  return upTo.some((character) => character > "\u007f") ? "" : `\n | ${".".repeat(column)}^`;
}
