/** Writes a log that lies in memory to where the drivers of processes keep theirs, to be read when this process is gone. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SegmentedLog } from "./log-files.js";
import type { LogSource } from "./runtime/port.js";

const SEGMENT_PREFIX = "log.";

export interface KeptRun {
  readonly podFolder: string;
  readonly containerName: string;
  readonly restartCount: number;
}

/** Nothing is made for a container that wrote nothing. */
export async function keepLog(run: KeptRun, log: LogSource): Promise<void> {
  const size = await log.size();
  if (size === 0) return;
  const folder = folderOf(run);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, `${SEGMENT_PREFIX}0`), await log.read(0, size), { mode: 0o600 });
}

export function keptLog(run: KeptRun): LogSource {
  return new SegmentedLog(folderOf(run), SEGMENT_PREFIX);
}

function folderOf({ podFolder, containerName, restartCount }: KeptRun): string {
  return join(podFolder, "containers", containerName, String(restartCount));
}
