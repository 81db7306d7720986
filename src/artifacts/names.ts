/** Names of files as text. On disk they are bytes; those that are no UTF-8 are refused in words, not read as something else. */

import { isUtf8 } from "node:buffer";
import { readdir, readlink } from "node:fs/promises";
import { ArtifactError } from "./port.js";

/** What stands in a folder. `shown`: the folder's name in messages. Rejects with {@link ArtifactError} "invalid". */
export async function namesIn(folder: string, shown: string): Promise<readonly string[]> {
  const names = await readdir(folder, { encoding: "buffer" });
  return names.map((name) => textOf(name, `the name of the file ${shown}/${escaped(name)}`));
}

/** Where a link leads. `shown`: the link's name in messages. Rejects with {@link ArtifactError} "invalid". */
export async function targetOf(link: string, shown: string): Promise<string> {
  const target = await readlink(link, { encoding: "buffer" });
  return textOf(target, `the target of the link ${shown} -> ${escaped(target)}`);
}

function textOf(bytes: Buffer, what: string): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new ArtifactError("invalid", `${what} is not UTF-8; rename it, or pack its folder into one file before (tar)`);
}

/** As a shell takes it: `$'caf\xE9'`. */
function escaped(bytes: Buffer): string {
  const characters = Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return characters.join("");
}
