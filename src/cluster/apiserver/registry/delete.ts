/** DELETE: at once, after a grace period, or when the last finalizer goes. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { rfc3339OfMs } from "../../../core/std/time.js";
import type { DeleteOptions } from "../../../kube/client.js";
import { commit, type Intent, type Target, type Written } from "./commit.js";
import type { RegistryContext } from "./context.js";
import { finalizersOf, isDeleting, objectField, withField } from "./fields.js";
import { isHeld } from "./lifecycle.js";
import { notFound, preconditionFailed } from "./refusals.js";
import { strategyOf } from "./strategy-table.js";

/** The collector takes these away when what they wait for is done. */
export const foregroundFinalizer = "foregroundDeletion";
export const orphanFinalizer = "orphan";

/** The object as it stands afterwards, or its last state. Rejects with ApiError as Kubernetes' DELETE does. */
export async function remove(context: RegistryContext, target: Target, options: DeleteOptions = {}): Promise<Written> {
  const written = await commit(context, target, (head): Intent => {
    if (head === undefined) throw notFound(target.type, target.name);
    checkPreconditions(target, head.bare, options);
    const next = deleting(context, target, head.bare, options);
    if (next === head.bare) return { kind: "nothing" };
    return { kind: isHeld(next) ? "put" : "remove", draft: { bare: next, rows: [] } };
  });
  if (written === undefined) throw notFound(target.type, target.name);
  return written;
}

function checkPreconditions({ type, name }: Target, head: KubeObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== head.metadata.uid) {
    throw preconditionFailed({ type, name }, "UID", { wanted: uid, found: head.metadata.uid ?? "" });
  }
  if (resourceVersion !== undefined && resourceVersion !== head.metadata.resourceVersion) {
    const values = { wanted: resourceVersion, found: head.metadata.resourceVersion ?? "" };
    throw preconditionFailed({ type, name }, "ResourceVersion", values);
  }
}

/** `object` marked as deleting; itself where the request asks for nothing new. */
function deleting(context: RegistryContext, { type }: Target, object: KubeObject, options: DeleteOptions) {
  const grace = strategyOf(type).grace?.(object, options.gracePeriodSeconds) ?? 0;
  const finalizers = finalizersFor(object, options);
  const { generation } = object.metadata;
  if (isDeleting(object)) return hurried(object, grace, finalizers);
  const marks = {
    deletionTimestamp: rfc3339OfMs(context.clock.now() + grace * 1000),
    deletionGracePeriodSeconds: grace,
    ...(generation !== undefined && { generation: generation + 1 }),
    ...(finalizers && { finalizers }),
  };
  return terminating(marked(object, marks));
}

/** A later request may only shorten the grace that is left, and say what becomes of dependents. */
function hurried(object: KubeObject, grace: number, finalizers: readonly string[] | undefined): KubeObject {
  const left = object.metadata.deletionGracePeriodSeconds ?? 0;
  const isShorter = grace < left;
  if (!isShorter && finalizers === undefined && isHeld(object)) return object;
  return marked(object, {
    deletionGracePeriodSeconds: isShorter ? grace : left,
    ...(isShorter && { deletionTimestamp: rfc3339OfMs(startOf(object) + grace * 1000) }),
    ...(finalizers && { finalizers }),
  });
}

function startOf(object: KubeObject): number {
  const { deletionTimestamp = "", deletionGracePeriodSeconds = 0 } = object.metadata;
  return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

function marked(object: KubeObject, marks: KubeObject["metadata"]): KubeObject {
  const { finalizers, ...rest } = { ...object.metadata, ...marks };
  return { ...object, metadata: { ...rest, ...(finalizers !== undefined && finalizers.length > 0 && { finalizers }) } };
}

function terminating(object: KubeObject): KubeObject {
  if (object.kind !== "Namespace" || object.apiVersion !== "v1") return object;
  return withField(object, "status", { ...objectField(object, "status"), phase: "Terminating" });
}

/** Undefined: as they are. */
function finalizersFor(object: KubeObject, { propagationPolicy }: DeleteOptions): readonly string[] | undefined {
  const before = finalizersOf(object);
  const others = before.filter((finalizer) => finalizer !== foregroundFinalizer && finalizer !== orphanFinalizer);
  const wanted = { Foreground: [foregroundFinalizer], Orphan: [orphanFinalizer], Background: [] };
  if (propagationPolicy === undefined) return undefined;
  const after = [...others, ...wanted[propagationPolicy]];
  return after.length === before.length && after.every((item) => before.includes(item)) ? undefined : after;
}
