/** Text operations as Go's strings package has them. */

import { boundedLength } from "../values/operations.js";

const GO_SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export function trimSpace(text: string): string {
  let from = 0;
  while (from < text.length && GO_SPACE.test(text.charAt(from))) from++;
  return trimEnd(text.slice(from), (character) => GO_SPACE.test(character));
}

/** Takes characters off the end. By hand: a pattern that ends in `+$` takes quadratic time. */
export function trimEnd(text: string, isTrimmed: (character: string) => boolean): string {
  let to = text.length;
  while (to > 0 && isTrimmed(text.charAt(to - 1))) to--;
  return text.slice(0, to);
}

export type TrimSide = "left" | "right" | "both";

/** Takes characters of the set off the ends. */
export function trimChars(text: string, cutset: string, side: TrimSide): string {
  const characters = [...text];
  const set = new Set(cutset);
  let from = 0;
  let to = characters.length;
  if (side !== "right") while (from < to && set.has(characters[from] ?? "")) from++;
  if (side !== "left") while (to > from && set.has(characters[to - 1] ?? "")) to--;
  return characters.slice(from, to).join("");
}

export interface SplitOptions {
  /** At most so many parts; the last holds the rest. Negative: all; 0: none. */
  readonly limit: number;
  readonly separator: "keep" | "drop";
}

export function splitText(text: string, separator: string, options: SplitOptions): readonly string[] {
  if (options.limit === 0) return [];
  if (separator === "") return splitCharacters(text, options.limit);
  const kept = options.separator === "keep" ? separator.length : 0;
  const parts: string[] = [];
  let from = 0;
  while (options.limit < 0 || parts.length < options.limit - 1) {
    const index = text.indexOf(separator, from);
    if (index < 0) break;
    parts.push(text.slice(from, index + kept));
    from = index + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function splitCharacters(text: string, limit: number): readonly string[] {
  const characters = [...text];
  if (limit < 0 || characters.length <= limit) return characters;
  return [...characters.slice(0, limit - 1), characters.slice(limit - 1).join("")];
}

/** At most `limit` times; all when negative. An empty `old` stands between all characters. */
export function replaceText(text: string, [old, by]: readonly [string, string], limit: number): string {
  boundedLength(text.length + placesOf(text, old, limit) * (by.length - old.length));
  if (limit < 0 && old !== "") return text.replaceAll(old, () => by);
  if (old === "") return between(text, by, limit);
  let left = text;
  let done = "";
  for (let count = 0; count < limit; count++) {
    const index = left.indexOf(old);
    if (index < 0) break;
    done += left.slice(0, index) + by;
    left = left.slice(index + old.length);
  }
  return done + left;
}

/** How often it would be replaced: what comes of it is known before it is made. */
function placesOf(text: string, old: string, limit: number): number {
  const max = limit < 0 ? Number.POSITIVE_INFINITY : limit;
  if (old === "") return Math.min(max, text.length + 1);
  let count = 0;
  for (let at = text.indexOf(old); at >= 0 && count < max; at = text.indexOf(old, at + old.length)) count++;
  return count;
}

function between(text: string, by: string, limit: number): string {
  const characters = [...text];
  const last = limit < 0 ? characters.length : Math.min(limit - 1, characters.length);
  let done = last >= 0 ? by : "";
  for (const [index, character] of characters.entries()) {
    done += character;
    if (index < last) done += by;
  }
  return done;
}
