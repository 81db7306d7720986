/** A server on a Unix socket that only its own user can reach. */

import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { dirname } from "node:path";

/** Longer paths do not fit into the system's address (Linux 108 bytes, macOS 104, with the final zero). */
const pathBytesMax = 103;

export interface Listener {
  readonly path: string;
  /** Ends all connections and removes the socket. */
  close(): Promise<void>;
}

/**
 * Listens at `path`, whose folder is made with mode 0700 if it does not exist. A socket that stands there was left by a
 * dead owner: the caller owns the place. Rejects with Error when the folder is open to others, or the path too long.
 */
export async function listen(path: string, handler: RequestListener): Promise<Listener> {
  if (Buffer.byteLength(path) > pathBytesMax) {
    throw new Error(`the path of the socket is longer than ${pathBytesMax} bytes: ${path}`);
  }
  prepareFolder(dirname(path));
  removeSocket(path);
  const server = createServer({ keepAlive: true }, handler);
  // A kept connection that the server ends while the client sends on it would fail that request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    path,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  const isForeign = process.getuid !== undefined && uid !== process.getuid();
  if (isForeign || (mode & 0o077) !== 0) {
    throw new Error(`the folder of the socket must belong to you and be closed to others (mode 0700): ${folder}`);
  }
}

function removeSocket(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`there is something else where the socket should be: ${path}`);
  rmSync(path, { force: true });
}
