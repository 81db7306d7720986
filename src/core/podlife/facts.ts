/** All that is known of a pod when its end state is decided. */

import type { Template } from "../model/argo/template.js";
import type { PodGCFacts } from "./gc.js";
import type { PodView } from "./view.js";

export interface DispositionFacts {
  readonly pod: PodView;
  readonly owner: OwnerState;
  /** Of the saved workflow, see `outcomeStateOf`. */
  readonly outcome: OutcomeState;
  /** The cluster's node under the pod is gone or NotReady. */
  readonly hostLost: boolean;
  readonly podGC: PodGCFacts;
  /** Of the pod's node, for the names of its main containers. */
  readonly template: Template | undefined;
  /** When the end of a running pod was decided, from saved facts: the node's finishedAt, the owner's deletionTimestamp. */
  readonly endAskedAt: number | undefined;
  /** For the label that someone may have taken off; undefined when the owner is not there. */
  readonly workflowName: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type OwnerState =
  | "present"
  /** In the foreground (it waits for our pods) or with finalizers of its own. */
  | "deleting"
  /** Being deleted with propagation policy Orphan: its pods are meant to stay. */
  | "orphaning"
  /** Proven by a live read: no workflow of that UID. */
  | "absent"
  /** The pod names no owner (any more). */
  | "none"
  /** A cache does not show it; that proves nothing (lessons A-08). */
  | "unproven";

export type OutcomeState =
  | "unsaved"
  | "saved"
  /** Of an earlier retry generation, or replaced by a restart: nobody waits for what it says. */
  | "superseded"
  /** For no attempt that the workflow knows. */
  | "surplus";
