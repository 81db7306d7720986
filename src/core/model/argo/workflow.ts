/** Workflow and its relatives (Argo 4.1 behaviour 1.1–1.3, 1.6). */

import type { JsonObject } from "../../std/json.js";
import type { ObjectReference, PersistentVolumeClaim } from "../kube/core.js";
import type { IntOrString, KubeObject, LabelSelector, ObjectMeta } from "../kube/meta.js";
import type { HostAlias, LocalObjectReference, ResourceRequirements, Volume } from "../kube/pod.js";
import type { ArtifactGC, ArtifactRepository } from "./artifact.js";
import type { NodeId, NodePhase, NodeStatus } from "./node.js";
import type {
  Arguments,
  ExecutorConfig,
  LifecycleHook,
  Metadata,
  Metrics,
  Outputs,
  RetryStrategy,
  Synchronization,
  Template,
} from "./template.js";

export interface Workflow extends KubeObject {
  readonly spec: WorkflowSpec;
  readonly status?: WorkflowStatus;
}

export interface WorkflowTemplate extends KubeObject {
  readonly spec: WorkflowSpec;
}

export interface ClusterWorkflowTemplate extends KubeObject {
  readonly spec: WorkflowSpec;
}

export interface WorkflowSpec {
  readonly activeDeadlineSeconds?: number;
  readonly affinity?: JsonObject;
  readonly archiveLogs?: boolean;
  readonly arguments?: Arguments;
  readonly artifactGC?: ArtifactGC & { readonly forceFinalizerRemoval?: boolean; readonly podSpecPatch?: string };
  readonly artifactRepositoryRef?: { readonly configMap?: string; readonly key?: string };
  readonly automountServiceAccountToken?: boolean;
  readonly dnsConfig?: JsonObject;
  readonly dnsPolicy?: string;
  readonly entrypoint?: string;
  readonly executor?: ExecutorConfig;
  readonly executorPlugins?: readonly JsonObject[];
  readonly hooks?: Readonly<Record<string, LifecycleHook>>;
  readonly hostAliases?: readonly HostAlias[];
  readonly hostNetwork?: boolean;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly metrics?: Metrics;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly onExit?: string;
  readonly parallelism?: number;
  readonly podDisruptionBudget?: JsonObject;
  readonly podGC?: PodGC;
  readonly podMetadata?: Metadata;
  readonly podPriorityClassName?: string;
  readonly podResources?: ResourceRequirements;
  readonly podSpecPatch?: string;
  readonly priority?: number;
  readonly resourceClaims?: readonly JsonObject[];
  readonly retryStrategy?: RetryStrategy;
  readonly schedulerName?: string;
  readonly securityContext?: JsonObject;
  readonly serviceAccountName?: string;
  readonly shutdown?: ShutdownStrategy | "";
  readonly suspend?: boolean;
  readonly synchronization?: Synchronization;
  readonly templateDefaults?: Template;
  readonly templates?: readonly Template[];
  readonly tolerations?: readonly JsonObject[];
  readonly ttlStrategy?: TTLStrategy;
  readonly volumeClaimGC?: { readonly strategy?: "OnWorkflowCompletion" | "OnWorkflowSuccess" };
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaimTemplate[];
  readonly volumes?: readonly Volume[];
  readonly workflowMetadata?: WorkflowMetadata;
  readonly workflowTemplateRef?: WorkflowTemplateRef;
}

export type ShutdownStrategy = "Stop" | "Terminate";

/** A claim as written in a workflow: kind, apiVersion and even metadata may be left out. */
export type PersistentVolumeClaimTemplate = Omit<PersistentVolumeClaim, "apiVersion" | "kind" | "metadata"> & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: PersistentVolumeClaim["metadata"];
};

export interface WorkflowTemplateRef {
  readonly name?: string;
  readonly clusterScope?: boolean;
}

export interface WorkflowMetadata extends Metadata {
  readonly labelsFrom?: Readonly<Record<string, { readonly expression: string }>>;
}

export type PodGCStrategy = "" | "OnPodCompletion" | "OnPodSuccess" | "OnWorkflowCompletion" | "OnWorkflowSuccess";

export interface PodGC {
  readonly strategy?: PodGCStrategy;
  readonly labelSelector?: LabelSelector;
  /** Go duration, or whole seconds. */
  readonly deleteDelayDuration?: IntOrString;
}

export interface TTLStrategy {
  readonly secondsAfterCompletion?: number;
  readonly secondsAfterSuccess?: number;
  readonly secondsAfterFailure?: number;
}

export type WorkflowPhase = "" | "Pending" | "Running" | "Succeeded" | "Failed" | "Error";

export interface WorkflowCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly message?: string;
}

export interface WorkflowStatus {
  readonly phase?: WorkflowPhase;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly estimatedDuration?: number;
  readonly progress?: string;
  readonly message?: string;
  readonly compressedNodes?: string;
  readonly nodes?: Readonly<Record<NodeId, NodeStatus>>;
  readonly offloadNodeStatusVersion?: string;
  readonly storedTemplates?: Readonly<Record<string, Template>>;
  readonly persistentVolumeClaims?: readonly Volume[];
  readonly outputs?: Outputs;
  readonly conditions?: readonly WorkflowCondition[];
  readonly resourcesDuration?: Readonly<Record<string, number>>;
  readonly storedWorkflowTemplateSpec?: WorkflowSpec;
  readonly synchronization?: SynchronizationStatus;
  readonly artifactRepositoryRef?: ArtifactRepositoryRefStatus;
  readonly artifactGCStatus?: JsonObject;
  readonly taskResultsCompletionStatus?: Readonly<Record<NodeId, boolean>>;
}

export interface SynchronizationStatus {
  readonly semaphore?: {
    readonly holding?: readonly SemaphoreHolding[];
    readonly waiting?: readonly SemaphoreHolding[];
  };
  readonly mutex?: { readonly holding?: readonly MutexHolding[]; readonly waiting?: readonly MutexHolding[] };
}

export interface SemaphoreHolding {
  readonly semaphore?: string;
  readonly holders?: readonly string[];
}

export interface MutexHolding {
  readonly mutex?: string;
  readonly holder?: string;
}

export interface ArtifactRepositoryRefStatus {
  readonly configMap?: string;
  readonly key?: string;
  readonly namespace?: string;
  readonly default?: boolean;
  readonly artifactRepository?: ArtifactRepository;
}

export interface CronWorkflow extends KubeObject {
  readonly spec: CronWorkflowSpec;
  readonly status?: CronWorkflowStatus;
}

export interface CronWorkflowSpec {
  readonly workflowSpec: WorkflowSpec;
  readonly workflowMetadata?: ObjectMeta;
  readonly schedules?: readonly string[];
  readonly timezone?: string;
  readonly concurrencyPolicy?: "Allow" | "Forbid" | "Replace";
  readonly startingDeadlineSeconds?: number;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
  readonly suspend?: boolean;
  readonly stopStrategy?: { readonly expression: string };
  readonly when?: string;
}

export interface CronWorkflowStatus {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduledTime?: string;
  readonly conditions?: readonly WorkflowCondition[];
  readonly succeeded?: number;
  readonly failed?: number;
  readonly phase?: "Active" | "Stopped";
}

/** What the executor beside a pod reports; named as the node (Argo 4.1 behaviour 6.10). */
export interface WorkflowTaskResult extends KubeObject {
  readonly phase?: NodePhase;
  readonly message?: string;
  readonly outputs?: Outputs;
  readonly progress?: string;
}
