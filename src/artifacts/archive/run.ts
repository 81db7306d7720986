/** Packing and unpacking on the thread this is called on. */

import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { artifactErrorOf } from "../port.js";
import { defaultUnpackLimits, type PackRequest, type UnpackRequest } from "./format.js";
import { SafeRoot } from "./safe-root.js";
import { packTar } from "./tar-pack.js";
import { unpackTar } from "./tar-unpack.js";
import { packZip } from "./zip-pack.js";
import { unpackZip } from "./zip-unpack.js";

/** Rejects with {@link ArtifactError}; then there is no archive. */
export async function packHere({ source, name, target, format }: PackRequest): Promise<void> {
  try {
    if (format.kind === "zip") await packZip(source, name, target);
    else await packTar({ source, name, target, level: format.level });
  } catch (error) {
    await rm(target, { force: true });
    throw artifactErrorOf(error, `${source} cannot be packed`);
  }
}

/**
 * Rejects with {@link ArtifactError}; then nothing is left of it. One top-level entry becomes the target itself, several a
 * folder with them (Argo 4.1 behaviour 6.2).
 */
export async function unpackHere({ source, target, format, limits }: UnpackRequest): Promise<void> {
  const scratch = await mkdtemp(join(dirname(target), ".unpack-"));
  try {
    const folder = join(scratch, "content");
    await mkdir(folder);
    const root = new SafeRoot(folder, (await stat(source)).size, limits ?? defaultUnpackLimits);
    if (format === "zip") await unpackZip(source, root);
    else await unpackTar(source, root);
    const [first, ...others] = await readdir(folder);
    await rename(first !== undefined && others.length === 0 ? join(folder, first) : folder, target);
  } catch (error) {
    throw artifactErrorOf(error, "the archive cannot be unpacked");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
