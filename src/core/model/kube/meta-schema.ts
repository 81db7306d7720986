/** Schemas of what every Kubernetes object carries. */

import {
  boolean,
  choice,
  type Fields,
  integer,
  json,
  list,
  listBy,
  object,
  orZero,
  required,
  stringMap,
  text,
} from "../codec/schema.js";
import type { KubeObject, LabelSelector, LabelSelectorRequirement, ObjectMeta, OwnerReference } from "./meta.js";

const ownerReference = object<OwnerReference>()({
  apiVersion: required(text),
  kind: required(text),
  name: required(text),
  uid: required(text),
  controller: boolean,
  blockOwnerDeletion: boolean,
});

/** What a person writes comes first, what the API server adds after it: the order of printed fields. */
export const objectMetaSchema = object<ObjectMeta>()({
  name: text,
  generateName: text,
  namespace: text,
  labels: stringMap,
  annotations: stringMap,
  finalizers: list(text),
  ownerReferences: listBy("uid", ownerReference),
  uid: text,
  resourceVersion: text,
  generation: integer,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: integer,
  managedFields: list(json),
  selfLink: text,
});

export const kubeObjectFields: Fields<KubeObject> = {
  apiVersion: required(text),
  kind: required(text),
  metadata: orZero(objectMetaSchema),
};

export const labelSelectorSchema = object<LabelSelector>()({
  matchLabels: stringMap,
  matchExpressions: list(
    object<LabelSelectorRequirement>()({
      key: required(text),
      operator: required(choice("In", "NotIn", "Exists", "DoesNotExist")),
      values: list(text),
    }),
  ),
});
