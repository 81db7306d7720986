/** `.env` files: `KEY=VALUE` lines, `export`, comments, quotes, values of several lines in quotes. */

import { err, ok, type Result } from "../../core/std/result.js";

export interface DotenvError {
  readonly line: number;
  readonly message: string;
}

const START = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*/;

/** The last of several equal keys wins. */
export function parseDotenv(text: string): Result<ReadonlyMap<string, string>, DotenvError> {
  const values = new Map<string, string>();
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim();
    if (line === "" || line.startsWith("#")) continue;
    const start = START.exec(line);
    if (start === null) return err({ line: index + 1, message: "expected KEY=VALUE" });
    const raw = line.slice(start[0].length);
    const quote = raw[0];
    if (quote !== '"' && quote !== "'") {
      values.set(start[1] ?? "", raw.replace(/\s+#.*$/, ""));
      continue;
    }
    const quoted = readQuoted(lines, index, { raw, quote });
    if (quoted === undefined) return err({ line: index + 1, message: `the ${quote} that begins here does not end` });
    values.set(start[1] ?? "", quoted.value);
    index = quoted.lastLine;
  }
  return ok(values);
}

function readQuoted(
  lines: readonly string[],
  from: number,
  { raw, quote }: { readonly raw: string; readonly quote: string },
): { readonly value: string; readonly lastLine: number } | undefined {
  let body = raw.slice(1);
  for (let index = from; index < lines.length; index++) {
    const end = closingQuote(body, quote);
    if (end !== -1) return { value: unescaped(body.slice(0, end), quote), lastLine: index };
    body += `\n${lines[index + 1] ?? ""}`;
  }
  return undefined;
}

function closingQuote(text: string, quote: string): number {
  for (let index = 0; index < text.length; index++) {
    if (quote === '"' && text[index] === "\\") index += 1;
    else if (text[index] === quote) return index;
  }
  return -1;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** In double quotes a backslash escapes; in single quotes everything stands for itself. */
function unescaped(text: string, quote: string): string {
  if (quote === "'") return text;
  return text.replace(/\\([\s\S])/g, (_, character: string) => ESCAPES[character] ?? character);
}
