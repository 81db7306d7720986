/** What kind of file a loaded artifact is: only gzipped tars are unpacked unasked (Argo 4.1 behaviour 6.2). */

import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";

const BLOCK = 512;

export async function isGzip(path: string): Promise<boolean> {
  const head = await headOf(path, 3);
  return head.length === 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/** False for folders, and for gzipped files that hold something else. */
export async function isGzippedTar(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile() || !(await isGzip(path))) return false;
  return isTarHeader(await unzippedHead(path));
}

async function headOf(path: string, bytes: number): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function unzippedHead(path: string): Promise<Buffer> {
  const file = createReadStream(path, { end: 64 * 1024 });
  const gunzip = file.pipe(createGunzip());
  file.on("error", (error) => gunzip.destroy(error));
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of gunzip) {
      head = Buffer.concat([head, chunk as Buffer]);
      if (head.length >= BLOCK) break;
    }
  } catch {
    // Not gzip after all, or cut short: what came before that decides.
  } finally {
    file.destroy();
    gunzip.destroy();
  }
  return head.subarray(0, BLOCK);
}

/** A header's checksum is the sum of its bytes, with blanks where the checksum itself stands. */
function isTarHeader(block: Buffer): boolean {
  if (block.length < BLOCK || block[0] === 0) return false;
  const given = Number.parseInt(block.toString("latin1", 148, 156).replace(/[\0 ]+/g, ""), 8);
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum === given;
}
