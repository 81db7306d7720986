/** How text may look on an output: colours and symbols, decided once from the terminal and the environment. */

import { createColors } from "picocolors";

export interface Style {
  readonly color: boolean;
  readonly utf8: boolean;
  readonly paint: Paint;
  readonly glyphs: Glyphs;
}

export type Paint = ReturnType<typeof createColors>;

export interface Glyphs {
  readonly pending: string;
  readonly running: string;
  readonly succeeded: string;
  readonly failed: string;
  readonly error: string;
  readonly skipped: string;
  readonly suspended: string;
  readonly notRun: string;
  readonly branch: string;
  readonly lastBranch: string;
  readonly bar: string;
  readonly dash: string;
  readonly times: string;
  readonly dot: string;
  readonly ellipsis: string;
  readonly column: string;
}

const utf8Glyphs: Glyphs = {
  pending: "◷",
  running: "●",
  succeeded: "✔",
  failed: "✖",
  error: "⚠",
  skipped: "○",
  suspended: "ǁ",
  notRun: "–",
  branch: "├─",
  lastBranch: "└─",
  bar: "│",
  dash: "─",
  times: "×",
  dot: "·",
  ellipsis: "…",
  column: "│",
};

const asciiGlyphs: Glyphs = {
  pending: "o",
  running: "*",
  succeeded: "+",
  failed: "x",
  error: "!",
  skipped: "-",
  suspended: "=",
  notRun: "-",
  branch: "|-",
  lastBranch: "`-",
  bar: "|",
  dash: "-",
  times: "x",
  dot: "-",
  ellipsis: "...",
  column: "|",
};

export interface StyleFacts {
  readonly isTTY: boolean;
  readonly env: ReadonlyMap<string, string>;
  /** From `--no-color`. */
  readonly noColor?: boolean;
  /** From `--no-utf8`. */
  readonly noUtf8?: boolean;
}

/**
 * Colours: the flag, then NO_COLOR (any non-empty value), then FORCE_COLOR (not "0" or "false"), then: a terminal that
 * is not TERM=dumb. Symbols beyond ASCII: unless the flag, or a locale that says it is not UTF-8.
 */
export function styleFor(facts: StyleFacts): Style {
  return makeStyle(wantsColor(facts), !facts.noUtf8 && localeTakesUtf8(facts.env));
}

export function makeStyle(color: boolean, utf8: boolean): Style {
  return { color, utf8, paint: createColors(color), glyphs: utf8 ? utf8Glyphs : asciiGlyphs };
}

export const plainStyle: Style = makeStyle(false, true);

function wantsColor({ isTTY, env, noColor }: StyleFacts): boolean {
  if (noColor === true || (env.get("NO_COLOR") ?? "") !== "") return false;
  const force = env.get("FORCE_COLOR");
  if (force !== undefined) return force !== "0" && force !== "false";
  return isTTY && env.get("TERM") !== "dumb";
}

/** A locale that is not set says nothing: most terminals of today read UTF-8. */
function localeTakesUtf8(env: ReadonlyMap<string, string>): boolean {
  const locale = [env.get("LC_ALL"), env.get("LC_CTYPE"), env.get("LANG")].find((value) => value);
  if (locale === undefined) return true;
  return /utf-?8/i.test(locale) || locale === "C" || locale === "POSIX";
}
