/** Says in a log that part of it is missing; on a full disk in the place of its last lines, for that takes no new room. */

import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { LineFramer } from "../../log-format.js";

const NEWLINE = 10;
const LOOKED_AT_BYTES = 256 * 1024;

/** A line of the log. `torn`: the line before it was cut off in the middle, and is ended first. */
export function lossNote(lostBytes: number, time: string, torn: "torn" | "whole"): Buffer {
  const text = `[${lostBytes} bytes of the log are missing here: the disk was full]\n`;
  const line = new LineFramer("stderr").push(Buffer.from(text), time);
  return torn === "torn" ? Buffer.concat([Buffer.from("\n"), line]) : line;
}

/** Over the last lines of the file, as many as it takes. A file that has no room even so is left as it is. */
export function writeOverEnd(path: string, note: Buffer): void {
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - LOOKED_AT_BYTES);
    const tail = Buffer.alloc(size - from);
    const length = readSync(file, tail, 0, tail.length, from);
    const at = lineStart(tail.subarray(0, length), length - note.length, from);
    if (at === undefined) return;
    writeSync(file, note, 0, note.length, from + at);
    ftruncateSync(file, from + at + note.length);
  } finally {
    closeSync(file);
  }
}

/** The last beginning of a line at or before `latest`. */
function lineStart(tail: Buffer, latest: number, from: number): number | undefined {
  for (let at = latest; at > 0; at--) if (tail[at - 1] === NEWLINE) return at;
  return latest >= 0 && from === 0 ? 0 : undefined;
}
