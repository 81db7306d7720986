/** Where each value of one YAML document stands in its file. Slow, so made only when a problem is told. */

import * as yaml from "yaml";
import { joinPath, type PathSegment } from "../path.js";
import { depthMax } from "./bounds.js";
import { goNumber, goWord } from "./go-scalars.js";

/** Above this length the slow parser would take seconds: problems then carry no position of values. */
const slowLengthMax = 2 * 1024 * 1024;
/** What the slow parser takes for brackets that are never closed grows with the cube of their number. */
const bracketsMax = 100;

export interface Span {
  /** Offsets in the document's text. */
  readonly start: number;
  readonly end: number;
}

export interface SyntaxFault extends Span {
  readonly code: string;
}

export interface KeyFault extends Span {
  readonly kind: "duplicate" | "complex";
  readonly path: string;
}

/** One document as the position-keeping parser sees it. */
export class PositionIndex {
  readonly #text: string;
  readonly #document: yaml.Document.Parsed | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#document = parse(text);
  }

  /**
   * Where the text breaks YAML's grammar, in order. What is never closed is told where it opens (`OPEN_QUOTE`,
   * `OPEN_BRACKET`): the parser notices it only at the next line, or at the end of the file.
   */
  syntaxFaults(): SyntaxFault[] {
    const errors = this.#document?.errors ?? [];
    return errors.map((error) => this.#opened(error) ?? this.#placed(error));
  }

  /** A line that is indented wrong is told where its text begins. */
  #placed({ code, message, pos: [start, end] }: yaml.YAMLError): SyntaxFault {
    // What stands where an item is due: nearly always a key that was meant for the item above.
    const isIndent = code === "BAD_INDENT" || message === "Sequence item without - indicator";
    if (!isIndent) return { code, start, end };
    const blanks = /^ */.exec(this.#text.slice(start, start + 1000))?.[0].length ?? 0;
    return { code: "BAD_INDENT", start: start + blanks, end: Math.max(end, start + blanks + 1) };
  }

  #opened({ message }: yaml.YAMLError): SyntaxFault | undefined {
    const isQuote = message.startsWith("Missing closing ");
    if (!isQuote && !/^Flow .* must be sufficiently indented and end with/.test(message)) return undefined;
    const node = lastNode(this.#document?.contents, isQuote ? isQuoted : isUnclosed(this.#text));
    if (node === undefined) return undefined;
    return { code: isQuote ? "OPEN_QUOTE" : "OPEN_BRACKET", start: node, end: node + 1 };
  }

  /** Keys that stand twice in one map, and keys that are no scalars. */
  keyFaults(): KeyFault[] {
    const faults: KeyFault[] = [];
    if (this.#document !== undefined) collectKeyFaults(this.#document.contents, [], faults);
    return faults;
  }

  /** The key and the value at `path`; the nearest ancestor's when there is none. */
  find(path: readonly PathSegment[]): { readonly key: Span | undefined; readonly value: Span | undefined } {
    let node = this.#resolve(this.#document?.contents);
    let found: { key: Span | undefined; value: Span | undefined } = { key: undefined, value: spanOf(node) };
    for (const segment of path) {
      const step = this.#step(node, segment);
      if (step === undefined) return { key: found.key, value: found.key === undefined ? found.value : undefined };
      found = {
        key: spanOf(step.key),
        value: scalarSpan(step.value) ?? (step.key === undefined ? spanOf(step.value) : undefined),
      };
      node = this.#resolve(step.value);
    }
    return found;
  }

  #step(node: unknown, segment: PathSegment): { readonly key?: unknown; readonly value: unknown } | undefined {
    if (yaml.isSeq(node)) {
      const item: unknown = typeof segment === "number" ? node.items[segment] : undefined;
      return item === undefined ? undefined : { value: item };
    }
    return yaml.isMap(node) ? this.#pair(node, String(segment)) : undefined;
  }

  /** The last pair of that key (it wins), else one that a merge key brings in. */
  #pair(map: yaml.YAMLMap, key: string): { readonly key: unknown; readonly value: unknown } | undefined {
    const own = map.items.findLast((pair) => keyText(pair.key) === key);
    if (own !== undefined) return own;
    for (const pair of map.items) {
      if (keyText(pair.key) !== "<<") continue;
      const merged = this.#resolve(pair.value);
      const sources = yaml.isSeq(merged) ? merged.items.map((item) => this.#resolve(item)) : [merged];
      for (const source of sources) {
        const inherited = yaml.isMap(source) && source !== map ? this.#pair(source, key) : undefined;
        if (inherited !== undefined) return inherited;
      }
    }
    return undefined;
  }

  #resolve(node: unknown): unknown {
    return yaml.isAlias(node) && this.#document !== undefined ? node.resolve(this.#document) : node;
  }
}

