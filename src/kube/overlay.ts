/** Read your own writes: which objects a watch stream shows older than we have written them (design: laws of the shell). */

import type { KubeObject } from "../core/model/kube/meta.js";
import type { ResourceType } from "../core/model/resources.js";
import { keyTextOf, typeName } from "./key.js";
import type { Change, Progress, Reflector } from "./reflector.js";
import { compareRevisions, isOlder } from "./revision.js";
import type { ReadonlyStore } from "./store.js";

/** The part of a reflector the overlay needs. */
export interface FollowedStream {
  readonly type: ResourceType;
  readonly revision: string | undefined;
  readonly store: Pick<ReadonlyStore<KubeObject>, "getByUid">;
  readonly addHandler: Reflector<KubeObject>["addHandler"];
}

/** Told when a stream shows an object current again, so that who put its key aside can take it up. */
export type CurrentListener = (released: {
  readonly type: ResourceType;
  readonly uid: string;
  readonly key: string;
  /** Whether anybody asked meanwhile, and was told that it is not current. */
  readonly isAwaited: boolean;
}) => void;

interface Entry {
  readonly key: string;
  /** Undefined: we deleted it, and the stream has still to say so. */
  readonly revision: string | undefined;
  /** When we wrote it, counted in writes. */
  readonly serial: number;
  isAwaited: boolean;
}

/**
 * For each stream by itself: UID -> resourceVersion of our last write. An entry goes when its stream passes it (event,
 * bookmark, list), or when the server's revision went back (restored backup).
 */
export class Overlay {
  readonly #streams = new Map<string, StreamWrites[]>();
  readonly #listeners = new Set<CurrentListener>();
  #serial = 0;

  /** From now on our writes of the stream's type hold for this stream too. Answers how to stop that. */
  follow(stream: FollowedStream): () => void {
    const name = typeName(stream.type);
    const writes = new StreamWrites(stream, (uid, entry) => this.#released(stream.type, uid, entry));
    this.#streams.set(name, [...(this.#streams.get(name) ?? []), writes]);
    return () => {
      writes.stop();
      const others = (this.#streams.get(name) ?? []).filter((other) => other !== writes);
      if (others.length === 0) this.#streams.delete(name);
      else this.#streams.set(name, others);
    };
  }

  onCurrent(listener: CurrentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether every stream of `type` shows the object at least as new as we have written it. */
  isCurrent(type: ResourceType, uid: string): boolean {
    return this.#of(type).every((writes) => writes.isCurrent(uid));
  }

  /** How many writes have been noted; to be taken before a live read that {@link readLive} is then told of. */
  get serial(): number {
    return this.#serial;
  }

  /** `object` is what the API answered to our write. */
  wrote(type: ResourceType, object: KubeObject): void {
    const { uid, resourceVersion } = object.metadata;
    if (uid === undefined || resourceVersion === undefined) return;
    const entry = { key: keyTextOf(object), revision: resourceVersion, serial: ++this.#serial, isAwaited: false };
    for (const writes of this.#of(type)) writes.note(uid, entry);
  }

  /** Our delete took the object away at once. */
  deleted(type: ResourceType, uid: string, key: string): void {
    const entry = { key, revision: undefined, serial: ++this.#serial, isAwaited: false };
    for (const writes of this.#of(type)) writes.noteDeleted(uid, entry);
  }

  /**
   * A consistent read, begun when `serial` writes had been noted. Does it answer an object older than one of those, the
   * server's revision went back, and no stream will ever pass what we wrote before.
   */
  readLive(type: ResourceType, object: KubeObject, serial: number): void {
    const { uid = "", resourceVersion = "" } = object.metadata;
    for (const writes of this.#of(type)) writes.readLive(uid, resourceVersion, serial);
  }

  /** Entries held, over all streams. */
  get size(): number {
    let size = 0;
    for (const streams of this.#streams.values()) for (const writes of streams) size += writes.size;
    return size;
  }

  #of(type: ResourceType): readonly StreamWrites[] {
    return this.#streams.get(typeName(type)) ?? [];
  }

  #released(type: ResourceType, uid: string, { key, isAwaited }: Entry): void {
    for (const listener of this.#listeners) listener({ type, uid, key, isAwaited });
  }
}

class StreamWrites {
  /** In the order written, so nearly by revision: what a stream passes stands in front. */
  readonly #entries = new Map<string, Entry>();
  readonly #stream: FollowedStream;
  readonly #released: (uid: string, entry: Entry) => void;
  readonly stop: () => void;

  constructor(stream: FollowedStream, released: (uid: string, entry: Entry) => void) {
    this.#stream = stream;
    this.#released = released;
    this.stop = stream.addHandler({
      changed: (change) => this.#changed(change),
      passed: (progress) => this.#passed(progress),
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  isCurrent(uid: string): boolean {
    const entry = this.#entries.get(uid);
    if (entry !== undefined) entry.isAwaited = true;
    return entry === undefined;
  }

  note(uid: string, entry: Entry & { readonly revision: string }): void {
    // The event may have overtaken the answer to the write.
    if (this.#hasPassed(entry.revision)) return;
    const known = this.#entries.get(uid);
    if (known !== undefined && known.revision === undefined) return;
    if (known?.revision !== undefined && isOlder(entry.revision, known.revision)) return;
    this.#entries.delete(uid);
    this.#entries.set(uid, { ...entry, isAwaited: known?.isAwaited ?? false });
  }

  /** Only of what the stream still shows: else its delete has been told already, or is never told. */
  noteDeleted(uid: string, entry: Entry): void {
    if (this.#stream.store.getByUid(uid) === undefined) return;
    this.#entries.set(uid, { ...entry, isAwaited: this.#entries.get(uid)?.isAwaited ?? false });
  }

  readLive(uid: string, revision: string, serial: number): void {
    const entry = this.#entries.get(uid);
    if (entry?.revision === undefined || entry.serial > serial) return;
    if (isOlder(revision, entry.revision)) this.#clear();
  }

  #clear(): void {
    for (const uid of [...this.#entries.keys()]) this.#release(uid);
  }

  #changed(change: Change<KubeObject>): void {
    const { uid = "", resourceVersion = "" } = change.object.metadata;
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    if (change.type === "deleted" || covers(resourceVersion, entry.revision)) this.#release(uid);
  }

  #passed(progress: Progress): void {
    if (progress.kind === "rewound") this.#clear();
    for (const [uid, entry] of this.#entries) {
      if (this.#isPassed(uid, entry, progress)) this.#release(uid);
      // Events are many: they look at the front only. Bookmarks and lists look at all.
      else if (progress.kind === "event" && entry.revision !== undefined) break;
    }
  }

  #isPassed(uid: string, entry: Entry, progress: Progress): boolean {
    if (entry.revision !== undefined) return covers(progress.revision, entry.revision);
    return progress.kind === "list" && this.#stream.store.getByUid(uid) === undefined;
  }

  #hasPassed(revision: string): boolean {
    return this.#stream.revision !== undefined && covers(this.#stream.revision, revision);
  }

  #release(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#entries.delete(uid);
    this.#released(uid, entry);
  }
}

/** Whether a view at `reached` shows what was written at `written`. Where nothing can be concluded: equal text only. */
function covers(reached: string, written: string | undefined): boolean {
  if (written === undefined) return false;
  const order = compareRevisions(reached, written);
  return order === undefined ? reached === written : order >= 0;
}
