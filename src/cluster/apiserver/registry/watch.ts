/** WATCH: the events after a revision, as one watcher sees them through its filter. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { ResourceType } from "../../../core/model/resources.js";
import type { Collection } from "../storage/collection.js";
import type { LedgerEvent } from "../storage/event-ring.js";
import { deletedAs } from "../storage/replay.js";
import type { StoredObject } from "../storage/stored-object.js";
import type { BookmarkSeat, Bookmarks } from "./bookmarks.js";
import { collectionOf, type RegistryContext } from "./context.js";
import { type Filter, filterOf, type Selection } from "./filter.js";
import { checkRevision } from "./list.js";
import { tooOld } from "./refusals.js";

export interface WatchRequest extends Selection {
  /** "" and "0": first an ADDED event for each object there is. */
  readonly resourceVersion?: string | undefined;
  readonly allowBookmarks?: boolean | undefined;
  /** The watch ends after this time. */
  readonly timeoutSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type StoredEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: StoredObject }
  | { readonly type: "BOOKMARK"; readonly revision: number };

/**
 * Throws BadRequest and Expired at once; Expired also in the middle, for a watcher so slow that what it has not seen is
 * no longer kept. Nothing is buffered for it: it reads from the log. Ends when `signal` aborts or the server closes.
 */
export function watch(
  context: RegistryContext & { readonly bookmarks: Bookmarks },
  type: ResourceType,
  request: WatchRequest,
): AsyncGenerator<StoredEvent, void, undefined> {
  const { ledger } = context;
  const filter = filterOf(type, request);
  const since = checkRevision(request.resourceVersion, ledger.revision);
  if (since !== 0 && since < ledger.floor) throw tooOld(since, ledger.floor);
  return events(context, { request, filter, since, collection: ledger.collection(collectionOf(type)) });
}

interface Watching {
  readonly request: WatchRequest;
  readonly filter: Filter;
  /** 0: from what is there. */
  readonly since: number;
  readonly collection: Collection;
}

async function* events(
  { ledger, bookmarks, clock }: RegistryContext & { readonly bookmarks: Bookmarks },
  { request, filter, since, collection }: Watching,
): AsyncGenerator<StoredEvent, void, undefined> {
  let seen = since === 0 ? ledger.revision : since;
  let cursor = collection.events.after(seen);
  const bell = new Bell(collection, request.signal);
  const { timeoutSeconds } = request;
  const timer = timeoutSeconds === undefined ? undefined : clock.after(timeoutSeconds * 1000, bell.silence);
  const marks =
    request.allowBookmarks === true
      ? bookmarks.join(bell.ring, seen < ledger.revision ? "behind" : "up to date")
      : undefined;
  try {
    if (since === 0) yield* present(collection, filter);
    while (!bell.isSilenced && !ledger.isClosed) {
      if (cursor < collection.events.first) throw tooOld(seen, ledger.floor);
      const event = collection.events.at(cursor);
      const shown = event === undefined ? bookmark(marks, ledger.revision, seen) : shownEvent(event, filter);
      if (event !== undefined) cursor++;
      if (shown === undefined) {
        if (event === undefined) await bell.rung();
        continue;
      }
      seen = event?.revision ?? ledger.revision;
      yield shown;
    }
  } finally {
    timer?.cancel();
    bell.close();
    marks?.leave();
  }
}

function bookmark(marks: BookmarkSeat | undefined, revision: number, seen: number): StoredEvent | undefined {
  return marks?.isDue() === true && revision > seen ? { type: "BOOKMARK", revision } : undefined;
}

function* present(collection: Collection, filter: Filter): Generator<StoredEvent, void, undefined> {
  const objects = collection.paths().map((path) => collection.entries.get(path)?.committed);
  for (const object of objects) {
    if (object !== undefined && filter(object.bare)) yield { type: "ADDED", object };
  }
}

/** An object that begins or ceases to match the filter is added or deleted, for this watcher. */
function shownEvent({ before, after, last, revision }: LedgerEvent, filter: Filter): StoredEvent | undefined {
  const was = before !== undefined && filter(before.bare);
  const is = after !== undefined && filter(after.bare);
  if (is) return { type: was ? "MODIFIED" : "ADDED", object: after };
  if (!was) return undefined;
  // Without the after-image: this watcher may not know what the object has become.
  const object = after === undefined ? last : deletedAs(before, { revision, uid: uidOf(before.bare) });
  return { type: "DELETED", object };
}

function uidOf(object: KubeObject): string {
  return object.metadata.uid ?? "";
}

/** Wakes one waiting watcher. */
class Bell {
  readonly #signal: AbortSignal | undefined;
  readonly #unsubscribe: () => void;
  #wake: (() => void) | undefined;
  #isRung = false;
  #isSilenced = false;

  constructor(collection: Collection, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#unsubscribe = collection.subscribe(this.ring);
    signal?.addEventListener("abort", this.ring);
  }

  get isSilenced(): boolean {
    return this.#isSilenced || this.#signal?.aborted === true;
  }

  readonly silence = (): void => {
    this.#isSilenced = true;
    this.ring();
  };

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake?.();
    this.#wake = undefined;
  };

  async rung(): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isRung = false;
  }

  close(): void {
    this.#unsubscribe();
    this.#signal?.removeEventListener("abort", this.ring);
  }
}
