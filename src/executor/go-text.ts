/** Bytes as the text that Go's JSON makes of them: each byte that is not UTF-8 becomes one U+FFFD. */

export function goText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return replaced(bytes);
  }
}

function replaced(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += `${decoder.decode(bytes.subarray(start, at))}\uFFFD`;
    at += 1;
    start = at;
  }
  return text + decoder.decode(bytes.subarray(start));
}

/** Length of the valid sequence that begins here; 0 when none does. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  const [low, high] = secondRange(first);
  if (second < low || second > high) return 0;
  for (let more = 2; more < length; more++) if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte. */
function secondRange(first: number): readonly [number, number] {
  switch (first) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return [0x80, 0xbf];
  }
}
