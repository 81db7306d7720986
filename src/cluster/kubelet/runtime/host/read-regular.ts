/** The beginning of a regular file that a container wrote, and may still write. */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const CHUNK_BYTES = 256 * 1024;

/**
 * All of it, or so many bytes of a longer one; undefined for anything else: a pipe would never end. What is opened is what
 * is looked at, whatever is put there meanwhile. Rejects where there is nothing.
 */
export async function readRegular(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return (await file.stat()).isFile() ? await firstBytes(file, maxBytes) : undefined;
  } finally {
    await file.close();
  }
}

/** To the end, not to a size: files of /proc have none. */
async function firstBytes(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let left = maxBytes; left > 0; ) {
    const length = Math.min(left, CHUNK_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, null);
    if (bytesRead === 0) break;
    parts.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(parts);
}
