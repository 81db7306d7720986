/** The beginning or the end of a regular file that a container wrote, and may still write. */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { FilePart } from "../port.js";

const CHUNK_BYTES = 256 * 1024;

export interface ReadPart {
  readonly maxBytes: number;
  /** Of a longer file; undefined: its beginning. */
  readonly part: FilePart | undefined;
}

/**
 * All of it, or so many bytes of a longer one; undefined for anything else: a pipe would never end. What is opened is what
 * is looked at, whatever is put there meanwhile. Rejects where there is nothing.
 */
export async function readRegular(path: string, { maxBytes, part }: ReadPart): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const info = await file.stat();
    if (!info.isFile()) return undefined;
    const from = part === "end" && info.size > maxBytes ? info.size - maxBytes : 0;
    return await bytesFrom(file, from, maxBytes);
  } finally {
    await file.close();
  }
}

/** To the end, not to a size: files of /proc have none. */
async function bytesFrom(file: FileHandle, from: number, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let left = maxBytes; left > 0; ) {
    const length = Math.min(left, CHUNK_BYTES);
    const at = from + maxBytes - left;
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) break;
    parts.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(parts);
}
