/** Schema of a Pod's status. */

import {
  boolean,
  choice,
  integer,
  list,
  map,
  object,
  openObject,
  part,
  quantity,
  required,
  text,
} from "../codec/schema.js";
import { resourceRequirementsSchema } from "./container-schema.js";
import type { ContainerState, ContainerStateTerminated, ContainerStatus, PodCondition, PodStatus } from "./pod.js";

const terminated = object<ContainerStateTerminated>()({
  exitCode: required(integer),
  signal: integer,
  reason: text,
  message: text,
  startedAt: text,
  finishedAt: text,
  containerID: text,
});

const containerState = object<ContainerState>()({
  waiting: object<NonNullable<ContainerState["waiting"]>>()({ reason: text, message: text }),
  running: object<NonNullable<ContainerState["running"]>>()({ startedAt: text }),
  terminated,
});

const containerStatus = object<ContainerStatus>()({
  name: required(text),
  image: required(text),
  imageID: required(text),
  containerID: text,
  ready: required(boolean),
  started: boolean,
  restartCount: required(integer),
  state: containerState,
  lastState: containerState,
  allocatedResources: map(quantity),
  allocatedResourcesStatus: list(openObject),
  resources: resourceRequirementsSchema,
  stopSignal: text,
  user: openObject,
  volumeMounts: list(part({ name: text, mountPath: text, readOnly: boolean, recursiveReadOnly: text })),
});

const podCondition = object<PodCondition>()({
  type: required(text),
  status: required(choice("True", "False", "Unknown")),
  reason: text,
  message: text,
  lastProbeTime: text,
  lastTransitionTime: text,
  observedGeneration: integer,
});

const podAddress = object<{ readonly ip: string }>()({ ip: required(text) });

export const podStatusSchema = object<PodStatus>()({
  phase: choice("Pending", "Running", "Succeeded", "Failed", "Unknown"),
  reason: text,
  message: text,
  hostIP: text,
  podIP: text,
  podIPs: list(podAddress),
  startTime: text,
  qosClass: text,
  conditions: list(podCondition),
  initContainerStatuses: list(containerStatus),
  containerStatuses: list(containerStatus),
  ephemeralContainerStatuses: list(containerStatus),
  hostIPs: list(podAddress),
  nominatedNodeName: text,
  observedGeneration: integer,
  resize: text,
  resourceClaimStatuses: list(openObject),
  extendedResourceClaimStatus: openObject,
  allocatedResources: map(quantity),
  resources: resourceRequirementsSchema,
});
