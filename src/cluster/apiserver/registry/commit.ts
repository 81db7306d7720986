/** The last step of every write: decide against the head, queue, and answer after the commit. */

import type { ResourceType } from "../../../core/model/resources.js";
import type { WriteOptions } from "../../../kube/client.js";
import { ApiError, TransportError } from "../../../kube/errors.js";
import { typeName } from "../../../kube/key.js";
import { type Collection, headOf } from "../storage/collection.js";
import { deletedAs } from "../storage/replay.js";
import type { StoredObject } from "../storage/stored-object.js";
import { pathOf, type RegistryContext } from "./context.js";
import { type Draft, storedAs } from "./draft.js";

/** The object a write is about. */
export interface Target {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** What is to be done, decided from the head in one step. */
export type Intent =
  | { readonly kind: "put"; readonly draft: Draft }
  /** `draft`: the last state, as watchers see it in the DELETED event. */
  | { readonly kind: "remove"; readonly draft: Draft }
  | { readonly kind: "nothing" };

export interface Written {
  /** The object as of its newest revision. */
  readonly object: StoredObject;
  readonly isGone: boolean;
}

/**
 * Calls `decide` with the head of the target and carries its intent out. A refusal, or that there is nothing to do,
 * may rest on a write that is not durable yet: then it is told only after that write's commit, and decided again if
 * that write was lost. Rejects with what `decide` throws. `onOrdered`: see the client's {@link WriteOptions}.
 */
export async function commit(
  context: RegistryContext,
  target: Target,
  decide: (head: StoredObject | undefined) => Intent,
  { onOrdered }: Pick<WriteOptions, "onOrdered"> = {},
): Promise<Written | undefined> {
  const { ledger } = context;
  const collection = ledger.collection(typeName(target.type));
  const path = pathOf(target.namespace, target.name);
  for (;;) {
    checkOpen(context);
    const entry = collection.entries.get(path);
    const head = headOf(entry);
    const decided = attempt(decide, head);
    if (decided.ok && decided.intent.kind !== "nothing") {
      const { done, written } = stage(context, { collection, path, head, intent: decided.intent });
      onOrdered?.();
      if (!(await done)) throw lost(context);
      return written;
    }
    const pending = entry?.pending.at(-1);
    if (pending !== undefined && !(await pending.done)) continue;
    if (!decided.ok) throw decided.error;
    return head === undefined ? undefined : { object: head, isGone: false };
  }
}

type Attempt = { readonly ok: true; readonly intent: Intent } | { readonly ok: false; readonly error: unknown };

function attempt(decide: (head: StoredObject | undefined) => Intent, head: StoredObject | undefined): Attempt {
  try {
    return { ok: true, intent: decide(head) };
  } catch (error) {
    return { ok: false, error };
  }
}

interface Step {
  readonly collection: Collection;
  readonly path: string;
  readonly head: StoredObject | undefined;
  readonly intent: Exclude<Intent, { readonly kind: "nothing" }>;
}

function stage(context: RegistryContext, { collection, path, head, intent }: Step) {
  const { ledger } = context;
  const revision = ledger.nextRevision();
  const field = ledger.rowFieldOf(collection.name);
  if (intent.kind === "put") {
    const after = storedAs(intent.draft, head, revision, field);
    const write = { collection, path, revision, before: head, after, last: after, rows: intent.draft.rows };
    return { done: ledger.stage(write), written: { object: after, isGone: false } };
  }
  const state =
    head === undefined || intent.draft.bare === head.bare ? head : storedAs(intent.draft, head, revision, field);
  const last = deletedAs(state, { revision, uid: intent.draft.bare.metadata.uid ?? "" });
  const write = { collection, path, revision, before: head, after: undefined, last, rows: [] };
  return { done: ledger.stage(write), written: { object: last, isGone: true } };
}

/** Throws when nothing can be written. */
function checkOpen({ ledger }: RegistryContext): void {
  if (ledger.isClosed) throw new TransportError("the server is closed");
  if (ledger.access === "read") throw new ApiError(405, "MethodNotAllowed", "the store was opened for reading only");
  const failure = ledger.failure;
  if (failure !== undefined) throw refusedBy(failure);
}

function lost({ ledger }: RegistryContext): Error {
  const fault = ledger.lastFault;
  return fault === undefined ? new TransportError("the server is closed") : refusedBy(fault);
}

function refusedBy(fault: { readonly fault: string; readonly message: string }): Error {
  if (fault.fault === "full") return new ApiError(500, "InternalError", `the change was not saved: ${fault.message}`);
  return new TransportError(`the store failed: ${fault.message}`);
}
