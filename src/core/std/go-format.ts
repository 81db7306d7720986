/** How Go writes numbers and quoted text, where users see it. */

/** A float64 as `%v` prints it: the shortest digits, an exponent below 1e-4 and from a million on. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return plainDecimal(value);
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  return `${mantissa}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, "0")}`;
}

/** Decimal notation for numbers that JavaScript would write with an exponent. */
function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes("e-")) return text;
  const [mantissa = "", exponent = "0"] = text.split("e-");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "");
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${digits}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** Letters, marks, numbers, punctuation, symbols and the plain space: what Go shows as it is. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Of these nothing is escaped, and most text has no others. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Text in double quotes as Go's `%q` writes it. */
export function quoteGo(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += SHORT_ESCAPES[character] ?? escapeUnprintable(character);
  return `${quoted}"`;
}

function escapeUnprintable(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  if (PRINTABLE.test(character)) return character;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}
