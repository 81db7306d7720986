/** Words, letter case, line breaks, abbreviations. */

import { utf8Decode, utf8Encode } from "../../std/bytes.js";
import { utf8Length } from "../values/operations.js";

/** Part of a text by bytes, as Go cuts it; a negative start counts from the end. */
export function byteSlice(text: string, start: number, end: number | undefined): string {
  if (utf8Length(text) === text.length) return text.slice(start, end);
  return utf8Decode(utf8Encode(text).slice(start, end));
}

/** The first letter of each word large. */
export function titleCase(text: string): string {
  return text.replace(/[\p{L}\p{N}_]+/gu, (word) => {
    const [first = "", ...rest] = word;
    return first.toUpperCase() + rest.join("");
  });
}

/** The first letter of each word small; words end at white space. */
export function untitle(text: string): string {
  return text.replace(/(^|\s)(\S)/gu, (_all, before: string, first: string) => before + first.toLowerCase());
}

/** Large becomes small; small becomes large, at the beginning of a word in title case. */
export function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join("");
}

export function initials(text: string): string {
  return text
    .split(/\s+/u)
    .map((word) => [...word][0] ?? "")
    .join("");
}

export interface WrapForm {
  readonly width: number;
  readonly lineEnd: string;
  /** What happens to a word longer than a line. */
  readonly longWords: "keep" | "break";
}

export function wrapText(text: string, form: WrapForm): string {
  const width = Math.max(1, form.width);
  let wrapped = "";
  let offset = 0;
  while (text.length - offset > width) {
    if (text.charAt(offset) === " ") {
      offset++;
      continue;
    }
    const line = nextLine(text, offset, { ...form, width });
    if (line === undefined) break;
    wrapped += text.slice(offset, line.end) + form.lineEnd;
    offset = line.next;
  }
  return wrapped + text.slice(offset);
}

/** Where the line ends and the next begins; undefined when the rest is one word. */
function nextLine(
  text: string,
  offset: number,
  { width, longWords }: WrapForm,
): { readonly end: number; readonly next: number } | undefined {
  const space = text.slice(offset, offset + width + 1).lastIndexOf(" ");
  if (space >= 0) return { end: offset + space, next: offset + space + 1 };
  if (longWords === "break") return { end: offset + width, next: offset + width };
  const after = text.indexOf(" ", offset + width);
  return after < 0 ? undefined : { end: after, next: after + 1 };
}

export function abbreviate(text: string, width: number): string {
  return width < 4 ? text : abbreviateFrom(text, 0, width);
}

export function abbreviateBoth(text: string, left: number, right: number): string {
  return right < 4 || (left > 0 && right < 7) ? text : abbreviateFrom(text, left, right);
}

const MARK = "...";

function abbreviateFrom(text: string, wanted: number, width: number): string {
  if (text.length <= width) return text;
  const room = width - MARK.length;
  const offset = Math.min(Math.min(wanted, text.length), Math.max(0, text.length - room));
  if (offset <= 4) return text.slice(0, room) + MARK;
  if (offset + room < text.length) return MARK + abbreviateFrom(text.slice(offset), 0, room);
  return MARK + text.slice(text.length - room);
}
