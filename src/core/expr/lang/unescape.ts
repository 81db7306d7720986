/** Escapes inside quoted strings of expressions. */

const ESCAPE = /\\(?:([abfnrtv\\'"`?])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|([\s\S]?))/g;

const SHORT: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The value of what stands between the quotes; undefined for an escape there is not. */
export function unescapeString(text: string): string | undefined {
  if (!text.includes("\\")) return text;
  let isValid = true;
  const value = text.replace(ESCAPE, (_all, short, x, u, long, octal) => {
    if (typeof short === "string") return SHORT[short] ?? short;
    const code = codeOf(x ?? u ?? long, octal);
    if (code === undefined || code > 0x10ffff) {
      isValid = false;
      return "";
    }
    return String.fromCodePoint(code);
  });
  return isValid ? value : undefined;
}

function codeOf(hex: unknown, octal: unknown): number | undefined {
  if (typeof hex === "string") return Number.parseInt(hex, 16);
  return typeof octal === "string" ? Number.parseInt(octal, 8) : undefined;
}
