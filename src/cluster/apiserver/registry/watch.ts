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

/** `show`: an event as this watcher wants it. */
export interface ShownWatch<E> extends WatchRequest {
  readonly show: (event: StoredEvent) => E;
}

export type StoredEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: StoredObject }
  | { readonly type: "BOOKMARK"; readonly revision: number };

/**
 * Throws BadRequest and Expired at once; Expired also in the middle, for a watcher so slow that what it has not seen is
 * no longer kept. Nothing is buffered for it: it reads from the log. Ends when `signal` aborts or the server closes.
 */
export function watch<E>(
  context: RegistryContext & { readonly bookmarks: Bookmarks },
  type: ResourceType,
  { show, ...request }: ShownWatch<E>,
): AsyncIterableIterator<E> {
  const { ledger } = context;
  const filter = filterOf(type, request);
  const since = checkRevision(request.resourceVersion, ledger.revision);
  if (since !== 0 && since < ledger.floor) throw tooOld(since, ledger.floor);
  return new Watcher(context, { request, show, filter, since, collection: ledger.collection(typeName(type)) });
}

interface Watching<E> {
  readonly request: WatchRequest;
  readonly show: (event: StoredEvent) => E;
  readonly filter: Filter;
  /** 0: from what is there. */
  readonly since: number;
  readonly collection: Collection;
}

/** Who has asked for the next event, and waits for it. */
interface Asked<E> {
  readonly resolve: (result: IteratorResult<E, void>) => void;
  readonly reject: (error: unknown) => void;
}

/** For one reader, who asks again when it was answered. Not a generator: that costs every event a few promises more. */
class Watcher<E> implements AsyncIterableIterator<E> {
  readonly #context: RegistryContext & { readonly bookmarks: Bookmarks };
  readonly #watching: Watching<E>;
  readonly #bell: Bell;
  #reading: Reading | undefined;
  #asked: Asked<E> | undefined;

  constructor(context: RegistryContext & { readonly bookmarks: Bookmarks }, watching: Watching<E>) {
    this.#context = context;
    this.#watching = watching;
    this.#bell = new Bell(watching.collection, watching.request, () => this.#answer());
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<E> {
    return this;
  }

  next(): Promise<IteratorResult<E, void>> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#answer();
    });
  }

  async return(): Promise<IteratorReturnResult<void>> {
    this.#end();
    return { done: true, value: undefined };
  }

  /** Tells who asked what there is; where there is nothing yet, the bell rings when there may be. */
  #answer(): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    this.#asked = undefined;
    try {
      const result = this.#result();
      if (result === undefined) this.#asked = asked;
      else asked.resolve(result);
    } catch (error) {
      this.#end();
      asked.reject(error);
    }
  }

  #result(): IteratorResult<E, void> | undefined {
    this.#reading ??= this.#begin();
    if (this.#bell.isSilenced || this.#context.ledger.isClosed) {
      this.#end();
      return { done: true, value: undefined };
    }
    const event = this.#event(this.#reading);
    return event === undefined ? undefined : { done: false, value: this.#watching.show(event) };
  }

  #begin(): Reading {
    const { request, filter, since, collection } = this.#watching;
    const { ledger, clock, bookmarks } = this.#context;
    const reader = new LogReader(ledger, { collection, filter, seen: since === 0 ? ledger.revision : since });
    this.#bell.listen();
    return {
      reader,
      present: since === 0 ? present(collection, filter) : undefined,
      timer: this.#bell.silenceAfter(clock, request.timeoutSeconds),
      marks: request.allowBookmarks === true ? bookmarks.join(this.#bell.ring, reader.state) : undefined,
    };
  }

  #event({ present, reader, marks }: Reading): StoredEvent | undefined {
    const first = present?.next();
    return first?.done === false ? first.value : (reader.next() ?? reader.bookmark(marks));
  }

  #end(): void {
    this.#bell.silence();
    this.#reading?.timer?.cancel();
    this.#reading?.marks?.leave();
  }
}

/** From the first event that was asked for. */
interface Reading {
  readonly reader: LogReader;
  readonly present: Iterator<StoredEvent, void> | undefined;
  readonly timer: Timer | undefined;
  readonly marks: BookmarkSeat | undefined;
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

/** Rings for one watcher, which then looks; and tells it when to stop. */
class Bell {
  readonly #collection: Collection;
  readonly #signal: AbortSignal | undefined;
  #unsubscribe: () => void = () => {};
  #isSilenced = false;

  constructor(
    collection: Collection,
    { signal }: WatchRequest,
    readonly ring: () => void,
  ) {
    this.#collection = collection;
    this.#signal = signal;
  }

  get isSilenced(): boolean {
    return this.#isSilenced || this.#signal?.aborted === true;
  }

  listen(): void {
    this.#unsubscribe = this.#collection.subscribe(this.ring);
    this.#signal?.addEventListener("abort", this.ring);
  }

  silenceAfter(clock: Clock, seconds: number | undefined): Timer | undefined {
    return seconds === undefined ? undefined : clock.after(seconds * 1000, () => this.silence());
  }

  silence(): void {
    this.#isSilenced = true;
    this.#unsubscribe();
    this.#signal?.removeEventListener("abort", this.ring);
    this.ring();
  }
}
