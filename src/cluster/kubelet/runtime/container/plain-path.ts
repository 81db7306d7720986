/** A path of plain letters to a folder whose own path has others, for as long as it takes to open a file there. */

import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PLAIN = /^[\w./@+-]*$/;
/** A path that is too long is cut somewhere on its way. */
const MAX_BYTES = 1024;

/**
 * Calls `use` with such a path. podman takes a log's path for a list with commas, the monitor of its containers ends it
 * at a colon or newline and, where no locale is set, does not begin with letters beyond ASCII: all without an error.
 */
export async function withPlainPath<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  if (isPlain(folder)) return use(folder);
  const around = await mkdtemp(join(isPlain(tmpdir()) ? tmpdir() : "/tmp", "tiphys-path-"));
  try {
    const link = join(around, "run");
    await symlink(folder, link);
    return await use(link);
  } finally {
    await rm(around, { recursive: true, force: true });
  }
}

function isPlain(path: string): boolean {
  return PLAIN.test(path) && path.length <= MAX_BYTES;
}
