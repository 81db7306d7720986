/** WATCH: the events after a revision, as one watcher sees them through its filter. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { ResourceType } from "../../../core/model/resources.js";
import type { Clock, Timer } from "../../../kube/clock.js";
import { typeName } from "../../../kube/key.js";
import type { Collection } from "../storage/collection.js";
import type { LedgerEvent } from "../storage/event-ring.js";
import type { Ledger } from "../storage/ledger.js";
import { deletedAs } from "../storage/replay.js";
import type { StoredObject } from "../storage/stored-object.js";
import type { BookmarkSeat, Bookmarks } from "./bookmarks.js";
import type { RegistryContext } from "./context.js";
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
  return events(context, { request, filter, since, collection: ledger.collection(typeName(type)) });
}

interface Watching {
  readonly request: WatchRequest;
  readonly filter: Filter;
  /** 0: from what is there. */
  readonly since: number;
  readonly collection: Collection;
}

async function* events(
  context: RegistryContext & { readonly bookmarks: Bookmarks },
  { request, filter, since, collection }: Watching,
): AsyncGenerator<StoredEvent, void, undefined> {
  const reader = new LogReader(context.ledger, {
    collection,
    filter,
    seen: since === 0 ? context.ledger.revision : since,
  });
  const bell = new Bell(collection, request);
  const timer = bell.silenceAfter(context.clock, request.timeoutSeconds);
  const marks = request.allowBookmarks === true ? context.bookmarks.join(bell.ring, reader.state) : undefined;
  try {
    if (since === 0) yield* present(collection, filter);
    while (!bell.isSilenced && !context.ledger.isClosed) {
      const event = reader.next() ?? reader.bookmark(marks);
      if (event === undefined) await bell.rung();
      else yield event;
    }
  } finally {
    timer?.cancel();
    bell.close();
    marks?.leave();
  }
}

interface Position {
  readonly collection: Collection;
  readonly filter: Filter;
  /** What the watcher knows already. */
  readonly seen: number;
}

/** One watcher's place in the log. */
class LogReader {
  readonly #ledger: Ledger;
  readonly #collection: Collection;
  readonly #filter: Filter;
  #seen: number;
  #cursor: number;

  constructor(ledger: Ledger, { collection, filter, seen }: Position) {
    this.#ledger = ledger;
    this.#collection = collection;
    this.#filter = filter;
    this.#seen = seen;
    this.#cursor = collection.events.after(seen);
  }

  get state(): "behind" | "up to date" {
    return this.#seen < this.#ledger.revision ? "behind" : "up to date";
  }

  /** Undefined: there is nothing more now. Throws Expired. */
  next(): StoredEvent | undefined {
    const { events } = this.#collection;
    if (this.#cursor < events.first) throw tooOld(this.#seen, this.#ledger.floor);
    for (let event = events.at(this.#cursor); event !== undefined; event = events.at(this.#cursor)) {
      this.#cursor++;
      const shown = shownEvent(event, this.#filter);
      if (shown === undefined) continue;
      this.#seen = event.revision;
      return shown;
    }
    return undefined;
  }

  /** To be asked when there is nothing more. */
  bookmark(marks: BookmarkSeat | undefined): StoredEvent | undefined {
    if (marks?.isDue() !== true || this.state === "up to date") return undefined;
    this.#seen = this.#ledger.revision;
    return { type: "BOOKMARK", revision: this.#seen };
  }
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

/** Wakes one waiting watcher, and tells it when to stop. */
class Bell {
  readonly #signal: AbortSignal | undefined;
  readonly #unsubscribe: () => void;
  #wake: (() => void) | undefined;
  #isRung = false;
  #isSilenced = false;

  constructor(collection: Collection, { signal }: WatchRequest) {
    this.#signal = signal;
    this.#unsubscribe = collection.subscribe(this.ring);
    signal?.addEventListener("abort", this.ring);
  }

  get isSilenced(): boolean {
    return this.#isSilenced || this.#signal?.aborted === true;
  }

  silenceAfter(clock: Clock, seconds: number | undefined): Timer | undefined {
    if (seconds === undefined) return undefined;
    return clock.after(seconds * 1000, () => {
      this.#isSilenced = true;
      this.ring();
    });
  }

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
