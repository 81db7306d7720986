/** Events are forgotten an hour after their last change, as on any cluster: else they would grow without end. */

import { events } from "../../../core/model/resources.js";
import { typeName } from "../../../kube/key.js";
import type { LedgerEvent } from "../storage/event-ring.js";
import type { StoredObject } from "../storage/stored-object.js";
import { pathOf, type RegistryContext } from "./context.js";
import { remove } from "./delete.js";

const lifetimeMs = 60 * 60 * 1000;

interface Aging {
  readonly object: StoredObject;
  readonly sinceMs: number;
}

/** It looks only when an event is written, so a server at rest has no timer. */
export class Expiry {
  readonly #context: RegistryContext;
  #aging: Aging[] = [];

  constructor(context: RegistryContext) {
    this.#context = context;
  }

  /** Events from before are as old as this process. */
  start(): void {
    const sinceMs = this.#context.clock.monotonic();
    for (const { committed } of this.#context.ledger.collection(typeName(events)).entries.values()) {
      if (committed !== undefined) this.#aging.push({ object: committed, sinceMs });
    }
    this.#context.ledger.onCommit((commits) => this.#committed(commits));
  }

  #committed(commits: readonly LedgerEvent[]): void {
    const sinceMs = this.#context.clock.monotonic();
    const known = this.#aging.length;
    for (const { collection, after } of commits) {
      if (collection === typeName(events) && after !== undefined) this.#aging.push({ object: after, sinceMs });
    }
    if (this.#aging.length === known) return;
    const young = this.#aging.findIndex((aging) => sinceMs - aging.sinceMs < lifetimeMs);
    for (const { object } of this.#aging.splice(0, Math.max(0, young))) this.#expire(object);
  }

  /** Unless it was changed since; then it comes up again. */
  #expire({ bare, revision }: StoredObject): void {
    const { namespace, name = "", uid = "", resourceVersion = "" } = bare.metadata;
    const collection = this.#context.ledger.collection(typeName(events));
    if (collection.entries.get(pathOf(namespace, name))?.committed?.revision !== revision) return;
    const preconditions = { uid, resourceVersion };
    // In vain when someone else was quicker, or the store fails: the next start finds it again.
    remove(this.#context, { type: events, namespace, name }, { preconditions }).catch(() => {});
  }
}
