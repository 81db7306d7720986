/** A controller from its parts: reflectors fill the stores, and workers begin when all of them are in sync. */

import type { KubeObject } from "../core/model/kube/meta.js";
import { keyTextOf } from "./key.js";
import type { Change, ViewHandler } from "./reflector.js";
import { runWorkers, type WorkersOptions } from "./worker.js";
import type { WorkQueue } from "./workqueue/work-queue.js";

/** The part of a reflector a controller runs; reflectors of different types stand side by side. */
export interface RunnableReflector {
  readonly synced: Promise<boolean>;
  run(signal: AbortSignal): Promise<void>;
}

export interface ControllerOptions extends WorkersOptions {
  /** All that `handle` reads. None is decided from before every one has its first list: a pod whose workflow is not yet
   * listed would look like an orphan. */
  readonly reflectors: readonly RunnableReflector[];
}

/** Runs until `signal` aborts and all passes under way have ended; never rejects. Each term as leader has reflectors and a
 * queue of its own: their lists must begin after the lease is held. */
export async function runController(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const running = options.reflectors.map((reflector) => reflector.run(signal));
  const synced = await Promise.all(options.reflectors.map((reflector) => reflector.synced));
  if (synced.every((isSynced) => isSynced)) await runWorkers(options, signal);
  else options.queue.shutDown();
  await Promise.all(running);
}

/** A handler that puts a key on the queue for each change: the object's own, or those that `keysOf` names. */
export function enqueuing<T extends KubeObject>(
  queue: WorkQueue,
  keysOf: (change: Change<T>) => readonly string[] = ({ object }) => [keyTextOf(object)],
): ViewHandler<T> {
  return {
    changed: (change) => {
      for (const key of keysOf(change)) queue.add(key);
    },
  };
}
