/** The support table: one row for each field of each kind. */

import type {
  ClusterWorkflowTemplate,
  CronWorkflow,
  CronWorkflowSpec,
  PersistentVolumeClaimTemplate,
  Workflow,
  WorkflowSpec,
  WorkflowTaskResult,
  WorkflowTemplate,
} from "../argo/workflow.js";
import type { KnownKind } from "../kinds.js";
import type {
  ConfigMap,
  Event,
  Lease,
  Namespace,
  PersistentVolumeClaim,
  Secret,
  ServiceAccount,
} from "../kube/core.js";
import type { KubeObject } from "../kube/meta.js";
import {
  containersOnly,
  keptArtifacts,
  lockNotYet,
  noMetrics,
  noNetworkPolicy,
  noScheduler,
  noTokens,
  ownNetwork,
  pulledByRuntime,
  runOnce,
} from "./notices.js";
import { claimSpecRows, podRows, resourceRows, volumeRows } from "./pod-rows.js";
import { type FieldRows, fields, notice, notYet, obeyed, obeyedWhole, type Rows } from "./row.js";
import { argumentsRows, hookRows, metadataRows, retryStrategyRows, templateRows } from "./template-rows.js";

const objectRows: Rows<KubeObject> = { apiVersion: obeyed, kind: obeyed, metadata: obeyedWhole };

const claimTemplateRows = fields<PersistentVolumeClaimTemplate>({
  ...objectRows,
  spec: claimSpecRows,
  status: obeyedWhole,
});

const specOfWork = {
  entrypoint: obeyed,
  onExit: obeyed,
  arguments: argumentsRows,
  workflowTemplateRef: obeyedWhole,
  templates: templateRows,
  templateDefaults: templateRows,
  hooks: hookRows,
  activeDeadlineSeconds: obeyed,
  parallelism: obeyed,
  retryStrategy: retryStrategyRows,
  shutdown: obeyed,
  suspend: obeyed,
  synchronization: lockNotYet,
  priority: notice("means nothing here: runs do not queue for a controller"),
  metrics: noMetrics,
  ttlStrategy: obeyedWhole,
  podGC: obeyedWhole,
  volumeClaimGC: obeyedWhole,
  archiveLogs: obeyed,
  artifactGC: keptArtifacts,
  artifactRepositoryRef: obeyedWhole,
  workflowMetadata: obeyedWhole,
};

const specOfPods = {
  podMetadata: metadataRows,
  podSpecPatch: obeyed,
  podPriorityClassName: noScheduler,
  podResources: resourceRows,
  podDisruptionBudget: notice("means nothing here: nothing evicts pods"),
  volumes: volumeRows,
  volumeClaimTemplates: claimTemplateRows,
  serviceAccountName: obeyed,
  automountServiceAccountToken: noTokens,
  executor: noTokens,
  executorPlugins: notYet(),
  securityContext: containersOnly,
  nodeSelector: noScheduler,
  affinity: noScheduler,
  tolerations: noScheduler,
  schedulerName: noScheduler,
  imagePullSecrets: pulledByRuntime,
  hostNetwork: ownNetwork,
  hostAliases: noNetworkPolicy,
  dnsPolicy: noNetworkPolicy,
  dnsConfig: noNetworkPolicy,
  resourceClaims: noScheduler,
};

export const workflowSpecRows = fields<WorkflowSpec>({ ...specOfWork, ...specOfPods });

const cronSpecRows = fields<CronWorkflowSpec>({
  workflowSpec: workflowSpecRows,
  workflowMetadata: obeyedWhole,
  schedules: runOnce,
  timezone: runOnce,
  concurrencyPolicy: runOnce,
  startingDeadlineSeconds: runOnce,
  successfulJobsHistoryLimit: runOnce,
  failedJobsHistoryLimit: runOnce,
  suspend: runOnce,
  stopStrategy: runOnce,
  when: runOnce,
});

export const rowsByKind: { readonly [K in KnownKind]: FieldRows } = {
  Workflow: fields<Workflow>({ ...objectRows, spec: workflowSpecRows, status: obeyedWhole }),
  WorkflowTemplate: fields<WorkflowTemplate>({ ...objectRows, spec: workflowSpecRows }),
  ClusterWorkflowTemplate: fields<ClusterWorkflowTemplate>({ ...objectRows, spec: workflowSpecRows }),
  CronWorkflow: fields<CronWorkflow>({ ...objectRows, spec: cronSpecRows, status: obeyedWhole }),
  WorkflowTaskResult: fields<WorkflowTaskResult>({
    ...objectRows,
    phase: obeyed,
    message: obeyed,
    outputs: obeyedWhole,
    progress: obeyed,
  }),
  Pod: podRows,
  ConfigMap: fields<ConfigMap>({ ...objectRows, data: obeyed, binaryData: obeyed, immutable: obeyed }),
  Secret: fields<Secret>({ ...objectRows, type: obeyed, data: obeyed, stringData: obeyed, immutable: obeyed }),
  PersistentVolumeClaim: fields<PersistentVolumeClaim>({ ...objectRows, spec: claimSpecRows, status: obeyedWhole }),
  ServiceAccount: fields<ServiceAccount>({
    ...objectRows,
    secrets: noTokens,
    imagePullSecrets: pulledByRuntime,
    automountServiceAccountToken: noTokens,
  }),
  Namespace: fields<Namespace>({ ...objectRows, spec: obeyedWhole, status: obeyedWhole }),
  Event: fields<Event>({
    ...objectRows,
    involvedObject: obeyedWhole,
    reason: obeyed,
    message: obeyed,
    type: obeyed,
    count: obeyed,
    firstTimestamp: obeyed,
    lastTimestamp: obeyed,
    eventTime: obeyed,
    action: obeyed,
    reportingComponent: obeyed,
    reportingInstance: obeyed,
    source: obeyedWhole,
    related: obeyedWhole,
    series: obeyedWhole,
  }),
  Lease: fields<Lease>({ ...objectRows, spec: obeyedWhole }),
};
