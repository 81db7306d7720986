/** Says in plain words what is wrong with a YAML text, and what to write instead. */

import type { Problem } from "../../std/problem.js";
import type { LineTable } from "./line-table.js";
import type { PositionIndex, Span } from "./position-index.js";

/** What the fast parser says, when the slow one sees nothing wrong. */
export interface ParserWord {
  readonly reason: string;
  /** Offset in the chunk's text. */
  readonly offset: number;
}

export interface FaultScene {
  readonly text: string;
  readonly offset: number;
  readonly lines: LineTable;
}

/** The faults of a document that could not be read as written; empty when `index` finds none. */
export function explainFaults(scene: FaultScene, index: PositionIndex, word: ParserWord | undefined): Problem[] {
  const braces = braceProblems(scene);
  if (braces.some(isOfHelm)) return braces;
  const keys = index.keyFaults();
  const complex = keys.filter((fault) => fault.kind === "complex" && !onBraceLine(scene, fault, braces));
  const duplicates = keys.filter((fault) => fault.kind === "duplicate");
  const problems = [
    ...braces,
    ...complex.map((fault) => ({
      ...problemAt(scene, fault, "yaml-syntax", "a key must be text, not a map or a list"),
      path: fault.path,
    })),
    ...duplicates.map((fault) => ({
      ...problemAt(scene, fault, "duplicate-field", `${fault.path}: stands twice in this map`),
      path: fault.path,
    })),
  ];
  const syntax = syntaxProblem(scene, index, word, problems.length > 0);
  if (syntax === undefined || isEchoOf(braces, syntax)) return problems;
  const ofSyntax = syntax.position?.line;
  return [syntax, ...problems.filter(({ code, position }) => code !== "yaml-syntax" || position?.line !== ofSyntax)];
}

/** A brace breaks the grammar at its own line, or where the next one begins. */
function isEchoOf(braces: readonly Problem[], syntax: Problem): boolean {
  const line = syntax.position?.line ?? 0;
  return braces.some(
    ({ position }) => position !== undefined && (position.line === line || position.line + 1 === line),
  );
}

/** The first break of the grammar; those behind it are mostly its echo. */
function syntaxProblem(
  scene: FaultScene,
  index: PositionIndex,
  word: ParserWord | undefined,
  explained: boolean,
): Problem | undefined {
  const first = index.syntaxFaults()[0];
  if (first !== undefined) {
    const known = SYNTAX[first.code];
    const message = known?.message ?? word?.reason ?? "this is not YAML";
    return {
      ...problemAt(scene, first, "yaml-syntax", message),
      ...hintAt(scene, first, known?.hint),
    };
  }
  if (word === undefined || explained) return undefined;
  const alias = /^unidentified alias "(.*)"$/s.exec(word.reason)?.[1];
  if (alias !== undefined) return aliasProblem(scene, alias, word.offset);
  return problemAt(scene, { start: word.offset, end: word.offset + 1 }, "yaml-syntax", word.reason);
}

/** The parser stands behind it when it finds that nothing has that name. */
function aliasProblem(scene: FaultScene, alias: string, offset: number): Problem {
  const start = Math.max(0, scene.text.lastIndexOf(`*${alias}`, offset));
  const span = { start, end: start + alias.length + 1 };
  const message = `*${alias} repeats what is marked &${alias}, and nothing before it is`;
  return { ...problemAt(scene, span, "yaml-alias", message), hint: "quote it if it is text" };
}

/** Where punctuation is the fault, quotes are no remedy. */
function hintAt({ text }: FaultScene, { start }: Span, hint: string | undefined): { readonly hint?: string } {
  return hint === undefined || /[,\]}]/.test(text.charAt(start)) ? {} : { hint };
}

const SYNTAX: Readonly<Record<string, { readonly message: string; readonly hint?: string } | undefined>> = {
  TAB_AS_INDENT: { message: "a tab indents this line", hint: "YAML takes spaces only" },
  BAD_INDENT: { message: "this line is not indented as what it belongs to", hint: "line it up with its neighbours" },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "a second `key:` on one line, or a line indented below a plain value",
    hint: "quote a value that holds `: `, or line the key up with its neighbours",
  },
  OPEN_QUOTE: { message: "the quote that begins here is never closed" },
  OPEN_BRACKET: { message: "the bracket that opens here is never closed" },
  MISSING_CHAR: { message: "a quote, bracket or comma is missing here" },
  MULTILINE_IMPLICIT_KEY: { message: "a key must stand on one line", hint: "is a `:` missing, or a quote not closed?" },
  UNEXPECTED_TOKEN: { message: "text that does not belong here", hint: "quote the whole value" },
  BAD_ALIAS: { message: "a value that begins with * is an alias in YAML", hint: "quote it if it is text" },
  BAD_SCALAR_START: { message: "a plain value cannot begin with this character", hint: "quote the value" },
  BAD_DQ_ESCAPE: {
    message: "not an escape that YAML knows in double quotes",
    hint: "use single quotes, or write \\\\ for a backslash",
  },
  IMPOSSIBLE: { message: "this is not YAML" },
};

