/** What a pod waits for, in words for people (`tiphys get`). */

import { podFinalizer } from "../model/argo/names.js";
import { msOfRfc3339 } from "../std/time.js";
import type { Disposition } from "./disposition.js";
import type { KeepReason } from "./disposition-table.js";
import type { PodView } from "./view.js";

/** The last try of the pod's write that the API did not take. */
export interface FailedTry {
  /** HTTP status; undefined when no answer came. */
  readonly code: number | undefined;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly nextTryAt: number;
}

export interface ExplainContext {
  readonly pod: PodView;
  readonly failed?: FailedTry;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One line without a full stop; undefined when the pod waits for nothing but its own work. */
export function explainDisposition(disposition: Disposition, context: ExplainContext): string | undefined {
  if (context.failed !== undefined) return failedText(context.failed, context.now);
  switch (disposition.kind) {
    case "keep":
      return keepText(disposition.why, context);
    case "end-containers":
      return endingText(disposition, context);
    case "release":
      return "is about to be freed";
    case "delete":
      return disposition.notBefore > context.now
        ? `is deleted in ${seconds(disposition.notBefore - context.now)} (podGC)`
        : "is about to be deleted";
  }
}

function failedText({ code, message, nextTryAt }: FailedTry, now: number): string {
  const what = code === undefined ? "API gives no answer" : `API refuses (${code})`;
  return `${what}: ${message}, ${nextTryAt > now ? `next try in ${seconds(nextTryAt - now)}` : "tried again since"}`;
}

const keepTexts: Readonly<Record<KeepReason, (context: ExplainContext) => string | undefined>> = {
  component: () => undefined,
  "not-ours": () => undefined,
  "owner-unproven": () => "waits for proof that its workflow is gone",
  freed: freedText,
  "node-lost": ({ pod }) => `waits for the loss of node ${pod.hostNodeName ?? "?"} to be saved`,
  "outcome-unsaved": () => "waits for its outcome to be saved",
  "await-workflow": () => "waits for the end of its workflow (podGC)",
  done: () => undefined,
  ending: endingByKubeletText,
  "left-alone": () => "runs on without its workflow",
  running: () => undefined,
};

function keepText(why: KeepReason, context: ExplainContext): string | undefined {
  return keepTexts[why](context);
}

function freedText({ pod }: ExplainContext): string {
  const foreign = pod.finalizers.filter((name) => name !== podFinalizer);
  if (foreign.length === 0) return "waits for the kubelet to end it";
  return `waits for foreign finalizer${foreign.length === 1 ? "" : "s"} ${foreign.join(", ")}`;
}

function endingByKubeletText({ pod, now }: ExplainContext): string {
  const due = msOfRfc3339(pod.deletionTimestamp ?? "");
  if (due === undefined || due <= now) return "waits for the kubelet to end it";
  return `was told to end, is killed in ${seconds(due - now)}`;
}

type Ending = Extract<Disposition, { kind: "end-containers" }>;

function endingText({ deleteAt, graceSeconds, containers }: Ending, { now }: ExplainContext): string {
  if (deleteAt <= now) return "is about to be ended by deleting the pod";
  if (containers.length === 0) return `its outputs are being saved, killed in ${seconds(deleteAt - now)}`;
  const signalled = now - (deleteAt - graceSeconds * 1000);
  return `signalled ${seconds(Math.floor(signalled / 1000) * 1000)} ago, killed in ${seconds(deleteAt - now)}`;
}

function seconds(milliseconds: number): string {
  return `${Math.max(0, Math.ceil(milliseconds / 1000))} s`;
}
