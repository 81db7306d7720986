/** A container's termination message: the end of the file it may write, or of its log. */

import type { Container } from "../../core/model/kube/pod.js";
import { readTail } from "./logs.js";
import type { PodHandle } from "./runtime/port.js";

const DEFAULT_PATH = "/dev/termination-log";
const MAX_BYTES = 4096;
const MAX_LOG_BYTES = 2048;
const MAX_LOG_LINES = 80;
/** Of all containers of a pod together: each may have its share of it. */
const MAX_POD_BYTES = 12 * 1024;

/** As Kubernetes fills it in, also for an empty text. */
export function messagePathOf({ terminationMessagePath = "" }: Container): string {
  return terminationMessagePath === "" ? DEFAULT_PATH : terminationMessagePath;
}

/** Undefined when it says nothing. */
export async function terminationMessage(
  handle: PodHandle,
  container: Container,
  exitCode: number,
): Promise<string | undefined> {
  const file = await handle.readFile(container.name, messagePathOf(container), MAX_BYTES, "end");
  if (file !== undefined && file.length > 0) return endOf(file, MAX_BYTES);
  if (exitCode === 0 || container.terminationMessagePolicy !== "FallbackToLogsOnError") return undefined;
  const text = lastLines(endOf(await readTail(handle.log(container.name), "both", MAX_LOG_BYTES), MAX_LOG_BYTES));
  return text === "" ? undefined : text;
}

/** What of a container's message its pod's status has room for: its beginning. `containers`: how many the pod has. */
export function messageWithin(message: string, containers: number): string {
  const share = Math.floor(MAX_POD_BYTES / Math.max(1, containers));
  // A character takes three bytes at most for each of its units.
  if (message.length * 3 <= share) return message;
  const bytes = Buffer.from(message);
  if (bytes.length <= share) return message;
  let end = share;
  while (end > 0 && isInside(bytes, end)) end--;
  return bytes.toString("utf8", 0, end);
}

/** The last bytes, without a character that was cut in two. */
function endOf(bytes: Buffer, count: number): string {
  let start = Math.max(0, bytes.length - count);
  // A driver hands out what it has: whether its first byte is the file's own, nobody knows. A character has four at most.
  for (let cut = 0; cut < 3 && isInside(bytes, start); cut++) start++;
  return bytes.toString("utf8", start);
}

/** Whether the byte there goes on with a character that began before it. */
function isInside(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

function lastLines(text: string): string {
  const lines = text.split("\n");
  // After the last newline nothing stands, which is no line.
  const count = MAX_LOG_LINES + (lines.at(-1) === "" ? 1 : 0);
  return lines.slice(-count).join("\n");
}
