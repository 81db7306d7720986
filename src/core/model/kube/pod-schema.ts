/** Schema of the Pod. */

import {
  boolean,
  choice,
  type Fields,
  integer,
  list,
  listBy,
  map,
  object,
  part,
  quantity,
  required,
  stringMap,
  text,
} from "../codec/schema.js";
import {
  containerFields,
  containerSchema,
  localObjectReferenceSchema,
  resourceRequirementsSchema,
} from "./container-schema.js";
import { kubeObjectFields } from "./meta-schema.js";
import type { HostAlias, Pod, PodSpec } from "./pod.js";
import { podStatusSchema } from "./pod-status-schema.js";
import {
  affinitySchema,
  dnsConfigSchema,
  podResourceClaimSchema,
  tolerationSchema,
  topologySpreadConstraintSchema,
} from "./scheduling-schema.js";
import { podSecurityContextSchema } from "./security-schema.js";
import { volumeSchema } from "./volume-schema.js";

export const hostAliasSchema = object<HostAlias>()({ ip: required(text), hostnames: list(text) });

const podSpecFields: Fields<PodSpec> = {
  containers: required(listBy("name", containerSchema)),
  initContainers: listBy("name", containerSchema),
  volumes: listBy("name", volumeSchema),
  restartPolicy: choice("Always", "OnFailure", "Never"),
  terminationGracePeriodSeconds: integer,
  activeDeadlineSeconds: integer,
  nodeName: text,
  nodeSelector: stringMap,
  affinity: affinitySchema,
  tolerations: list(tolerationSchema),
  schedulerName: text,
  serviceAccountName: text,
  automountServiceAccountToken: boolean,
  priorityClassName: text,
  priority: integer,
  runtimeClassName: text,
  hostNetwork: boolean,
  hostPID: boolean,
  hostIPC: boolean,
  hostname: text,
  subdomain: text,
  dnsPolicy: text,
  dnsConfig: dnsConfigSchema,
  hostAliases: listBy("ip", hostAliasSchema),
  imagePullSecrets: listBy("name", localObjectReferenceSchema),
  securityContext: podSecurityContextSchema,
  resources: resourceRequirementsSchema,
  resourceClaims: list(podResourceClaimSchema),
  shareProcessNamespace: boolean,
  enableServiceLinks: boolean,
  ephemeralContainers: list(part({ ...containerFields, targetContainerName: text })),
  hostUsers: boolean,
  hostnameOverride: text,
  os: part({ name: required(text) }),
  overhead: map(quantity),
  preemptionPolicy: text,
  readinessGates: list(part({ conditionType: required(text) })),
  schedulingGates: list(part({ name: required(text) })),
  serviceAccount: text,
  setHostnameAsFQDN: boolean,
  topologySpreadConstraints: list(topologySpreadConstraintSchema),
  workloadRef: part({ name: text, podGroup: text, podGroupReplicaKey: text }),
};

export const podSpecSchema = object<PodSpec>()(podSpecFields);

export const podSchema = object<Pod>()({
  ...kubeObjectFields,
  spec: required(podSpecSchema),
  status: podStatusSchema,
});
