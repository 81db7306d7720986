/** The kinds this system knows: their types, their schemas. */

import { cronWorkflowSchema, workflowSchema, workflowTaskResultSchema } from "./argo/status-schema.js";
import type {
  ClusterWorkflowTemplate,
  CronWorkflow,
  Workflow,
  WorkflowTaskResult,
  WorkflowTemplate,
} from "./argo/workflow.js";
import { clusterWorkflowTemplateSchema, workflowTemplateSchema } from "./argo/workflow-schema.js";
import type { Schema } from "./codec/schema.js";
import type { ConfigMap, Event, Lease, Namespace, PersistentVolumeClaim, Secret, ServiceAccount } from "./kube/core.js";
import {
  configMapSchema,
  eventSchema,
  leaseSchema,
  namespaceSchema,
  persistentVolumeClaimSchema,
  secretSchema,
  serviceAccountSchema,
} from "./kube/core-schema.js";
import type { Pod } from "./kube/pod.js";
import { podSchema } from "./kube/pod-schema.js";
import * as types from "./resources.js";

/** What each known kind decodes to. */
export interface ResourcesByKind {
  readonly Workflow: Workflow;
  readonly WorkflowTemplate: WorkflowTemplate;
  readonly ClusterWorkflowTemplate: ClusterWorkflowTemplate;
  readonly CronWorkflow: CronWorkflow;
  readonly WorkflowTaskResult: WorkflowTaskResult;
  readonly Pod: Pod;
  readonly ConfigMap: ConfigMap;
  readonly Secret: Secret;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly ServiceAccount: ServiceAccount;
  readonly Namespace: Namespace;
  readonly Event: Event;
  readonly Lease: Lease;
}

export type KnownKind = keyof ResourcesByKind;

/** The same with `kind` as a literal, so that a `switch` on it narrows. */
export type KnownByKind = { readonly [K in KnownKind]: ResourcesByKind[K] & { readonly kind: K } };

export type KnownResource = KnownByKind[KnownKind];

export const schemas: { readonly [K in KnownKind]: Schema<KnownByKind[K]> } = {
  Workflow: ofKind(workflowSchema),
  WorkflowTemplate: ofKind(workflowTemplateSchema),
  ClusterWorkflowTemplate: ofKind(clusterWorkflowTemplateSchema),
  CronWorkflow: ofKind(cronWorkflowSchema),
  WorkflowTaskResult: ofKind(workflowTaskResultSchema),
  Pod: ofKind(podSchema),
  ConfigMap: ofKind(configMapSchema),
  Secret: ofKind(secretSchema),
  PersistentVolumeClaim: ofKind(persistentVolumeClaimSchema),
  ServiceAccount: ofKind(serviceAccountSchema),
  Namespace: ofKind(namespaceSchema),
  Event: ofKind(eventSchema),
  Lease: ofKind(leaseSchema),
};

/** A schema's object is found by its kind, so its `kind` is that literal. */
function ofKind<T, K extends KnownKind>(schema: Schema<T>): Schema<T & { readonly kind: K }> {
  return { node: schema.node };
}

export const typesByKind: { readonly [K in KnownKind]: types.ResourceType } = {
  Workflow: types.workflows,
  WorkflowTemplate: types.workflowTemplates,
  ClusterWorkflowTemplate: types.clusterWorkflowTemplates,
  CronWorkflow: types.cronWorkflows,
  WorkflowTaskResult: types.workflowTaskResults,
  Pod: types.pods,
  ConfigMap: types.configMaps,
  Secret: types.secrets,
  PersistentVolumeClaim: types.persistentVolumeClaims,
  ServiceAccount: types.serviceAccounts,
  Namespace: types.namespaces,
  Event: types.events,
  Lease: types.leases,
};

export const knownKinds: readonly KnownKind[] = [
  "Workflow",
  "WorkflowTemplate",
  "ClusterWorkflowTemplate",
  "CronWorkflow",
  "WorkflowTaskResult",
  "Pod",
  "ConfigMap",
  "Secret",
  "PersistentVolumeClaim",
  "ServiceAccount",
  "Namespace",
  "Event",
  "Lease",
];

export function isKnownKind(kind: string): kind is KnownKind {
  return Object.hasOwn(schemas, kind);
}
