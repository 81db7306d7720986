/** The Event object of a note, and the patch that counts it up. */

import type { Event, ObjectReference } from "../../core/model/kube/core.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { rfc3339OfMs } from "../../core/std/time.js";
import type { Patch } from "../client.js";
import type { Note } from "./correlate.js";

export interface Source {
  /** Who says it: `workflow-controller`. */
  readonly component: string;
  readonly host?: string;
}

/** Kubernetes refuses longer ones. */
const messageLengthMax = 1024;
const namespaceOfClusterScoped = "default";

/** How an event names the object it is about. */
export function referenceTo(object: KubeObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

export function eventObject(
  note: Note,
  name: string,
  source: Source,
  nowMs: number,
): Event & { readonly metadata: { readonly namespace: string; readonly name: string } } {
  const time = rfc3339OfMs(nowMs);
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      namespace: note.object.namespace ?? namespaceOfClusterScoped,
      name,
      ...(note.annotations === undefined ? {} : { annotations: note.annotations }),
    },
    involvedObject: note.object,
    reason: note.reason,
    message: cut(note.message),
    type: note.type,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source,
    reportingComponent: source.component,
    reportingInstance: source.host ?? "",
  };
}

export function countPatch(note: Note, count: number, nowMs: number): Patch {
  return { type: "merge", body: { count, lastTimestamp: rfc3339OfMs(nowMs), message: cut(note.message) } };
}

function cut(message: string): string {
  return message.length <= messageLengthMax ? message : `${message.slice(0, messageLengthMax - 3)}...`;
}
