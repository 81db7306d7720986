/** The fields of metadata that the server owns, and the rules for the others. */

import type { KubeObject, ObjectMeta } from "../../../core/model/kube/meta.js";
import { isJsonObject } from "../../../core/std/json.js";
import { plain } from "../../../core/std/plain.js";
import { labelKeyFault, labelsFault } from "../../../kube/selectors.js";

/** A new object's metadata: what the client may not set is gone, what the server sets is there. */
export function createdMetadata(
  given: ObjectMeta,
  set: Pick<Required<ObjectMeta>, "name" | "uid" | "creationTimestamp" | "resourceVersion"> & {
    readonly namespace?: string;
    readonly generation?: number;
  },
): ObjectMeta {
  const {
    selfLink: _selfLink,
    managedFields: _managedFields,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    namespace: _namespace,
    ...rest
  } = given;
  return { ...plain, ...withoutEmpty(rest), ...set };
}

const ownedFields = [
  ...["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"],
  ...["namespace", "resourceVersion", "selfLink", "managedFields"],
] as const satisfies readonly (keyof ObjectMeta)[];

/** What an update may not change is as before. */
export function updatedMetadata(given: ObjectMeta, before: ObjectMeta): ObjectMeta {
  const kept = withoutEmpty(given);
  // Who read the object before hands them back as they were.
  if (kept.name === before.name && ownedFields.every((field) => kept[field] === before[field])) return kept;
  const metadata: Record<string, unknown> = { ...kept, name: before.name };
  for (const field of ownedFields) {
    if (before[field] === undefined) delete metadata[field];
    else metadata[field] = before[field];
  }
  return metadata;
}

/** Kubernetes leaves empty maps and lists of metadata out. */
function withoutEmpty(metadata: ObjectMeta): ObjectMeta {
  if (!Object.values(metadata).some(isEmpty)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && (value === null || Object.keys(value).length === 0);
}

/** What is wrong with the metadata a client sent, worded with its path; what it left as it was, was right before. */
export function metadataFaults({ metadata }: KubeObject, before?: KubeObject): readonly string[] {
  const fresh = <Field extends keyof ObjectMeta>(field: Field): ObjectMeta[Field] | undefined =>
    metadata[field] === before?.metadata[field] ? undefined : metadata[field];
  return [
    ...textMapFaults("metadata.labels", fresh("labels"), (map) => labelsFault(map)),
    ...textMapFaults("metadata.annotations", fresh("annotations"), annotationsFault),
    ...listFaults("metadata.ownerReferences", fresh("ownerReferences"), ownerFault),
    ...listFaults("metadata.finalizers", fresh("finalizers"), finalizerFault),
  ];
}

function textMapFaults(
  path: string,
  value: unknown,
  faultOf: (map: Readonly<Record<string, unknown>>) => string | undefined,
): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) return [`${path}: Invalid value: must be a map of strings`];
  const fault = faultOf(value);
  return fault === undefined ? [] : [fault];
}

function annotationsFault(annotations: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(annotations)) {
    const fault = labelKeyFault(key.toLowerCase());
    if (fault !== undefined) return `metadata.annotations: Invalid value: ${JSON.stringify(key)}: ${fault}`;
    if (typeof value !== "string")
      return `metadata.annotations: Invalid value: ${JSON.stringify(value)}: must be a string`;
  }
  return undefined;
}

function listFaults(path: string, value: unknown, faultOf: (item: unknown) => string | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [`${path}: Invalid value: must be a list`];
  return value.flatMap((item, index) => {
    const fault = faultOf(item);
    return fault === undefined ? [] : [`${path}[${index}]${fault}`];
  });
}

function ownerFault(owner: unknown): string | undefined {
  if (!isJsonObject(owner)) return ": Invalid value: must be an object";
  for (const field of ["apiVersion", "kind", "name", "uid"]) {
    const value = owner[field];
    if (typeof value !== "string" || value === "") return `.${field}: Required value: must not be empty`;
  }
  return undefined;
}

function finalizerFault(finalizer: unknown): string | undefined {
  if (typeof finalizer !== "string") return ": Invalid value: must be a string";
  const fault = labelKeyFault(finalizer);
  return fault === undefined ? undefined : `: Invalid value: ${JSON.stringify(finalizer)}: ${fault}`;
}

/** Who writes a deleting object may take finalizers away, not add them. */
export function newFinalizersFault(before: KubeObject, after: KubeObject): string | undefined {
  if (before.metadata.deletionTimestamp === undefined) return undefined;
  const known = new Set(before.metadata.finalizers);
  const added = (after.metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer));
  if (added.length === 0) return undefined;
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  return `metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
}
