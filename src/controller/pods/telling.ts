/** What people are told about pods: Kubernetes events on their workflows, lines for the log, counts for metrics. */

import type { ObjectReference } from "../../core/model/kube/core.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { cleanupFailedReason, cleanupFailedText } from "../../core/podlife/index.js";
import { messageOf } from "../../core/std/message.js";
import { ApiError } from "../../kube/errors.js";
import { type EventRecorder, referenceTo } from "../../kube/events.js";
import type { Failure } from "../../kube/worker.js";

/** An intent that failed so often in a row is told to people, and goes on (design 4). */
const TOLD_FROM = 5;

/** They outlive a controller's terms. */
export interface PodCounts {
  /** Tries of a pod's write that the API refused or did not answer. */
  failedTries: number;
  /** Pods that stood for no attempt, and were ended. */
  surplus: number;
}

export const noPodCounts: Readonly<PodCounts> = { failedTries: 0, surplus: 0 };

export class PodTelling {
  readonly #recorder: Pick<EventRecorder, "record">;
  readonly #log: (line: string) => void;
  readonly #counts: PodCounts;

  constructor(recorder: Pick<EventRecorder, "record">, log: (line: string) => void, counts: PodCounts) {
    this.#recorder = recorder;
    this.#log = log;
    this.#counts = counts;
  }

  /**
   * `pod`: as last seen. From the fifth try on each is told on the pod, so that the last one is known (`tiphys get`), and a
   * few of them on the workflow, for people.
   */
  failed(pod: Pod, { error, failures: tries, retryMs: nextTryInMs }: Failure): void {
    this.#counts.failedTries++;
    if (tries < TOLD_FROM) return;
    const message = cleanupFailedText({
      podName: pod.metadata.name ?? "",
      podUid: pod.metadata.uid ?? "",
      tries,
      code: error instanceof ApiError ? error.code : undefined,
      message: messageOf(error),
      nextTryInMs,
    });
    const note = { type: "Warning", reason: cleanupFailedReason, message } as const;
    this.#recorder.record({ object: referenceTo(pod), ...note });
    if (!isToldOfWorkflow(tries)) return;
    const owner = ownerOf(pod);
    if (owner !== undefined) this.#recorder.record({ object: owner, ...note });
    this.#log(message);
  }

  surplus(pod: Pod): void {
    this.#counts.surplus++;
    const { name, uid } = pod.metadata;
    const message = `pod ${name} (${uid}) stands for no attempt of this workflow: it is ended`;
    this.#recorder.record({ object: ownerOf(pod) ?? referenceTo(pod), type: "Warning", reason: "SurplusPod", message });
    this.#log(message);
  }
}

/** The fifth failure in a row, and each time their number has doubled: the workflow's events are not flooded. */
function isToldOfWorkflow(tries: number): boolean {
  return Number.isInteger(Math.log2(tries / TOLD_FROM));
}

/** The workflow, which outlives its pods. */
function ownerOf(pod: Pod): ObjectReference | undefined {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return undefined;
  const { apiVersion, kind, name, uid } = owner;
  const { namespace } = pod.metadata;
  return { apiVersion, kind, name, uid, ...(namespace !== undefined && { namespace }) };
}
