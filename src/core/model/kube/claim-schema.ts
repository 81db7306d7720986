/** Schemas of a persistent volume claim's spec and status. */

import { integer, list, map, part, quantity, required, text } from "../codec/schema.js";
import { labelSelectorSchema } from "./meta-schema.js";

const dataSource = { apiGroup: text, kind: required(text), name: required(text) };

export const persistentVolumeClaimSpecSchema = part({
  accessModes: list(text),
  selector: labelSelectorSchema,
  resources: part({ limits: map(quantity), requests: map(quantity) }),
  volumeName: text,
  storageClassName: text,
  volumeMode: text,
  dataSource: part(dataSource),
  dataSourceRef: part({ ...dataSource, namespace: text }),
  volumeAttributesClassName: text,
});

export const persistentVolumeClaimStatusSchema = part({
  phase: text,
  accessModes: list(text),
  capacity: map(quantity),
  conditions: list(
    part({
      type: required(text),
      status: required(text),
      lastProbeTime: text,
      lastTransitionTime: text,
      reason: text,
      message: text,
      observedGeneration: integer,
    }),
  ),
  allocatedResources: map(quantity),
  allocatedResourceStatuses: map(text),
  currentVolumeAttributesClassName: text,
  modifyVolumeStatus: part({ targetVolumeAttributesClassName: text, status: text }),
});
