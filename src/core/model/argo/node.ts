/** One node of a workflow's graph (Argo 4.1 behaviour 1.1.6). */

import type { Inputs, Outputs, TemplateRef } from "./template.js";

export type NodeId = string;

export type NodeType =
  | "Pod"
  | "Container"
  | "Steps"
  | "StepGroup"
  | "DAG"
  | "TaskGroup"
  | "Retry"
  | "Skipped"
  | "Suspend"
  | "HTTP"
  | "Plugin";

export type NodePhase = "Pending" | "Running" | "Succeeded" | "Skipped" | "Failed" | "Error" | "Omitted";

export interface NodeStatus {
  readonly id: NodeId;
  readonly name: string;
  readonly displayName: string;
  readonly type: NodeType;
  readonly templateName?: string;
  readonly templateRef?: TemplateRef;
  readonly templateScope?: string;
  readonly phase?: NodePhase;
  readonly boundaryID?: NodeId;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly estimatedDuration?: number;
  readonly progress?: string;
  readonly resourcesDuration?: Readonly<Record<string, number>>;
  readonly podIP?: string;
  readonly daemoned?: boolean;
  readonly nodeFlag?: { readonly hooked?: boolean; readonly retried?: boolean };
  readonly inputs?: Inputs;
  readonly outputs?: Outputs;
  readonly children?: readonly NodeId[];
  readonly outboundNodes?: readonly NodeId[];
  readonly hostNodeName?: string;
  readonly memoizationStatus?: { readonly hit: boolean; readonly key: string; readonly cacheName: string };
  readonly synchronizationStatus?: { readonly waiting?: string };
  readonly taskResultSynced?: boolean;
  readonly failedPodRestarts?: number;
  readonly restartingPodUID?: string;
}
