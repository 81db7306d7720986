/** What the pods of a workflow wait for, in words (`get`): a step's end alone does not free its pod. */

import type { NodeId, NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import {
  type Disposition,
  dispositionOf,
  explainDisposition,
  type FailedTry,
  gatherFacts,
  viewPod,
} from "../../core/podlife/index.js";
import { podNote } from "./pod-note.js";

export interface WaitContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Where the workflow names no delay; undefined: Argo's. */
  readonly podGCDelayMs: number | undefined;
  /** By pod UID. */
  readonly failed: ReadonlyMap<string, FailedTry>;
}

const POD_GC_DELAY_DEFAULT_MS = 5_000;

/** One text a node, of its newest pod that waits for anything; pods of others are passed over. */
export function podWaits(workflow: Workflow, pods: readonly Pod[], context: WaitContext): ReadonlyMap<NodeId, string> {
  const waits = new Map<NodeId, string>();
  for (const pod of pods) {
    const view = viewPod(pod);
    if (view.ownerUid !== workflow.metadata.uid) continue;
    const node = workflow.status?.nodes?.[view.nodeId];
    const text = lifecycleText(workflow, pod, context) ?? startText(pod, node);
    if (text !== undefined) waits.set(view.nodeId, text);
  }
  return waits;
}

function lifecycleText(workflow: Workflow, pod: Pod, context: WaitContext): string | undefined {
  const view = viewPod(pod);
  const { now, podGCDelayMs = POD_GC_DELAY_DEFAULT_MS } = context;
  const disposition = dispositionOf(
    gatherFacts(view, {
      sighting: { kind: "seen", workflow },
      node: workflow.status?.nodes?.[view.nodeId],
      template: undefined,
      hostLost: false,
      podGCDelayMs,
      now,
    }),
  );
  if (isOrdinary(disposition)) return undefined;
  // A refusal told earlier counts only while there is still something to do.
  const failed = disposition.kind === "keep" ? undefined : context.failed.get(view.uid);
  return explainDisposition(disposition, { pod: view, now, ...(failed === undefined ? {} : { failed }) });
}

/** Every pod of a workflow that runs may wait so: that is what podGC was asked for. */
function isOrdinary(disposition: Disposition): boolean {
  return disposition.kind === "keep" && disposition.why === "await-workflow";
}

/** What keeps it from beginning, where the node does not say it itself. */
function startText(pod: Pod, node: NodeStatus | undefined): string | undefined {
  if (node?.phase !== "Pending" || (node.message ?? "") !== "") return undefined;
  return podNote(pod) || undefined;
}
