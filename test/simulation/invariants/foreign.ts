/** I4: what others put on an object stays, byte for byte and in its order. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { TruthEvent } from "../world/truth.js";
import type { MakeInvariant } from "./invariant.js";

const PREFIX = "foreign.example/";

export const foreignUntouched: MakeInvariant = (_world, fail) => {
  const writers = new Map<string, string>();

  return {
    committed: ({ process, verb, body, object }) => {
      // Of what is being deleted already a delete changes nothing, and answers a version that another wrote.
      if (object === undefined || verb === "delete" || changedNothing(body, object)) return;
      writers.set(versionOf(object), process.name);
    },
    event: ({ before, after }: TruthEvent) => {
      if (before === undefined || after === undefined) return;
      const writer = writers.get(versionOf(after));
      if (writer === undefined) return;
      writers.delete(versionOf(after));
      if (isUntouched(before, after)) return;
      const [was, is] = [foreignOf(before), foreignOf(after)];
      if (was !== is) fail(`${writer} changed what others put on ${after.metadata.name}: ${was} became ${is}`);
    },
  };
};

/** What an update leaves alone is shared with the object before it. */
function isUntouched({ metadata: was }: KubeObject, { metadata: is }: KubeObject): boolean {
  return was.labels === is.labels && was.annotations === is.annotations && was.finalizers === is.finalizers;
}

/** It is answered with the version that it was made on. */
function changedNothing(body: unknown, { metadata }: KubeObject): boolean {
  const sent = (body as Partial<KubeObject> | undefined)?.metadata?.resourceVersion;
  return sent !== undefined && sent === metadata.resourceVersion;
}

function versionOf({ metadata }: KubeObject): string {
  return `${metadata.uid}/${metadata.resourceVersion}`;
}

function foreignOf({ metadata }: KubeObject): string {
  const own = (map: Readonly<Record<string, string>> | undefined): readonly (readonly [string, string])[] =>
    Object.entries(map ?? {}).filter(([name]) => name.startsWith(PREFIX));
  const finalizers = (metadata.finalizers ?? []).filter((name) => name.startsWith(PREFIX));
  return JSON.stringify([own(metadata.labels), own(metadata.annotations), finalizers]);
}
