/** FNV-1a, 32 bits, over UTF-8: the hash in Argo's node IDs and pod names (Argo 4.1 behaviour 3.1). */

const OFFSET_BASIS = 2166136261;
const PRIME = 16777619;

/** The hash as an unsigned 32-bit integer. */
export function fnv1a32(text: string): number {
  let hash = OFFSET_BASIS;
  // Nearly all names are ASCII: their bytes need not be made first.
  let from = 0;
  for (; from < text.length && text.charCodeAt(from) < 0x80; from++) {
    hash = Math.imul(hash ^ text.charCodeAt(from), PRIME);
  }
  if (from === text.length) return hash >>> 0;
  for (const byte of utf8Bytes(text.slice(from))) {
    hash ^= byte;
    hash = Math.imul(hash, PRIME);
  }
  return hash >>> 0;
}

/** The UTF-8 bytes of `text`; a lone surrogate becomes U+FFFD, as in Go. */
export function* utf8Bytes(text: string): Generator<number> {
  for (const character of text) {
    const code = replacedSurrogate(character.codePointAt(0) ?? 0);
    if (code < 0x80) {
      yield code;
    } else if (code < 0x800) {
      yield 0xc0 | (code >> 6);
      yield 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      yield 0xe0 | (code >> 12);
      yield 0x80 | ((code >> 6) & 0x3f);
      yield 0x80 | (code & 0x3f);
    } else {
      yield 0xf0 | (code >> 18);
      yield 0x80 | ((code >> 12) & 0x3f);
      yield 0x80 | ((code >> 6) & 0x3f);
      yield 0x80 | (code & 0x3f);
    }
  }
}

function replacedSurrogate(code: number): number {
  return code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
}
