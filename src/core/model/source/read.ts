/** Reads YAML or JSON text into documents as Go's reader sees them; whatever is wrong with the text is a Problem. */

import yaml from "js-yaml";
import { isJsonList, isJsonObject, type Json } from "../../std/json.js";
import type { Position, Problem } from "../../std/problem.js";
import { ProblemList } from "../problem-list.js";
import { depthMax, faultOfTree, isSoundJson, type TreeFault, textLengthMax } from "./bounds.js";
import { type DocumentSource, documentOf, type SourceDocument } from "./document.js";
import { explainFaults, type ParserWord } from "./faults.js";
import { goSchema } from "./go-schema.js";
import { LineTable } from "./line-table.js";
import { PositionIndex } from "./position-index.js";
import { splitDocuments } from "./split.js";

export interface ReadResult {
  /** Also those beside a faulty one; a document whose only fault is a key that stands twice is here too. */
  readonly documents: readonly SourceDocument[];
  readonly problems: readonly Problem[];
}

/**
 * All documents of a file, `List` kinds taken apart. `file` is its name in positions. Never throws: syntax errors,
 * binary, emptiness, depth, size and alias bombs are Problems (codes `yaml-*`, `too-*`, `not-text`, `empty`,
 * `duplicate-field`).
 */
export function readDocuments(text: string, file: string): ReadResult {
  if (text.length > textLengthMax) return refused(file, "too-large", `larger than ${textLengthMax / 1024 / 1024} MB`);
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const lines = new LineTable(body, file);
  const binary = body.search(NOT_TEXT);
  if (binary !== -1) return { documents: [], problems: [notText(body, lines.position(binary, binary + 1))] };
  const documents: SourceDocument[] = [];
  const problems = new ProblemList();
  for (const chunk of splitDocuments(body)) {
    const index = lazyIndex(chunk.text);
    const outcome = readChunk({ ...chunk, file, lines, index, doubled: [] });
    problems.addAll(outcome.problems);
    if (outcome.value === undefined) continue;
    const doubled = outcome.problems.filter(({ code }) => code === "duplicate-field").map(({ path }) => path);
    const source = { ...chunk, file, lines, index, doubled };
    for (const document of expandLists(source, outcome.value)) documents.push(document);
  }
  const told = problems.toArray();
  if (documents.length === 0 && told.length === 0) return refused(file, "empty", "there is no document in it");
  return { documents, problems: told };
}

// Tab, line feed and carriage return are text; NUL, other controls, lone surrogates and U+FFFE are not, nor is U+FFFD,
// which stands for bytes that are not UTF-8.
const NOT_TEXT =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

function notText(body: string, position: Position): Problem {
  const base = { code: "not-text", severity: "error", path: "", position } as const;
  if (CONTROL.test(body)) return { ...base, message: "this is not text: it holds bytes that no YAML file has" };
  return { ...base, message: "this is not UTF-8", hint: "save the file in UTF-8" };
}

interface ChunkOutcome {
  readonly value?: Json;
  readonly problems: readonly Problem[];
}

function readChunk(source: DocumentSource): ChunkOutcome {
  const strict = load(source.text, STRICT);
  if (strict.ok) return checked(source, strict.value);
  if (strict.word.reason.includes("maxDepth")) return tooDeep(source);
  const problems = explainFaults(source, source.index(), strict.word);
  if (!problems.every((problem) => problem.code === "duplicate-field")) return { problems };
  const lenient = load(source.text, LENIENT);
  if (!lenient.ok) return { problems: explainFaults(source, source.index(), lenient.word) };
  const outcome = checked(source, lenient.value);
  return { ...outcome, problems: [...problems, ...outcome.problems] };
}

function checked(source: DocumentSource, value: unknown): ChunkOutcome {
  const fault = faultOfTree(value, source.text.length);
  if (isSoundJson(value, fault)) return { value, problems: [] };
  if (fault === "complex-key") {
    const problems = explainFaults(source, source.index(), undefined);
    if (problems.length > 0) return { problems };
  }
  return {
    problems: [{ ...TREE_FAULTS[fault ?? "not-json"], severity: "error", path: "", position: startOf(source) }],
  };
}

const TREE_FAULTS: Readonly<Record<TreeFault, { readonly code: Problem["code"]; readonly message: string }>> = {
  cycle: { code: "yaml-alias", message: "an alias stands inside the value that it repeats" },
  expansion: { code: "yaml-alias", message: "its aliases repeat values until it is too large to read" },
  "complex-key": { code: "yaml-syntax", message: "a key must be text, not a map or a list" },
  "not-json": { code: "yaml-syntax", message: "a value that JSON does not have" },
};

function tooDeep(source: DocumentSource): ChunkOutcome {
  const message = `nested deeper than ${depthMax} levels`;
  return { problems: [{ code: "too-deep", severity: "error", path: "", message, position: startOf(source) }] };
}

function startOf(source: DocumentSource): NonNullable<Problem["position"]> {
  const first = source.offset + Math.max(0, source.text.search(/\S/));
  return source.lines.position(first, first + 1);
}

const BOUNDS = { schema: goSchema, maxDepth: depthMax, maxTotalMergeKeys: 1_000_000 };
const STRICT: yaml.LoadOptions = BOUNDS;
/** Of two equal keys the last wins, as in Go without strictness. */
const LENIENT: yaml.LoadOptions = { ...BOUNDS, json: true };

type Loaded = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly word: ParserWord };

function load(text: string, options: yaml.LoadOptions): Loaded {
  try {
    return { ok: true, value: yaml.load(text, options) ?? null };
  } catch (error) {
    if (error instanceof yaml.YAMLException) {
      return { ok: false, word: { reason: error.reason, offset: error.mark?.position ?? 0 } };
    }
    return { ok: false, word: { reason: "this is not YAML", offset: 0 } };
  }
}

function lazyIndex(text: string): () => PositionIndex {
  let index: PositionIndex | undefined;
  return () => {
    index ??= new PositionIndex(text);
    return index;
  };
}

/** A `List` (or a bare list of objects, as `argo list -o json` prints) becomes its items. */
function expandLists(source: DocumentSource, value: Json): SourceDocument[] {
  if (isJsonList(value) && value.length > 0 && value.every(isJsonObject)) {
    return value.map((item, index) => documentOf(source, item, `[${index}]`));
  }
  if (isJsonObject(value) && typeof value["kind"] === "string" && value["kind"].endsWith("List")) {
    const items = value["items"];
    if (isJsonList(items)) return items.map((item, index) => documentOf(source, item, `items[${index}]`));
  }
  return [documentOf(source, value, "")];
}

function refused(file: string, code: Problem["code"], message: string): ReadResult {
  const problem: Problem = { code, severity: "error", path: "", message, position: { file, line: 1, column: 1 } };
  return { documents: [], problems: [problem] };
}
