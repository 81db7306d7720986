/** I2: no write without its precondition, and none that is based on a view older than our last write of the object. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import { pods } from "../../../src/core/model/resources.js";
import type { SentWrite } from "../world/network.js";
import type { MakeInvariant } from "./invariant.js";

interface Condition {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

export const preconditions: MakeInvariant = (_world, fail) => {
  /** By process and UID: the revision of its last write that it knows of. */
  const lastWrites = new Map<string, number>();

  function check(write: SentWrite): void {
    if (write.verb === "create") return;
    const { uid, resourceVersion } = conditionOf(write);
    if (uid === undefined || uid === "") fail(`${textOf(write)} without a UID`);
    if (!isOfRevision(write)) return;
    if (resourceVersion === undefined || resourceVersion === "") fail(`${textOf(write)} without a resourceVersion`);
    const last = lastWrites.get(`${write.process.name} ${uid}`);
    if (last !== undefined && Number(resourceVersion) < last)
      fail(`${textOf(write)} from a view of revision ${resourceVersion}, though it wrote revision ${last}`);
  }

  return {
    sent: check,
    answered: ({ process, object }) => {
      const { uid, resourceVersion } = object?.metadata ?? {};
      if (uid !== undefined) lastWrites.set(`${process.name} ${uid}`, Number(resourceVersion));
    },
  };
};

function textOf({ process, verb, type, key }: SentWrite): string {
  return `${process.name}: ${verb} of ${type.plural} ${key.name}`;
}

/** A deletion goes by UID; but the controller's of a pod is decided from more than that it is the same one. */
function isOfRevision({ verb, type, process }: SentWrite): boolean {
  return verb !== "delete" || (type === pods && process.role.startsWith("controller"));
}

function conditionOf({ verb, body }: SentWrite): Condition {
  if (verb === "delete") {
    const { preconditions: given } = body as { readonly preconditions?: Partial<Condition> };
    return { uid: given?.uid, resourceVersion: given?.resourceVersion };
  }
  const object = verb === "patch" ? (body as { readonly body: unknown }).body : body;
  const { metadata } = object as Partial<KubeObject>;
  return { uid: metadata?.uid, resourceVersion: metadata?.resourceVersion };
}
