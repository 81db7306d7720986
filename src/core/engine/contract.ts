/** The engine's face: what it is told, what it answers. A workflow's next status is a function of what can be seen. */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Outputs } from "../model/argo/template.js";
import type { Workflow, WorkflowStatus } from "../model/argo/workflow.js";
import type { PersistentVolumeClaim } from "../model/kube/core.js";
import type { KubeObject } from "../model/kube/meta.js";
import type { Pod } from "../model/kube/pod.js";
import type { PodView } from "../podlife/view.js";

/** A workflow that this process holds open; owns the nodes of the workflow. */
export interface Run {
  /** Decides again from what changed; staged, not yet in force. Never throws for a bad workflow. */
  advance(input: AdvanceInput): Decision;
  /** The caller takes the staged decision over, to save it before any of its demands is carried out: it is now the state. */
  commit(resourceVersion: string): void;
  /** As if `advance` had not been called: it lacked facts, or the decision is not taken over. */
  rollback(): void;
  /** A node as committed (not as staged). */
  node(id: NodeId): NodeStatus | undefined;
  nodes(): IterableIterator<NodeStatus>;
  /** Metadata and spec as last told; its status is not kept up to date, ask `node`. */
  readonly workflow: Workflow;
}

export interface AdvanceInput {
  readonly changes: readonly Change[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly facts: Facts;
}

export type Change =
  /** A pod of this workflow was seen; also at the first look, for each pod there is. */
  | { readonly kind: "pod"; readonly view: PodView }
  /** No pod of that name and UID exists any more (proven, or a deletion seen). */
  | {
      readonly kind: "pod-gone";
      readonly nodeId: NodeId;
      readonly uid: string;
      /** The pod's; left out where it had none. */
      readonly retryGeneration?: number | undefined;
      readonly createdAt?: string | undefined;
    }
  /** The machine under that pod does not answer, and the pod is Terminating beyond its grace. */
  | { readonly kind: "host-lost"; readonly nodeId: NodeId; readonly uid: string }
  /** The first look is complete: pods and task results not told so far do not exist. */
  | { readonly kind: "observed" }
  | { readonly kind: "task-result"; readonly result: TaskResultView }
  /** Spec or metadata changed by someone else; the status is as the Run knows it. */
  | { readonly kind: "workflow"; readonly workflow: Workflow }
  | { readonly kind: "outcome"; readonly outcome: DemandOutcome };

export interface TaskResultView {
  readonly nodeId: NodeId;
  readonly outputs: Outputs | undefined;
  readonly progress: string | undefined;
  /** The label report-outputs-completed says true. */
  readonly completed: boolean;
  /** Nothing more will come: read by a live read after the pod was seen terminal, or gone. */
  readonly final: boolean;
  /** Of which run of the workflow (0 is the first, each retry by hand begins another); left out where nobody said. */
  readonly retryGeneration?: number | undefined;
  /** When the API took it in, RFC 3339; tells where no generation does. */
  readonly createdAt?: string | undefined;
}

export type DemandOutcome =
  | { readonly demand: "create-pod"; readonly nodeId: NodeId; readonly podName: string; readonly result: CreateResult }
  | { readonly demand: "create-pvc"; readonly name: string; readonly result: CreateResult }
  | { readonly demand: "delete-pvc"; readonly name: string; readonly result: DeleteResult };

export type CreateResult =
  | { readonly kind: "created" }
  /** Try again later: quota, throttling, no answer. The node stays Pending with this reason. */
  | { readonly kind: "refused-for-now"; readonly message: string }
  /** The API will never take it. The node is Error with this message. */
  | { readonly kind: "refused"; readonly message: string };

export type DeleteResult =
  /** It is gone, or was never this workflow's. */
  { readonly kind: "gone" } | Extract<CreateResult, { readonly kind: "refused-for-now" }>;

export interface Decision {
  /** New or changed nodes, whole; empty when nothing changed. */
  readonly changedNodes: ReadonlyMap<NodeId, NodeStatus>;
  /** Fields of status other than `nodes` that changed; `null` takes a field away. */
  readonly statusFields: { readonly [Field in Exclude<keyof WorkflowStatus, "nodes">]?: WorkflowStatus[Field] | null };
  /** Labels and annotations of the workflow object to set; `null` removes. */
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
  /** What should be done, but only once the change is saved. Derived: wanted minus observed, safe to carry out twice. */
  readonly demands: readonly Demand[];
  /** Facts without which it cannot go on; answer them and advance again. */
  readonly needs: readonly Need[];
  /** When time alone would change the answer, in milliseconds since the epoch. */
  readonly wakeAt: number | undefined;
}

export type Demand =
  | { readonly kind: "create-pod"; readonly nodeId: NodeId; readonly pod: Pod }
  | { readonly kind: "create-pvc"; readonly claim: PersistentVolumeClaim }
  | {
      readonly kind: "delete-pvc";
      readonly namespace: string;
      readonly name: string;
      /** Whose it has to be. */
      readonly workflowUid: string;
    };

export type Need =
  | { readonly kind: "workflow-template"; readonly namespace: string; readonly name: string }
  | { readonly kind: "cluster-workflow-template"; readonly name: string }
  | { readonly kind: "config-map"; readonly namespace: string; readonly name: string };

/** Answers gathered before a pass; `undefined` means not asked yet, `null` means it does not exist. */
export interface Facts {
  get(need: Need): KubeObject | null | undefined;
}
