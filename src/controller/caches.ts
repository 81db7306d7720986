/** What the controller sees of the cluster: its caches as questions, so that a pass does not know how they are filled. */

import type { Workflow, WorkflowTaskResult } from "../core/model/argo/workflow.js";
import type { KubeObject } from "../core/model/kube/meta.js";
import type { Pod } from "../core/model/kube/pod.js";
import type { ResourceType } from "../core/model/resources.js";
import type { ObjectKey } from "../kube/client.js";

export interface Caches {
  workflow(key: ObjectKey): Workflow | undefined;
  /** Pods controlled by the workflow with that UID. */
  podsOf(workflowUid: string): readonly Pod[];
  /** Those of one node; more than one where someone else made another. */
  podsOfNode(workflowUid: string, nodeId: string): readonly Pod[];
  pod(uid: string): Pod | undefined;
  /** Task results that belong to the workflow with that UID. */
  taskResultsOf(workflowUid: string): readonly WorkflowTaskResult[];
  taskResult(workflowUid: string, nodeId: string): WorkflowTaskResult | undefined;
  /** False while the stream has not yet shown our own last write of the object (design law: read your own writes). */
  isCurrent(type: ResourceType, object: KubeObject): boolean;
  /** From now on a view older than this live read is not current either. Our own writes are remembered by themselves. */
  awaitView(type: ResourceType, object: KubeObject): void;
}
