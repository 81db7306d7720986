/** Go's regular expressions: linear time, no backtracking; never JavaScript's own. */

import { RE2JS } from "re2js";
import { messageOf } from "../std/message.js";
import { err, ok, type Result } from "../std/result.js";

/** Longer patterns are refused: their automaton could grow without bound. */
const MAX_PATTERN_LENGTH = 10_000;

export interface Regex {
  readonly pattern: string;
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** Matches from left to right: each is the whole match, then its groups; at most `limit`. */
  matches(text: string, limit: number): readonly RegexMatch[];
}

export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  /** Group 0 is the whole match; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
  readonly names: ReadonlyMap<string, number>;
}

/** Compiles a pattern; the error is Go's, beginning `error parsing regexp`. */
export function compileRegex(pattern: string): Result<Regex> {
  if (pattern.length > MAX_PATTERN_LENGTH) return err("error parsing regexp: expression too large");
  try {
    return ok(wrap(pattern, RE2JS.compile(pattern)));
  } catch (cause) {
    const message = messageOf(cause);
    return err(message.startsWith("error parsing regexp") ? message : `error parsing regexp: ${message}`);
  }
}

function wrap(pattern: string, compiled: RE2JS): Regex {
  return {
    pattern,
    test: (text) => compiled.matcher(text).find(),
    matches: (text, limit) => {
      const found: RegexMatch[] = [];
      const names = new Map(Object.entries(compiled.namedGroups()));
      const matcher = compiled.matcher(text);
      while (found.length < limit && matcher.find()) {
        const groups: (string | undefined)[] = [];
        for (let index = 0; index <= compiled.groupCount(); index++) groups.push(matcher.group(index) ?? undefined);
        found.push({ start: matcher.start(), end: matcher.end(), groups, names });
      }
      return found;
    },
  };
}
