/** What the engine hands over to get a pod: a plain value, nothing here is looked up. */

import type { ArtifactLocation } from "../model/argo/artifact.js";
import type { NodeId } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { WorkflowSpec } from "../model/argo/workflow.js";
import type { Volume } from "../model/kube/pod.js";

export interface PodRequest {
  readonly workflow: WorkflowIdentity;
  /** The spec that is executed: the workflow's own merged with its template and defaults, global tags replaced. */
  readonly spec: WorkflowSpec;
  readonly node: { readonly id: NodeId; readonly name: string; readonly podName: string };
  /** The spec's podSpecPatch with the node's own tags (`pod.name`, inputs) replaced too; default: as it stands there. */
  readonly workflowPatch?: string;
  /** Merged with templateDefaults, every tag replaced (`pod.name` too). */
  readonly template: Template;
  /** The Steps or DAG template around it: its nodeSelector, affinity, tolerations are the second choice. */
  readonly boundaryTemplate?: Template;
  /** What main prints is captured as `outputs.result` (Argo 4.1 behaviour 3.4.6). */
  readonly includeResult: boolean;
  /** Part of an exit handler: labelled so, and free of Stop and of the workflow's deadline. */
  readonly onExit: boolean;
  /** ARGO_DEADLINE: when the executor should end main; RFC 3339. Left out: none. */
  readonly deadline?: string;
  /** Whole seconds left until the workflow's deadline or the template's `timeout`, whichever is first. */
  readonly secondsLeft?: number;
  /** How often the workflow was retried by hand; 0 for the first run. */
  readonly retryGeneration: number;
  /** Hosts of earlier attempts that retryStrategy.affinity.nodeAntiAffinity keeps away from. */
  readonly excludedHosts?: readonly string[];
  /** status.persistentVolumeClaims: the claims made for volumeClaimTemplates. */
  readonly claims?: readonly Volume[];
  /** Where outputs and logs go, as {@link archiveLocationOf} found it, its key's tags replaced. */
  readonly archiveLocation?: ArtifactLocation;
  readonly config: PodConfig;
}

export interface WorkflowIdentity {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

/** How a pod is put together; Argo's two cluster layouts are further names. */
export type LayoutName = "local";

/** Settings of the controller that reach into pods; the same for every pod that it makes. */
export interface PodConfig {
  readonly layout: LayoutName;
  /** Entrypoint and cmd of images whose containers name no command. */
  readonly images: ReadonlyMap<string, ImageCommand>;
  /**
   * A container without a command whose image is not listed: an error (the default), or left to the container
   * runtime, which knows its images (docker, podman).
   */
  readonly missingCommand?: "error" | "image";
  /** Put our finalizer on pods, so that an outcome is saved before a pod can go. Off means no such promise. */
  readonly statusFinalizer: boolean;
  readonly instanceId?: string;
  /** podGC delay where the workflow names none, milliseconds; for the pod-gc-strategy annotation. Argo's is 5 s. */
  readonly podGCDeleteDelayMs?: number;
  /** Where there is one node only, and who makes its pods knows it: they are bound to it from the start. */
  readonly boundTo?: string;
  /** Label of the cluster's nodes that tells their host name. */
  readonly hostNameLabel?: string;
}

export interface ImageCommand {
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
}
