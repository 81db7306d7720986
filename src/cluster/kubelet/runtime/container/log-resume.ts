/** Finds where a container's log stopped, so that it goes on there without a byte lost or written twice. */

import { createReadStream } from "node:fs";
import { readdir, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { parseLogLine } from "../../log-format.js";
import { LOG_SEGMENT_PREFIX } from "../host/log-writer.js";
import type { StreamBytes } from "./protocol.js";

export interface LogEnd {
  /** What the container wrote, as far as the log has it. */
  readonly bytes: StreamBytes;
  /** Number of the segment to go on with. */
  readonly segment: number;
}

/** `known`: the bytes, where they need not be counted. A line that a crash tore is cut off. */
export async function resumeLog(folder: string, known: StreamBytes | undefined): Promise<LogEnd> {
  const names = await readdir(folder).catch(() => []);
  const segments = names
    .filter((name) => name.startsWith(LOG_SEGMENT_PREFIX))
    .map((name) => Number(name.slice(LOG_SEGMENT_PREFIX.length)))
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b);
  const segment = segments.at(-1) ?? 0;
  if (known !== undefined) return { bytes: known, segment };
  const bytes = { stdout: 0, stderr: 0 };
  for (const number of segments) await countSegment(join(folder, `${LOG_SEGMENT_PREFIX}${number}`), bytes);
  return { bytes, segment };
}

async function countSegment(path: string, bytes: { stdout: number; stderr: number }): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    if (!Buffer.isBuffer(chunk)) continue;
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    rest = Buffer.from(data.subarray(countLines(data, bytes)));
  }
  if (rest.length > 0) await truncate(path, (await stat(path)).size - rest.length);
}

const NEWLINE = 10;

/** How many bytes of `data` were whole lines. */
function countLines(data: Buffer, bytes: { stdout: number; stderr: number }): number {
  let start = 0;
  for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
    const line = parseLogLine(data.subarray(start, end + 1));
    if (line !== undefined) bytes[line.stream] += line.bytes.length;
    start = end + 1;
  }
  return start;
}
