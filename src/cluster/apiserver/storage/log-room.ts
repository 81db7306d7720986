/** Room for SQLite's write-ahead log, taken before it is needed. */

import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";

/** SQLite begins anew at the front of its log once that holds 1000 pages. */
const ROOM_BYTES = 1000 * 4096 + 64 * 1024;
const zeros = Buffer.alloc(64 * 1024);

/**
 * Fills the log of the database at `path` up with zeros, which are no frames to who reads it: a commit that overwrites waits
 * for its bytes only, one that makes the file longer for the file system's journal as well, which is half of its time.
 * Without a log, or without room on the disk, it grows as it is written.
 */
export function takeLogRoom(path: string): void {
  try {
    const file = openSync(`${path}-wal`, "r+");
    try {
      for (let end = fstatSync(file).size; end < ROOM_BYTES; ) {
        end += writeSync(file, zeros, 0, Math.min(zeros.length, ROOM_BYTES - end), end);
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {}
}
