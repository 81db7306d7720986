/** sprig's regular expressions: Go's syntax, linear time. */

import { compileRegex, type Regex, type RegexMatch } from "../regex.js";
import { boundedText } from "../values/operations.js";
import { ValueFault } from "../values/value.js";
import { costOfMatching } from "../values/weight.js";
import { aliases, define, type SprigRow } from "./define.js";

/** More matches than this would take seconds. */
const MAX_MATCHES = 200_000;

/** Up to `limit` matches, all when it is negative. */
function matchesOf(regex: Regex, text: string, limit: number): readonly RegexMatch[] {
  const found = regex.matches(text, limit < 0 || limit > MAX_MATCHES ? MAX_MATCHES + 1 : limit);
  if (found.length > MAX_MATCHES) throw new ValueFault("memory budget exceeded");
  return found;
}

function compile(pattern: string): Regex {
  const regex = compileRegex(pattern);
  if (!regex.ok) throw new ValueFault(`regexp: Compile(\`${pattern}\`): ${regex.error}`);
  return regex.value;
}

function withMust(row: SprigRow): readonly SprigRow[] {
  const [name] = row;
  return [row, ...aliases(row, `must${name.charAt(0).toUpperCase()}${name.slice(1)}`)];
}

const rows: readonly SprigRow[] = [
  ...withMust(define("regexMatch", ["string", "string"], ([pattern, text]) => compile(pattern).test(text))),
  ...withMust(define("regexFind", ["string", "string"], ([pattern, text]) => find(compile(pattern), text))),
  ...withMust(
    define("regexFindAll", ["string", "string", "int"], ([pattern, text, limit]) =>
      matchesOf(compile(pattern), text, limit).map(wholeOf),
    ),
  ),
  ...withMust(
    define("regexReplaceAll", ["string", "string", "string"], ([pattern, text, by]) =>
      replaceAll(compile(pattern), text, (match) => expand(by, match)),
    ),
  ),
  ...withMust(
    define("regexReplaceAllLiteral", ["string", "string", "string"], ([pattern, text, by]) =>
      replaceAll(compile(pattern), text, () => by),
    ),
  ),
  ...withMust(
    define("regexSplit", ["string", "string", "int"], ([pattern, text, limit]) => split(compile(pattern), text, limit)),
  ),
  define("regexQuoteMeta", ["string"], ([text]) => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
];

/** Whichever of the arguments is matched: the pattern is short. */
export const regexRows: readonly SprigRow[] = rows.map(([name, row]) => [
  name,
  {
    ...row,
    call: (args, context) => {
      for (const text of args) if (typeof text === "string") context.spend(costOfMatching(text));
      return row.call(args, context);
    },
  },
]);

function wholeOf(match: RegexMatch): string {
  return match.groups[0] ?? "";
}

function find(regex: Regex, text: string): string {
  const [match] = regex.matches(text, 1);
  return match === undefined ? "" : wholeOf(match);
}

function replaceAll(regex: Regex, text: string, by: (match: RegexMatch) => string): string {
  let done = "";
  let from = 0;
  for (const match of matchesOf(regex, text, -1)) {
    done = boundedText(done + text.slice(from, match.start) + by(match));
    from = match.end;
  }
  return boundedText(done + text.slice(from));
}

/** `$1`, `${1}`, `${name}`: the longest run of letters, digits and `_` is the name; `$$` is a dollar. */
function expand(template: string, match: RegexMatch): string {
  return template.replace(/\$(?:(\$)|\{(\w+)\}|(\w+))/g, (_all, dollar, braced, bare) => {
    if (dollar !== undefined) return "$";
    const name = String(braced ?? bare);
    const index = /^\d+$/.test(name) ? Number(name) : match.names.get(name);
    return index === undefined ? "" : (match.groups[index] ?? "");
  });
}

/** At most `limit` parts; all when negative, none when 0. */
function split(regex: Regex, text: string, limit: number): readonly string[] {
  if (limit === 0) return [];
  if (regex.pattern !== "" && text === "") return [""];
  const parts: string[] = [];
  let from = 0;
  let end = 0;
  for (const match of matchesOf(regex, text, limit)) {
    if (limit > 0 && parts.length === limit - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(text.slice(from, end));
    from = match.end;
  }
  if (end !== text.length) parts.push(text.slice(from));
  return parts;
}
