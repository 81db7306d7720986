/** The log of a container whose pod nobody runs any more, read from the pod's folder as the drivers of processes keep it. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { SegmentedLog } from "./log-files.js";
import { type LogOptions, readLog } from "./logs.js";
import { LOG_SEGMENT_PREFIX } from "./runtime/host/log-writer.js";

/** Of the container's newest run (or the one before it), many lines at once; undefined when that never began. `podFolder` is the pod's own, named by its UID. */
export async function storedLog(
  podFolder: string,
  containerName: string,
  options: LogOptions = {},
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const folder = join(podFolder, "containers", containerName);
  const runs = (await readdir(folder).catch(() => [])).map(Number).filter(Number.isInteger);
  const run = Math.max(...runs) - (options.previous === true ? 1 : 0);
  if (!runs.includes(run)) return undefined;
  const log = new SegmentedLog(join(folder, String(run)), LOG_SEGMENT_PREFIX);
  return readLog(log, Promise.resolve(), { ...options, follow: false });
}
