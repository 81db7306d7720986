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
  let value = "";
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const character = characterOf(match);
    if (character === undefined) return undefined;
    value += text.slice(from, match.index) + character;
    from = match.index + match[0].length;
  }
  return value + text.slice(from);
}

function characterOf([, short, byte, unit, long, octal]: RegExpExecArray): string | undefined {
  if (short !== undefined) return SHORT[short] ?? short;
  const hex = byte ?? unit ?? long;
  const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
