/** The tags in a value's texts in the order in which Argo meets them, tags inside tags taken apart. */

import { fieldPath, itemPath } from "../model/path.js";
import { compareUtf8 } from "../std/order.js";

export interface FoundTag {
  readonly kind: "simple" | "expression";
  /** What stands between the braces, up to the first `}}`: what Argo's messages show. Without the `=`. */
  readonly text: string;
  readonly path: string;
  /** Of a tag with others inside: those, and its whole name with them in it. */
  readonly nested?: { readonly inner: readonly string[]; readonly whole: string };
}

/** Argo goes through its fields in the order of its own declaration. */
const ORDER: ReadonlyMap<string, number> = new Map(
  [
    "name",
    "template",
    "inline",
    "arguments",
    "templateRef",
    "withItems",
    "withParam",
    "withSequence",
    "when",
    "continueOn",
    "onExit",
    "depends",
    "hooks",
    "inputs",
    "outputs",
    "nodeSelector",
    "affinity",
    "metadata",
    "daemon",
    "steps",
    "container",
    "containerSet",
    "script",
    "resource",
    "dag",
    "suspend",
    "data",
    "http",
    "plugin",
    "volumes",
    "initContainers",
    "sidecars",
    "archiveLocation",
    "activeDeadlineSeconds",
    "retryStrategy",
  ].map((name, index) => [name, index]),
);

/** Of a template, a step or a task. */
export function tagsInDeclared(value: object, path: string): FoundTag[] {
  if (!holdsTags(value)) return [];
  const entries = Object.entries(value).sort(([a], [b]) => (ORDER.get(a) ?? ORDER.size) - (ORDER.get(b) ?? ORDER.size));
  return entries.flatMap(([key, one]) => tagsIn(one, fieldPath(path, key)));
}

/** Of any value; names of fields may hold tags too. */
export function tagsIn(value: unknown, path: string): FoundTag[] {
  const found: FoundTag[] = [];
  if (holdsTags(value)) collect(value, path, found);
  return found;
}

/** Most values hold none: then no path to any place in them is worked out. */
function holdsTags(value: unknown): boolean {
  if (typeof value === "string") return value.includes("{{");
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value)
    ? value.some(holdsTags)
    : Object.keys(value).some((key) => key.includes("{{") || holdsTags(Reflect.get(value, key)));
}

function collect(value: unknown, path: string, found: FoundTag[]): void {
  if (typeof value === "string") {
    if (value.includes("{{")) collectText(value, path, found);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, itemPath(path, index), found);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const below = fieldPath(path, key);
      if (key.includes("{{")) collectText(key, below, found);
      collect(item, below, found);
    }
  }
}

function collectText(text: string, path: string, found: FoundTag[]): void {
  let from = 0;
  for (;;) {
    const open = text.indexOf("{{", from);
    const close = open < 0 ? -1 : text.indexOf("}}", open + 2);
    if (close < 0) return;
    const inside = text.slice(open + 2, close);
    if (inside.startsWith("=")) {
      found.push({ kind: "expression", text: inside.slice(1), path });
      from = close + 2;
    } else if (inside.includes("{{")) {
      const end = endOfNested(text, open);
      found.push({ kind: "simple", text: inside, path, nested: nestedTag(text.slice(open + 2, end)) });
      from = end + 2;
    } else {
      found.push({ kind: "simple", text: inside, path });
      from = close + 2;
    }
  }
}

/** Where the `}}` stands that belongs to the `{{` at `open`; of an unfinished tag, the last there is. */
function endOfNested(text: string, open: number): number {
  let depth = 1;
  let last = open;
  for (let at = open + 2; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2);
    if (pair !== "{{" && pair !== "}}") continue;
    depth += pair === "{{" ? 1 : -1;
    if (pair === "}}") last = at;
    if (depth === 0) return at;
    at++;
  }
  return last;
}

function nestedTag(whole: string): { readonly inner: readonly string[]; readonly whole: string } {
  const inner = [...whole.matchAll(/\{\{([^{}]*)\}\}/g)].map((match) => (match[1] ?? "").trim());
  return { inner, whole: whole.trim() };
}

/** Text whose tags are replaced by what `known` knows of them; undefined where one is not known. */
export function withTags(text: string, known: (name: string) => string | undefined): string | undefined {
  let missing = false;
  const replaced = text.replace(/\{\{([^{}]*)\}\}/g, (_tag, name: string) => {
    const value = known(name.trim());
    if (value === undefined) missing = true;
    return value ?? "";
  });
  return missing || replaced.includes("{{") ? undefined : replaced;
}

/** Go's order of the keys of a map. */
export function sortedEntries<T>(map: Readonly<Record<string, T>> | undefined): (readonly [string, T])[] {
  return Object.entries(map ?? {}).sort(([a], [b]) => compareUtf8(a, b));
}
