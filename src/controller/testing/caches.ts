/** Caches as a test fills them: what it does not name, they have not seen. */

import type { Caches } from "../caches.js";

export function cachesOf(seen: Partial<Caches> = {}): Caches {
  return {
    workflow: () => undefined,
    podsOf: () => [],
    podsOfNode: () => [],
    pod: () => undefined,
    taskResultsOf: () => [],
    taskResult: () => undefined,
    isCurrent: () => true,
    awaitView: () => undefined,
    ...seen,
  };
}