function parse(text: string): yaml.Document.Parsed | undefined {
  if (text.length > slowLengthMax || nestsBrackets(text, bracketsMax)) return undefined;
  try {
    return yaml.parseDocument(text, {
      schema: "failsafe",
      uniqueKeys: false,
      strict: false,
      prettyErrors: false,
      logLevel: "silent",
    });
  } catch {
    // The parser recurses: a text that is deep before its first fault ends here, and is told without positions.
    return undefined;
  }
}

/** Counted without regard to quotes, which costs no more than positions. */
function nestsBrackets(text: string, max: number): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > max) return true;
    depth = Math.max(0, depth);
  }
  return false;
}

/** Where the last node that `wanted` holds for begins. */
function lastNode(root: unknown, wanted: (node: yaml.Node) => boolean): number | undefined {
  let last: number | undefined;
  if (yaml.isNode(root)) {
    yaml.visit(root, {
      Node: (_, node) => {
        if (wanted(node)) last = node.range?.[0];
      },
    });
  }
  return last;
}

function isQuoted(node: yaml.Node): boolean {
  return yaml.isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE");
}

/** Of the text that a collection in brackets spans, the last character is not its bracket. */
function isUnclosed(text: string): (node: yaml.Node) => boolean {
  return (node) => {
    if (!yaml.isCollection(node) || node.flow !== true || !node.range) return false;
    const [start, end] = node.range;
    return text[end - 1] !== (text[start] === "[" ? "]" : "}");
  };
}

/** The text of a key as Go makes it: `on` is "true", `0777` is "511". Undefined for a key that is a collection. */
function keyText(key: unknown): string | undefined {
  if (!yaml.isScalar(key)) return undefined;
  const text = String(key.value ?? "");
  if (key.type !== "PLAIN") return text;
  return String(goWord(text) ?? goNumber(text) ?? text);
}

function collectKeyFaults(node: unknown, path: readonly PathSegment[], faults: KeyFault[]): void {
  if (path.length > depthMax) return;
  if (yaml.isSeq(node)) {
    for (const [index, item] of node.items.entries()) collectKeyFaults(item, [...path, index], faults);
  }
  if (!yaml.isMap(node)) return;
  const seen = new Set<string>();
  for (const pair of node.items) {
    const key = keyText(pair.key);
    const fault = keyFaultOf(key, seen, path);
    const span = spanOf(pair.key);
    if (fault !== undefined && span !== undefined) faults.push({ ...fault, ...span });
    if (key === undefined) continue;
    seen.add(key);
    collectKeyFaults(pair.value, [...path, key], faults);
  }
}

function keyFaultOf(
  key: string | undefined,
  seen: ReadonlySet<string>,
  path: readonly PathSegment[],
): Omit<KeyFault, keyof Span> | undefined {
  if (key === undefined) return { kind: "complex", path: joinPath(path) };
  // Several merges in one map are one after the other, not one in the other's place.
  return seen.has(key) && key !== "<<" ? { kind: "duplicate", path: joinPath([...path, key]) } : undefined;
}

function spanOf(node: unknown): Span | undefined {
  if (!yaml.isNode(node) || node.range === undefined || node.range === null) return undefined;
  return { start: node.range[0], end: Math.max(node.range[1], node.range[0] + 1) };
}

/** A scalar that takes room on the page: an empty value has none. */
function scalarSpan(node: unknown): Span | undefined {
  if (yaml.isAlias(node)) return spanOf(node);
  if (!yaml.isScalar(node) || node.range === undefined || node.range === null) return undefined;
  return node.range[1] > node.range[0] ? { start: node.range[0], end: node.range[1] } : undefined;
}
