/** snake_case, kebab-case and CamelCase, with the word limits of the Go library that sprig uses. */

import { define, type SprigRow } from "./define.js";

/** A run of capitals is one word up to the letter that begins the next: `HTTPServer` is `HTTP`, `Server`. */
const WORD = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}+(?![\p{Ll}])\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{N}+|[^\s\p{L}\p{N}_-]+|\p{L}/gu;

function delimited(text: string, delimiter: string): string {
  const words = text
    .split(/[\s_-]/u)
    .map((part) => (part.match(WORD) ?? [""]).map((word) => word.toLowerCase()).join(delimiter));
  return words.join(delimiter);
}

/** One separator before a letter goes, and the letter becomes large; those at either end and of a run stay. */
function camelCase(text: string): string {
  const runs = text.match(/[_\s-]+|[^_\s-]+/gu) ?? [];
  return runs
    .map((run, index) => {
      if (!/^[_\s-]/u.test(run)) return capitalized(run);
      const isBetween = index > 0 && index < runs.length - 1;
      return isBetween ? run.slice(0, -1) : run;
    })
    .join("");
}

/** A word all of capitals is written small behind its first letter. */
function capitalized(word: string): string {
  const [first = "", ...rest] = word === word.toUpperCase() ? word.toLowerCase() : word;
  return first.toUpperCase() + rest.join("");
}

export const caseRows: readonly SprigRow[] = [
  define("snakecase", ["string"], ([text]) => delimited(text, "_")),
  define("kebabcase", ["string"], ([text]) => delimited(text, "-")),
  define("camelcase", ["string"], ([text]) => camelCase(text)),
];
