/**
 * What a plain YAML scalar means to Go's reader (sigs.k8s.io/yaml over goyaml.v2): YAML 1.1 booleans and octal,
 * 64-bit integers, no sexagesimal numbers, dates stay text.
 */

const WORDS: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ...["", "~", "null", "Null", "NULL"].map((word): [string, null] => [word, null]),
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word): [string, true] => [
    word,
    true,
  ]),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word): [string, false] => [
    word,
    false,
  ]),
]);

const LONGEST_WORD = 5;
const LONGEST_NUMBER = 400;
const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|0[oO][0-7]+|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/** The value of a word of null or boolean; undefined when `text` is none. */
export function goWord(text: string): null | boolean | undefined {
  return text.length > LONGEST_WORD ? undefined : WORDS.get(text);
}

/**
 * The number that `text` means; undefined when it is not a number to Go. An integer of 64 bits that JavaScript cannot
 * hold exactly comes back as its decimal text, so that no digit is lost. Infinities and NaN have no JSON form (Go
 * refuses them): they stay text.
 */
export function goNumber(text: string): number | string | undefined {
  if (text.length > LONGEST_NUMBER || !startsLikeNumber(text)) return undefined;
  const plain = text.replaceAll("_", "");
  if (INTEGER.test(plain)) {
    const integer = integerOf(plain);
    if (integer >= INT64_MIN && integer <= UINT64_MAX) return exact(integer);
  }
  // After a leading dot Go does not take the underscores out.
  if (!FLOAT.test(text.startsWith(".") ? text : plain)) return undefined;
  const number = Number(plain);
  return Number.isFinite(number) ? number : undefined;
}

function startsLikeNumber(text: string): boolean {
  const code = text.charCodeAt(0);
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e;
}

function integerOf(plain: string): bigint {
  const negative = plain.startsWith("-");
  const digits = /^[-+]/.test(plain) ? plain.slice(1) : plain;
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return negative ? -magnitude : magnitude;
}

function exact(integer: bigint): number | string {
  const number = Number(integer);
  const digits = integer.toString();
  return String(number) === digits ? number : digits;
}
