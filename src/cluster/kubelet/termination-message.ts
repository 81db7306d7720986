/** A container's termination message: the file it may write, or the end of its log. */

import type { Container } from "../../core/model/kube/pod.js";
import { readTail } from "./logs.js";
import type { PodHandle } from "./runtime/port.js";

const DEFAULT_PATH = "/dev/termination-log";
const MAX_BYTES = 4096;
const MAX_LOG_BYTES = 2048;
const MAX_LOG_LINES = 80;

/** Undefined when it says nothing. */
export async function terminationMessage(
  handle: PodHandle,
  container: Container,
  exitCode: number,
): Promise<string | undefined> {
  const file = await handle.readFile(container.name, container.terminationMessagePath ?? DEFAULT_PATH, MAX_BYTES);
  if (file !== undefined && file.length > 0) return file.subarray(0, MAX_BYTES).toString("utf8");
  if (exitCode === 0 || container.terminationMessagePolicy !== "FallbackToLogsOnError") return undefined;
  const tail = (await readTail(handle.log(container.name), "both", MAX_LOG_BYTES)).toString("utf8");
  const text = tail
    .split("\n")
    .slice(-MAX_LOG_LINES - 1)
    .join("\n");
  return text === "" ? undefined : text;
}
