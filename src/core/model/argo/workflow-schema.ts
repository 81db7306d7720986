/** Schemas of the Workflow's spec and of the kinds that hold one. */

import {
  boolean,
  choice,
  integer,
  integerFrom,
  intOrString,
  list,
  listBy,
  map,
  object,
  orZero,
  part,
  required,
  stringMap,
  text,
} from "../codec/schema.js";
import { persistentVolumeClaimSpecSchema, persistentVolumeClaimStatusSchema } from "../kube/claim-schema.js";
import { containerSchema, localObjectReferenceSchema, resourceRequirementsSchema } from "../kube/container-schema.js";
import { kubeObjectFields, labelSelectorSchema, objectMetaSchema } from "../kube/meta-schema.js";
import { hostAliasSchema } from "../kube/pod-schema.js";
import {
  affinitySchema,
  dnsConfigSchema,
  podDisruptionBudgetSpecSchema,
  podResourceClaimSchema,
  tolerationSchema,
} from "../kube/scheduling-schema.js";
import { podSecurityContextSchema } from "../kube/security-schema.js";
import { volumeSchema } from "../kube/volume-schema.js";
import { argumentsSchema } from "./arguments-schema.js";
import { artifactGCFields } from "./artifact-schema.js";
import { metadataSchema } from "./metadata-schema.js";
import {
  executorConfigSchema,
  lifecycleHookSchema,
  metricsSchema,
  parallelismSchema,
  retryStrategySchema,
  synchronizationSchema,
} from "./policy-schema.js";
import { templateSchema } from "./template-schema.js";
import type {
  ClusterWorkflowTemplate,
  PersistentVolumeClaimTemplate,
  PodGC,
  TTLStrategy,
  WorkflowMetadata,
  WorkflowSpec,
  WorkflowTemplate,
  WorkflowTemplateRef,
} from "./workflow.js";

const podGC = object<PodGC>()({
  strategy: choice("", "OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"),
  labelSelector: labelSelectorSchema,
  deleteDelayDuration: intOrString,
});

const ttlStrategy = object<TTLStrategy>()({
  secondsAfterCompletion: integer,
  secondsAfterSuccess: integer,
  secondsAfterFailure: integer,
});

const workflowMetadata = object<WorkflowMetadata>()({
  labels: stringMap,
  annotations: stringMap,
  labelsFrom: map(object<{ readonly expression: string }>()({ expression: required(text) })),
});

const claimTemplate = object<PersistentVolumeClaimTemplate>()({
  apiVersion: text,
  kind: text,
  metadata: orZero(objectMetaSchema),
  spec: persistentVolumeClaimSpecSchema,
  status: persistentVolumeClaimStatusSchema,
});

const executorPlugin = part({
  metadata: objectMetaSchema,
  spec: part({ sidecar: part({ automountServiceAccountToken: boolean, container: containerSchema }) }),
});

const whatToRun = {
  entrypoint: text,
  onExit: text,
  arguments: argumentsSchema,
  workflowTemplateRef: object<WorkflowTemplateRef>()({ name: text, clusterScope: boolean }),
  templates: listBy("name", templateSchema),
  templateDefaults: templateSchema,
  hooks: map(lifecycleHookSchema),
  activeDeadlineSeconds: integer,
  parallelism: parallelismSchema,
  retryStrategy: retryStrategySchema,
  shutdown: choice("", "Stop", "Terminate"),
  suspend: boolean,
  synchronization: synchronizationSchema,
  priority: integerFrom(-(2 ** 31), 2 ** 31 - 1),
  metrics: metricsSchema,
};

const whatRemains = {
  ttlStrategy,
  podGC,
  volumeClaimGC: object<NonNullable<WorkflowSpec["volumeClaimGC"]>>()({
    strategy: choice("OnWorkflowCompletion", "OnWorkflowSuccess"),
  }),
  archiveLogs: boolean,
  artifactGC: object<NonNullable<WorkflowSpec["artifactGC"]>>()({
    ...artifactGCFields,
    forceFinalizerRemoval: boolean,
    podSpecPatch: text,
  }),
  artifactRepositoryRef: object<NonNullable<WorkflowSpec["artifactRepositoryRef"]>>()({ configMap: text, key: text }),
  workflowMetadata,
};

const howPodsLook = {
  podMetadata: metadataSchema,
  podSpecPatch: text,
  podPriorityClassName: text,
  podResources: resourceRequirementsSchema,
  podDisruptionBudget: podDisruptionBudgetSpecSchema,
  volumes: listBy("name", volumeSchema),
  volumeClaimTemplates: list(claimTemplate),
  serviceAccountName: text,
  automountServiceAccountToken: boolean,
  executor: executorConfigSchema,
  executorPlugins: list(executorPlugin),
  securityContext: podSecurityContextSchema,
  nodeSelector: stringMap,
  affinity: affinitySchema,
  tolerations: list(tolerationSchema),
  schedulerName: text,
  imagePullSecrets: listBy("name", localObjectReferenceSchema),
  hostNetwork: boolean,
  hostAliases: listBy("ip", hostAliasSchema),
  dnsPolicy: text,
  dnsConfig: dnsConfigSchema,
  resourceClaims: list(podResourceClaimSchema),
};

export const workflowSpecSchema = object<WorkflowSpec>()({ ...whatToRun, ...whatRemains, ...howPodsLook });

export const workflowTemplateSchema = object<WorkflowTemplate>()({
  ...kubeObjectFields,
  spec: required(workflowSpecSchema),
});

export const clusterWorkflowTemplateSchema = object<ClusterWorkflowTemplate>()({
  ...kubeObjectFields,
  spec: required(workflowSpecSchema),
});
