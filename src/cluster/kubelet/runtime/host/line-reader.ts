/** Cuts a byte stream into text lines. */

import type { Readable } from "node:stream";

/** Calls `onLine` for each whole line of `stream`, and `onEnd` once when it ends or fails. */
export function readLines(stream: Readable, onLine: (line: string) => void, onEnd: () => void): void {
  let rest = "";
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  stream.on("end", end);
  stream.on("close", end);
  stream.on("error", end);
}
