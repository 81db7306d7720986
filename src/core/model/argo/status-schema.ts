/** Schemas of the kinds that carry a status: Workflow, CronWorkflow, WorkflowTaskResult. */

import { boolean, choice, integer, integerFrom, list, map, object, required, text } from "../codec/schema.js";
import { objectReferenceSchema } from "../kube/core-schema.js";
import { kubeObjectFields, objectMetaSchema } from "../kube/meta-schema.js";
import { volumeSchema } from "../kube/volume-schema.js";
import { outputsSchema } from "./arguments-schema.js";
import { artifactGCStatusSchema, artifactRepositorySchema } from "./artifact-schema.js";
import { nodePhaseSchema, nodeStatusSchema } from "./node-schema.js";
import { templateSchema } from "./template-schema.js";
import type {
  ArtifactRepositoryRefStatus,
  CronWorkflow,
  CronWorkflowSpec,
  CronWorkflowStatus,
  MutexHolding,
  SemaphoreHolding,
  SynchronizationStatus,
  Workflow,
  WorkflowCondition,
  WorkflowStatus,
  WorkflowTaskResult,
} from "./workflow.js";
import { workflowSpecSchema } from "./workflow-schema.js";

const semaphoreHoldings = list(object<SemaphoreHolding>()({ semaphore: text, holders: list(text) }));
const mutexHoldings = list(object<MutexHolding>()({ mutex: text, holder: text }));

const synchronizationStatus = object<SynchronizationStatus>()({
  semaphore: object<NonNullable<SynchronizationStatus["semaphore"]>>()({
    holding: semaphoreHoldings,
    waiting: semaphoreHoldings,
  }),
  mutex: object<NonNullable<SynchronizationStatus["mutex"]>>()({ holding: mutexHoldings, waiting: mutexHoldings }),
});

const conditions = list(
  object<WorkflowCondition>()({
    type: required(text),
    status: required(choice("True", "False", "Unknown")),
    message: text,
  }),
);

const workflowStatus = object<WorkflowStatus>()({
  phase: choice("", "Pending", "Running", "Succeeded", "Failed", "Error"),
  startedAt: text,
  finishedAt: text,
  estimatedDuration: integer,
  progress: text,
  message: text,
  compressedNodes: text,
  nodes: map(nodeStatusSchema),
  offloadNodeStatusVersion: text,
  storedTemplates: map(templateSchema),
  persistentVolumeClaims: list(volumeSchema),
  outputs: outputsSchema,
  conditions,
  resourcesDuration: map(integer),
  storedWorkflowTemplateSpec: workflowSpecSchema,
  synchronization: synchronizationStatus,
  artifactRepositoryRef: object<ArtifactRepositoryRefStatus>()({
    configMap: text,
    key: text,
    namespace: text,
    default: boolean,
    artifactRepository: artifactRepositorySchema,
  }),
  artifactGCStatus: artifactGCStatusSchema,
  taskResultsCompletionStatus: map(boolean),
});

export const workflowSchema = object<Workflow>()({
  ...kubeObjectFields,
  spec: required(workflowSpecSchema),
  status: workflowStatus,
});

const cronWorkflowSpec = object<CronWorkflowSpec>()({
  schedules: list(text),
  timezone: text,
  concurrencyPolicy: choice("Allow", "Forbid", "Replace"),
  startingDeadlineSeconds: integerFrom(0),
  successfulJobsHistoryLimit: integer,
  failedJobsHistoryLimit: integer,
  suspend: boolean,
  stopStrategy: object<NonNullable<CronWorkflowSpec["stopStrategy"]>>()({ expression: required(text) }),
  when: text,
  workflowMetadata: objectMetaSchema,
  workflowSpec: required(workflowSpecSchema),
});

const cronWorkflowStatus = object<CronWorkflowStatus>()({
  active: list(objectReferenceSchema),
  lastScheduledTime: text,
  conditions,
  succeeded: integer,
  failed: integer,
  phase: choice("Active", "Stopped"),
});

export const cronWorkflowSchema = object<CronWorkflow>()({
  ...kubeObjectFields,
  spec: required(cronWorkflowSpec),
  status: cronWorkflowStatus,
});

export const workflowTaskResultSchema = object<WorkflowTaskResult>()({
  ...kubeObjectFields,
  phase: nodePhaseSchema,
  message: text,
  outputs: outputsSchema,
  progress: text,
});
