/** Problems as people read them: where, what, the line itself, what to do. */

import { NOWHERE } from "../../core/model/index.js";
import type { Problem, Severity } from "../../core/std/problem.js";
import { excerptLines, gutter } from "./excerpt.js";
import { positionText } from "./position-text.js";
import type { Style } from "./style.js";

export interface ProblemStyle {
  readonly style: Style;
  readonly columns: number;
  /** A line of a file, counted from 1; undefined when the text is not at hand. */
  readonly lineOf: (file: string, line: number) => string | undefined;
  /** How a file is named to the reader: relative to the folder they are in. */
  readonly nameOf: (file: string) => string;
}

/** One problem: one line, then its excerpt and what to do. */
export function problemLines(problem: Problem, options: ProblemStyle): readonly string[] {
  const { style } = options;
  const { position } = problem;
  const where = position ? `${positionText(position, options.nameOf)}  ` : "";
  const [first = "", ...rest] = problem.message.split("\n");
  const label = severityPaint(style, problem.severity)(`${problem.severity}[${problem.code}]`);
  const head = `${style.paint.bold(where)}${label}  ${first}`;
  const more = rest.map((line) => gutter(style) + line);
  return [head, ...more, ...helpLines(problem, options)];
}

function helpLines(problem: Problem, options: ProblemStyle): readonly string[] {
  const { position, hint = "" } = problem;
  const beside = hint.startsWith("did you mean") && !hint.includes("\n");
  const text = position && options.lineOf(position.file, position.line);
  const excerpt =
    position === undefined || text === undefined || isBlank(text)
      ? []
      : excerptLines(
          { text, line: position.line, column: position.column, length: position.length ?? 1 },
          beside ? hint : "",
          options,
        );
  if (hint === "" || (beside && excerpt.length > 0)) return excerpt;
  return [...excerpt, ...hint.split("\n").map((line) => gutter(options.style) + line)];
}

/** An empty line, or one of control characters only: to show it says nothing. */
function isBlank(line: string): boolean {
  return line.replace(/[\x00-\x20\x7f-\xa0\uFFFD]/g, "") === "";
}

function severityPaint(style: Style, severity: Severity): (text: string) => string {
  if (severity === "error") return style.paint.red;
  return severity === "warning" ? style.paint.yellow : style.paint.cyan;
}

/** At most `max` of them, errors first, in the order of their places; then how many more there are. */
export function problemsText(problems: readonly Problem[], options: ProblemStyle, max = 50): string {
  const sorted = [...problems].sort((a, b) => rank(a.severity) - rank(b.severity));
  const lines = sorted.slice(0, max).flatMap((problem) => problemLines(problem, options));
  if (sorted.length > max) lines.push(`${options.style.glyphs.ellipsis} and ${sorted.length - max} more problems`);
  return `${lines.join("\n")}\n`;
}

/**
 * As a person goes through them: what has no place, then file by file as `files` were given, each from its first line
 * to its last, and what counts those left out; nothing twice.
 */
export function inOrder(problems: readonly Problem[], files: Iterable<string>): readonly Problem[] {
  const places = new Map([...files].map((file, index) => [file, index]));
  const placed = new Set(problems.filter(({ position }) => position !== undefined).map(textOf));
  const told = problems.filter((problem) => problem.position !== undefined || !placed.has(textOf(problem)));
  const once = new Map(told.map((problem) => [identity(problem), problem]));
  const rankOf = ({ position, path }: Problem): readonly [number, number, number] =>
    position === undefined
      ? [path === NOWHERE ? Number.MAX_SAFE_INTEGER : -1, 0, 0]
      : [places.get(position.file) ?? places.size, position.line, position.column];
  return [...once.values()]
    .map((problem) => ({ problem, rank: rankOf(problem) }))
    .sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(({ problem }) => problem);
}

function textOf({ severity, code, path, message }: Problem): string {
  return [severity, code, path, message].join("\n");
}

function identity(problem: Problem): string {
  const { position, ...rest } = problem;
  if (position === undefined) return textOf(rest);
  const { file, line, column } = position;
  return [file, line, column, problem.severity, problem.code, problem.message].join("\n");
}

function rank(severity: Severity): number {
  return { error: 0, warning: 1, notice: 2 }[severity];
}
