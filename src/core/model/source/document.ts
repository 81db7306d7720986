/** One document of a file: its value, and where each part of it stands. */

import { isJsonObject, type Json } from "../../std/json.js";
import type { Position, Problem } from "../../std/problem.js";
import { parsePath } from "../path.js";
import { NOWHERE } from "../problem-list.js";
import type { LineTable } from "./line-table.js";
import type { PositionIndex, Span } from "./position-index.js";

/** In a longer document, places are worth their time for faults only. */
const writtenLengthMax = 256 * 1024;

export interface SourceDocument {
  readonly file: string;
  readonly value: Json;
  /** Empty when the document has none. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Whether YAML's tolerance holds (a number in a text field is text), or JSON's rigour. */
  readonly format: "yaml" | "json";
  /** Paths of the fields that stand twice: the value holds the last of each. */
  readonly doubled: readonly string[];
  /**
   * Where the value at `path` (`spec.templates[0].name`) stands: a scalar itself, the key of a map or list; the
   * nearest ancestor when there is no such value. Undefined in a document too large to index.
   */
  positionOf(path: string): Position | undefined;
  /** The scalar at `path` as it is written there. Undefined where there is none, by an alias, and in long documents. */
  writtenAt(path: string): string | undefined;
  /** Whether its part of the file has that line. */
  holdsLine(line: number): boolean;
  /** Where the key of `path` stands, for faults of the key itself. */
  keyPositionOf(path: string): Position | undefined;
}

/** What the documents of one chunk share. */
export interface DocumentSource {
  readonly file: string;
  readonly text: string;
  readonly offset: number;
  readonly lines: LineTable;
  readonly index: () => PositionIndex;
  /** Paths of the keys that stand twice in the chunk. */
  readonly doubled: readonly string[];
}

/** `base` is the path of the value in its chunk: empty, or `items[3]` in a list. */
export function documentOf(source: DocumentSource, value: Json, base: string): SourceDocument {
  const fields = isJsonObject(value) ? value : {};
  const metadata = isJsonObject(fields["metadata"]) ? fields["metadata"] : {};
  const prefix = parsePath(base);
  const find = (path: string): { key: Span | undefined; value: Span | undefined } =>
    source.index().find([...prefix, ...parsePath(path)]);
  const place = (span: Span | undefined): Position | undefined =>
    span === undefined ? undefined : source.lines.position(span.start + source.offset, span.end + source.offset);
  const lineAt = (offset: number): number => source.lines.position(source.offset + offset, source.offset + offset).line;
  return {
    file: source.file,
    value,
    apiVersion: textOf(fields["apiVersion"]),
    kind: textOf(fields["kind"]),
    name: textOf(metadata["name"]) || textOf(metadata["generateName"]),
    holdsLine: (line) => lineAt(0) <= line && line <= lineAt(Math.max(0, source.text.length - 1)),
    doubled: below(base, source.doubled),
    format: source.text.trimStart().startsWith("{") ? "json" : "yaml",
    writtenAt: (path) => {
      const span = source.text.length > writtenLengthMax ? undefined : find(path).value;
      const text = span === undefined ? "" : source.text.slice(span.start, span.end);
      return text === "" || text.startsWith("*") ? undefined : text;
    },
    positionOf: (path) => {
      const found = find(path);
      return place(found.value ?? found.key);
    },
    keyPositionOf: (path) => {
      const found = find(path);
      return place(found.key ?? found.value);
    },
  };
}

/** Those of `paths` that lie inside `base`, as seen from there. */
function below(base: string, paths: readonly string[]): readonly string[] {
  if (base === "") return paths;
  const inside = `${base}.`;
  return paths.filter((path) => path.startsWith(inside)).map((path) => path.slice(inside.length));
}

/** The same problems, each with its position in `document` where it had none, in the order of the file. */
export function locateProblems(problems: readonly Problem[], document: SourceDocument): Problem[] {
  const located = problems.map((problem) => {
    if (problem.position !== undefined || problem.path === NOWHERE) return problem;
    const ofKey = problem.code === "unknown-field" || problem.code === "not-yet" || problem.code === "ignored";
    const position = ofKey ? document.keyPositionOf(problem.path) : document.positionOf(problem.path);
    return position === undefined ? problem : { ...problem, position };
  });
  return located.sort((a, b) => comparePositions(a.position, b.position));
}

/** Those of no position come last. */
function comparePositions(a: Position | undefined, b: Position | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a.line - b.line || a.column - b.column;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
