/** A stream of bytes as lines of text. */

import { TransportError } from "../errors.js";

/**
 * Each line without its end; empty ones are left out. A last line without an end is broken off in the middle: rejects
 * with TransportError.
 */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  // A large object comes in many chunks: they are joined once, when its end is there.
  let parts: string[] = [];
  for await (const chunk of body) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      const line = parts.length === 0 ? piece : parts.join("") + piece;
      parts = [];
      if (line.trim() !== "") yield line;
    }
    if (last !== "") parts.push(last);
  }
  if (parts.join("").trim() !== "") throw new TransportError("the stream ended in the middle of a line");
}

/** The whole body. */
export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
