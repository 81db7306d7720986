/** Faults as data: a run is repeated from them, and shrunk by leaving some out. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { WatchEvent } from "../../../src/kube/client.js";

/** What happens to one call of the API. */
export type CallFault =
  /** The API answers no; nothing is done. */
  | { readonly kind: "refuse"; readonly code: 403 | 409 | 413 | 429 | 500 | 503 }
  /** 403 by an admission webhook: unlike a quota, it does not pass by itself. */
  | { readonly kind: "deny" }
  /** Someone else writes the object right before: a true conflict. */
  | { readonly kind: "foreign-write" }
  /** Refused as if by one: a foreign write where there is an object, 409 where there is none yet. */
  | { readonly kind: "conflict" }
  /** No answer; `before`: nothing was done, `after`: it was. */
  | { readonly kind: "timeout"; readonly commit: "before" | "after" }
  /** The caller dies; `before`: the request never left, `after`: it was done, nobody read the answer. */
  | { readonly kind: "crash"; readonly commit: "before" | "after" }
  /** The caller stands still for so long right before its request leaves. */
  | { readonly kind: "pause"; readonly ms: number }
  /** The request is under way for so long. */
  | { readonly kind: "slow"; readonly ms: number }
  /** The same, and the caller dies meanwhile. */
  | { readonly kind: "last-words"; readonly ms: number };

/** What happens to one event of one watch. */
export type EventFault =
  | { readonly kind: "late"; readonly ms: number }
  | { readonly kind: "doubled" }
  /** It and all after it never come: the stream breaks. */
  | { readonly kind: "lost" }
  /** The stream breaks and cannot be taken up again: 410. */
  | { readonly kind: "gone" }
  /** It and all after it never come, and nobody says so. */
  | { readonly kind: "stalled" }
  /** Things of the past are told once more after it. */
  | { readonly kind: "followed-by"; readonly events: readonly WatchEvent<KubeObject>[] };

/** What happens at the n-th start or end of a container on the machine. */
export type MachineFault =
  /** The kubelet dies: before the start record, after it, after the process began. */
  | { readonly kind: "crash-at-start"; readonly point: "unrecorded" | "recorded" | "started" }
  /** The kubelet and its helper die between the exit and the exit record. */
  | { readonly kind: "crash-at-exit" };

/** What somebody does at a moment. */
export type Act =
  | { readonly kind: "crash"; readonly role: string; readonly downMs: number }
  | { readonly kind: "crash-all"; readonly downMs: number }
  | { readonly kind: "pause"; readonly role: string; readonly ms: number }
  | { readonly kind: "jump-clock"; readonly role: string; readonly ms: number }
  /** Every call of `verbs` on `plural` by `role` is refused for so long. */
  | {
      readonly kind: "refuse-all";
      readonly role: string;
      readonly plural: string;
      readonly code: 403 | 409 | 429 | 500 | 503;
      readonly ms: number;
    }
  /** No call of `role` is answered for so long, whatever it is about; `before`: none gets through, `after`: all do. */
  | { readonly kind: "cut-off"; readonly role: string; readonly commit: "before" | "after"; readonly ms: number }
  /** `index`: which of the pods that exist then, counted in the order of their names, round and round. */
  | { readonly kind: "delete-pod"; readonly index: number; readonly graceSeconds: number | undefined }
  | { readonly kind: "finish-pod"; readonly index: number; readonly how: "evict" | "oom" | "preempt" }
  | { readonly kind: "mark-pod"; readonly index: number; readonly mark: PodMark }
  | { readonly kind: "executor-killed"; readonly index: number }
  /**
   * A machine falls silent at once, with its kubelet and executors. Its pods are deleted after `evictMs`, if it is silent
   * then; `ms`: until it, or another in its place, is there.
   */
  | {
      readonly kind: "lose-machine";
      readonly index: number;
      readonly fate: MachineFate;
      readonly ms: number;
      readonly evictMs: number;
    }
  | { readonly kind: "workflow"; readonly index: number; readonly operation: WorkflowOperation }
  /** Deletes the workflow and at once makes one of the same name: another UID. */
  | { readonly kind: "replace-workflow"; readonly index: number; readonly policy: "Background" | "Orphan" }
  /** The namespace goes with all that is in it. */
  | { readonly kind: "delete-namespace" }
  /** Another program makes something that looks like ours. */
  | { readonly kind: "stray"; readonly what: Stray; readonly index: number }
  /** Another program writes nonsense on a task result. */
  | { readonly kind: "mark-result"; readonly index: number };

export type MachineFate =
  /** Its containers go on all the time, and it comes back with them; pods are given to another machine meanwhile. */
  | "cut off"
  /** Its containers have ended, its disk has their records: it comes back under its name. */
  | "rebooted"
  /** For good. The cluster has it on its list for long; another one comes. */
  | "gone"
  /** For good, and its pods are deleted by force; another one comes. */
  | "removed"
  /** The same, and the other one has its name, and an empty disk. */
  | "replaced";

export type Stray =
  /** Our labels and our finalizer, and nobody's. */
  | "pod-without-owner"
  /** Owned by a workflow that never was. */
  | "pod-of-nobody"
  /** Owned by a workflow that is, for a node that it has not. */
  | "pod-too-many"
  /** A task result whose labels and outputs make no sense. */
  | "task-result";

export type PodMark =
  | "finalizer-first"
  | "finalizer-last"
  | "foreign-label"
  | "malformed-labels"
  | "malformed-annotations"
  | "completed-label"
  | "label-off"
  | "generation-nonsense";

export type WorkflowOperation =
  | "stop"
  | "terminate"
  | "suspend"
  | "resume"
  | "retry"
  | "annotate"
  | "malformed-labels"
  | "malformed-annotations"
  | "foreign-finalizer"
  | "set"
  | "delete-background"
  | "delete-foreground"
  | "delete-orphan";

export type Fault =
  | { readonly at: "write"; readonly role: string; readonly nth: number; readonly fault: CallFault }
  | { readonly at: "read"; readonly role: string; readonly nth: number; readonly fault: CallFault }
  | {
      readonly at: "event";
      readonly role: string;
      readonly plural: string;
      readonly nth: number;
      readonly fault: EventFault;
    }
  | { readonly at: "container-start" | "container-end"; readonly nth: number; readonly fault: MachineFault }
  | { readonly at: "time"; readonly ms: number; readonly act: Act };

/** One line, for people. */
export function faultText(fault: Fault): string {
  switch (fault.at) {
    case "write":
    case "read":
      return `${fault.role}'s ${fault.at} ${fault.nth}: ${details(fault.fault)}`;
    case "event":
      return `${fault.role}'s ${fault.plural} event ${fault.nth}: ${details(fault.fault)}`;
    case "container-start":
    case "container-end":
      return `${fault.at} ${fault.nth}: ${details(fault.fault)}`;
    case "time":
      return `at ${fault.ms} ms: ${details(fault.act)}`;
  }
}

/** Its kind with what makes it another: for counting how often each came about. */
export function kindOf(fault: CallFault | EventFault | MachineFault | Act): string {
  const more = ["role", "operation", "mark", "what", "policy", "how", "commit", "code", "point", "fate"].map((name) =>
    Reflect.get(fault, name),
  );
  return [fault.kind, ...more.filter((value) => value !== undefined)].join(" ");
}

function details({ kind, ...rest }: { readonly kind: string }): string {
  const more = Object.entries(rest).map(([name, value]) => ` ${name}=${String(value)}`);
  return `${kind}${more.join("")}`;
}
