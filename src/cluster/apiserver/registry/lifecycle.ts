/** Whether a deleting object still waits for someone. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { finalizersOf, isDeleting, objectField } from "./fields.js";
import { namespaceFinalizer } from "./strategies/namespace.js";

/** For finalizers, for its grace period, or for a namespace to be emptied. */
export function isHeld(object: KubeObject): boolean {
  return (
    finalizersOf(object).length > 0 || (object.metadata.deletionGracePeriodSeconds ?? 0) > 0 || isHeldNamespace(object)
  );
}

function isHeldNamespace(object: KubeObject): boolean {
  if (object.kind !== "Namespace" || object.apiVersion !== "v1") return false;
  const { finalizers } = objectField(object, "spec");
  return Array.isArray(finalizers) && finalizers.includes(namespaceFinalizer);
}

/** A deleting object that waits for nobody goes with the write that made it so. */
export function isReleased(object: KubeObject): boolean {
  return isDeleting(object) && !isHeld(object);
}
