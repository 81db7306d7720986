/** Finds `{{…}}` in a text: one scanner for substitution and validation (Argo 4.1 behaviour 4.1). */

/** A piece of text: literal, or what stands between the braces of a tag. */
export type TextPart =
  | { readonly kind: "literal"; readonly text: string }
  /** `{{name}}`, or `{{=expression}}` when `text` begins with `=`. */
  | { readonly kind: "tag"; readonly text: string; readonly offset: number };

/** Whether there is anything to substitute: one search, no allocation. */
export function mayHoldTags(text: string): boolean {
  return text.includes("{{");
}

/** Cuts a text at its tags. An opening without an end makes the rest literal; an inner `{{` belongs to the tag. */
export function scanTags(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf("{{", from);
    const close = open < 0 ? -1 : text.indexOf("}}", open + 2);
    if (close < 0) break;
    if (open > from) parts.push({ kind: "literal", text: text.slice(from, open) });
    parts.push({ kind: "tag", text: text.slice(open + 2, close), offset: open });
    from = close + 2;
  }
  if (from < text.length) parts.push({ kind: "literal", text: text.slice(from) });
  return parts;
}

/** The name in a simple tag: without the spaces around it. Line ends and tabs are no spaces here, as in Argo. */
export function tagName(tag: string): string {
  let from = 0;
  let to = tag.length;
  while (from < to && SPACES.includes(tag.charAt(from))) from++;
  while (to > from && SPACES.includes(tag.charAt(to - 1))) to--;
  return tag.slice(from, to);
}

const SPACES = " \u00a0";

/** A tag found in a value. */
export interface Tag {
  /** What stands between the braces, untrimmed, without a leading `=`. */
  readonly text: string;
  readonly kind: "simple" | "expression";
  /** Where in the value: names and indexes from the top. */
  readonly path: readonly (string | number)[];
  /** Of the `{{` in the text at `path`, in UTF-16 units. */
  readonly offset: number;
  /** The tag stands in the name of a field, the last of `path`, not in its value. */
  readonly inKey: boolean;
}

/** Every tag in the texts of a value, and in the names of its fields, in order. */
export function tagsOf(value: unknown): readonly Tag[] {
  const tags: Tag[] = [];
  collect(value, [], tags);
  return tags;
}

function collect(value: unknown, path: readonly (string | number)[], tags: Tag[]): void {
  if (typeof value === "string") {
    collectText(value, { path, inKey: false }, tags);
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) collect(element, [...path, index], tags);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, element] of Object.entries(value)) {
      const inner = [...path, key];
      collectText(key, { path: inner, inKey: true }, tags);
      collect(element, inner, tags);
    }
  }
}

function collectText(text: string, place: Pick<Tag, "path" | "inKey">, tags: Tag[]): void {
  if (!mayHoldTags(text)) return;
  for (const part of scanTags(text)) {
    if (part.kind !== "tag") continue;
    const isExpression = part.text.startsWith("=");
    tags.push({
      ...place,
      text: isExpression ? part.text.slice(1) : part.text,
      kind: isExpression ? "expression" : "simple",
      offset: part.offset,
    });
  }
}
