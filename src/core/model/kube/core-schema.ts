/** Schemas of the other built-in kinds. */

import {
  boolean,
  choice,
  type Fields,
  integer,
  list,
  object,
  part,
  required,
  stringMap,
  text,
} from "../codec/schema.js";
import { persistentVolumeClaimSpecSchema, persistentVolumeClaimStatusSchema } from "./claim-schema.js";
import { localObjectReferenceSchema } from "./container-schema.js";
import type {
  ConfigMap,
  Event,
  Lease,
  Namespace,
  ObjectReference,
  PersistentVolumeClaim,
  Secret,
  ServiceAccount,
} from "./core.js";
import { kubeObjectFields } from "./meta-schema.js";

const condition = part({
  type: required(text),
  status: required(text),
  lastTransitionTime: text,
  reason: text,
  message: text,
});

const objectReferenceFields: Fields<ObjectReference> = {
  apiVersion: text,
  kind: text,
  namespace: text,
  name: text,
  uid: text,
  resourceVersion: text,
  fieldPath: text,
};

export const objectReferenceSchema = object<ObjectReference>()(objectReferenceFields);

export const configMapSchema = object<ConfigMap>()({
  ...kubeObjectFields,
  data: stringMap,
  binaryData: stringMap,
  immutable: boolean,
});

export const secretSchema = object<Secret>()({
  ...kubeObjectFields,
  type: text,
  data: stringMap,
  stringData: stringMap,
  immutable: boolean,
});

export const namespaceSchema = object<Namespace>()({
  ...kubeObjectFields,
  spec: object<NonNullable<Namespace["spec"]>>()({ finalizers: list(text) }),
  status: object<NonNullable<Namespace["status"]>>()({
    phase: choice("Active", "Terminating"),
    conditions: list(condition),
  }),
});

export const serviceAccountSchema = object<ServiceAccount>()({
  ...kubeObjectFields,
  secrets: list(part(objectReferenceFields)),
  imagePullSecrets: list(localObjectReferenceSchema),
  automountServiceAccountToken: boolean,
});

export const persistentVolumeClaimSchema = object<PersistentVolumeClaim>()({
  ...kubeObjectFields,
  spec: persistentVolumeClaimSpecSchema,
  status: persistentVolumeClaimStatusSchema,
});

export const eventSchema = object<Event>()({
  ...kubeObjectFields,
  involvedObject: required(objectReferenceSchema),
  reason: text,
  message: text,
  type: choice("Normal", "Warning"),
  count: integer,
  firstTimestamp: text,
  lastTimestamp: text,
  eventTime: text,
  action: text,
  reportingComponent: text,
  reportingInstance: text,
  source: object<NonNullable<Event["source"]>>()({ component: text, host: text }),
  related: objectReferenceSchema,
  series: object<NonNullable<Event["series"]>>()({ count: integer, lastObservedTime: text }),
});

export const leaseSchema = object<Lease>()({
  ...kubeObjectFields,
  spec: object<NonNullable<Lease["spec"]>>()({
    holderIdentity: text,
    leaseDurationSeconds: integer,
    acquireTime: text,
    renewTime: text,
    leaseTransitions: integer,
    preferredHolder: text,
    strategy: text,
  }),
});
