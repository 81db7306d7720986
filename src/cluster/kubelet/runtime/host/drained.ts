/** When the output of a container that has ended is all read. */

import { Socket } from "node:net";
import type { Readable } from "node:stream";

/** How long the pipes may stay open once all processes of the container are gone, as far as we know. */
const PIPE_GRACE_MS = 500;
/** More than lay in a pipe when its process ended. */
const PIPE_BYTES_MAX = 1024 * 1024;

/**
 * Resolves once `pumped` has, or soon: a process that left the container's group may hold the pipes open. It ends with its
 * container (`endStrays`), and if it cannot be found, we let go of the pipes.
 */
export async function drained(
  pumped: Promise<unknown>,
  streams: readonly Readable[],
  endStrays: () => Promise<void>,
): Promise<void> {
  const done = pumped.then(() => true);
  if (await Promise.race([done, after(PIPE_GRACE_MS / 10)])) return;
  await endStrays();
  if (await Promise.race([done, after(PIPE_GRACE_MS)])) return;
  await emptied(streams);
  for (const stream of streams) stream.destroy();
  await pumped;
}

/** This process may have stood still for all the grace: what is in the pipes already has to be read. */
async function emptied(streams: readonly Readable[]): Promise<void> {
  const first = bytesRead(streams);
  for (let before = -1, now = first; now !== before && now - first < PIPE_BYTES_MAX; now = bytesRead(streams)) {
    before = now;
    // Everything that can be read is read between two of these.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function bytesRead(streams: readonly Readable[]): number {
  return streams.reduce((sum, stream) => sum + (stream instanceof Socket ? stream.bytesRead : 0), 0);
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), milliseconds).unref();
  });
}
