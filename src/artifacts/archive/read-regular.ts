/** Opens a file that must be a regular one, and no link. */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ArtifactError } from "../port.js";

/** Who calls closes it. A pipe put there meanwhile neither blocks nor is read. */
export async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new ArtifactError("failed", `${path} is no longer a file`);
}
