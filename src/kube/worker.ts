/** Workers over a queue: each takes a key, lets the handler work on it, and puts the key where its answer says. */

import { ApiError } from "./errors.js";
import type { WorkQueue } from "./workqueue/work-queue.js";

/** What a pass over one key came to. A pass that fails throws: its key comes again after a growing backoff. */
export type Outcome =
  /** Nothing to do until something happens, or until `wakeAt` (wall clock, milliseconds since the epoch). */
  | { readonly kind: "done"; readonly wakeAt?: number }
  /** Again after `afterMs`: not a failure, no backoff. */
  | { readonly kind: "retry"; readonly afterMs: number };

/** The answer of a pass that has nothing to wait for. */
export const done: Outcome = { kind: "done" };

export interface Failure {
  readonly key: string;
  readonly error: unknown;
  /** In a row, this one counted. */
  readonly failures: number;
  readonly retryMs: number;
}

export interface WorkersOptions {
  readonly queue: WorkQueue;
  /** At most so many keys at once; each key at most once. */
  readonly workers: number;
  /** One pass. `signal` aborts when the workers shall stop: a pass may end early, but need not. */
  readonly handle: (key: string, signal: AbortSignal) => Promise<Outcome>;
  readonly onFailure?: (failure: Failure) => void;
}

/** Runs until `signal` aborts and all passes under way have ended. Shuts the queue down; never rejects. */
export async function runWorkers(options: WorkersOptions, signal: AbortSignal): Promise<void> {
  const { queue, workers } = options;
  const shutDown = (): void => queue.shutDown();
  signal.addEventListener("abort", shutDown, { once: true });
  if (signal.aborted) shutDown();
  const passes = new Set<Promise<void>>();
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    const pass = runPass(options, key, signal).then(() => void passes.delete(pass));
    passes.add(pass);
    if (passes.size >= workers) await Promise.race(passes);
  }
  await Promise.all(passes);
  signal.removeEventListener("abort", shutDown);
}

async function runPass({ queue, handle, onFailure }: WorkersOptions, key: string, signal: AbortSignal): Promise<void> {
  try {
    // What this pass answers takes the place of what the last one wanted to be woken for.
    queue.wakeAt(key, undefined);
    const outcome = await handle(key, signal);
    queue.forget(key);
    if (outcome.kind === "retry") queue.addAfter(key, outcome.afterMs);
    else queue.wakeAt(key, outcome.wakeAt);
  } catch (error) {
    const retryMs = queue.addFailed(key, askedWaitMs(error));
    if (!signal.aborted) report(onFailure, { key, error, failures: queue.failures(key), retryMs });
  } finally {
    queue.done(key);
  }
}

function askedWaitMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
}

/** A reporter that throws must not take its worker down. */
function report(onFailure: WorkersOptions["onFailure"], failure: Failure): void {
  try {
    onFailure?.(failure);
  } catch {
    // There is nobody left to tell.
  }
}
