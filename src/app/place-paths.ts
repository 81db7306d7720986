/** Where things lie in a place's folder, and where its socket is. */

import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PlacePaths {
  readonly folder: string;
  readonly store: string;
  readonly pods: string;
  readonly claims: string;
  readonly artifacts: string;
  readonly socket: string;
}

/** A Unix socket's address holds at most 103 bytes everywhere; a place may lie deeper than that. */
const SOCKET_PATH_BYTES_MAX = 103;

export function placePaths(folder: string): PlacePaths {
  return {
    folder,
    store: join(folder, "store.db"),
    pods: join(folder, "pods"),
    claims: join(folder, "claims"),
    artifacts: join(folder, "artifacts"),
    socket: socketOf(folder),
  };
}

/** In the place itself, or, when that path is too long, in a folder of the user's own, named by the place. */
function socketOf(folder: string): string {
  const inside = join(folder, "api", "socket");
  if (Buffer.byteLength(inside) <= SOCKET_PATH_BYTES_MAX) return inside;
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const user = process.getuid?.() ?? 0;
  return join(process.env["XDG_RUNTIME_DIR"] ?? tmpdir(), `tiphys-${user}`, name);
}