/** `key: {{x}}`, `- {{x}}`, `[{{x}}, …]`: where a flow map would begin and a variable was meant. */
const BRACE_LINE =
  /^(?<lead>[ \t]*(?:-[ \t]+)*(?:(?:"[^"\n]*"|'[^'\n]*'|[^\s#'"{[&*!|>%@`][^\n#]*?)[ \t]*:[ \t]+)?)(?<value>\{\{[^\n]*?)[ \t]*\r?$/gm;
const BRACE_IN_LIST = /^(?<lead>[^\n#'"]*?:[ \t]+\[(?:[^\n#'"\]]*,)?[ \t]*)(?<value>\{\{[^\n]*?\}\}[^\n,\]]*)/gm;

function braceProblems(scene: FaultScene): Problem[] {
  const problems: Problem[] = [];
  const literals = blockScalarLines(scene.text);
  for (const pattern of [BRACE_LINE, BRACE_IN_LIST]) {
    for (const match of scene.text.matchAll(pattern)) {
      const lead = match.groups?.["lead"] ?? "";
      const value = match.groups?.["value"] ?? "";
      if (literals.has(match.index)) continue;
      const start = match.index + lead.length;
      if (HELM.test(value)) {
        const span = { start, end: start + value.length };
        return [{ ...problemAt(scene, span, "yaml-brace", "this is a Helm template, not YAML yet"), hint: HELM_HINT }];
      }
      problems.push({
        ...problemAt(
          scene,
          { start, end: start + value.length },
          "yaml-brace",
          "a value that begins with {{ is a map in YAML",
        ),
        hint: `write: ${hintLead(lead)}${quoted(value)}`,
      });
    }
  }
  return problems;
}

/** What Go's templates write and Argo's variables never do. */
const HELM = /^\{\{-?[ \t]*(?:\.|\$|(?:if|else|end|range|with|include|template|define|toYaml|block)\b)/;
const HELM_HINT = "render it first: helm template CHART | tiphys run -";

/** A template that Helm has not rendered yet. */
export function isOfHelm({ hint }: Problem): boolean {
  return hint === HELM_HINT;
}

/** In a list the line would be half a list: only the item is shown. */
function hintLead(lead: string): string {
  return lead.includes("[") ? "" : lead.trimStart();
}

function quoted(value: string): string {
  const text = value.replace(/[ \t]+#.*$/, "").trimEnd();
  return text.includes('"') ? `'${text.replaceAll("'", "''")}'` : `"${text.replaceAll("\\", "\\\\")}"`;
}

/** Offsets of the lines inside literal and folded blocks, where braces are only text. */
function blockScalarLines(text: string): ReadonlySet<number> {
  const inside = new Set<number>();
  let offset = 0;
  let blockIndent: number | undefined;
  for (const line of text.split("\n")) {
    const indent = line.search(/[^ ]/);
    if (blockIndent !== undefined && indent !== -1 && line.trim() !== "" && indent <= blockIndent)
      blockIndent = undefined;
    if (blockIndent !== undefined) inside.add(offset);
    else if (/(?:^|[ \t])[|>][-+0-9]*[ \t]*(?:#.*)?\r?$/.test(line)) blockIndent = Math.max(indent, 0);
    offset += line.length + 1;
  }
  return inside;
}

function onBraceLine(scene: FaultScene, span: Span, braces: readonly Problem[]): boolean {
  const line = scene.lines.position(span.start + scene.offset, span.end + scene.offset).line;
  return braces.some((brace) => brace.position?.line === line);
}

function problemAt(scene: FaultScene, span: Span, code: Problem["code"], message: string): Problem {
  const position = scene.lines.position(span.start + scene.offset, span.end + scene.offset);
  return { code, severity: "error", path: "", message, position };
}
