/** Problems are data: what is wrong, where, and what to do about it. */

/** Where in a file, counted from 1; columns count UTF-16 code units. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many columns the fault spans, for the carets below the line; at least 1. */
  readonly length?: number;
}

export type Severity = "error" | "warning" | "notice";

/** The stable names users meet in `error[code]`; docs and golden files list the same. */
export type ProblemCode =
  // reading
  | "yaml-syntax"
  | "yaml-brace"
  | "yaml-alias"
  | "too-large"
  | "too-deep"
  | "not-text"
  | "empty"
  | "no-file"
  | "not-kind"
  // shape
  | "unknown-field"
  | "duplicate-field"
  | "wrong-type"
  | "missing-field"
  | "bad-value"
  | "conflict"
  // meaning
  | "no-template"
  | "no-entrypoint"
  | "no-parameter"
  | "duplicate-name"
  | "bad-name"
  | "cycle"
  | "bad-expression"
  | "unresolved"
  | "invalid"
  // this machine
  | "not-yet"
  | "ignored"
  | "missing"
  | "no-runtime"
  | "pull"
  | "no-artifact"
  | "unused";

export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** Path of the value as people write it: `spec.templates[0].steps[1][0].when`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
  /** What to do: "did you mean …", a line to add, a flag to give. */
  readonly hint?: string;
  readonly position?: Position;
  /** Argo's own text for the same fault, word for word, where Argo has one: what stands in a status message. */
  readonly argo?: string;
}
