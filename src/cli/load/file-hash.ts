/** Whether a file is still what it was. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** SHA-256 in hex; undefined when the file cannot be read. */
export async function fileHash(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes && createHash("sha256").update(bytes).digest("hex");
}
