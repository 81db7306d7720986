/** A write for a pod that the API did not take, as it is told to users in a Kubernetes event, and read again from there. */

import type { FailedTry } from "./explain.js";

/** The reason of such an event. */
export const cleanupFailedReason = "PodCleanupFailed";

export interface FailedCleanup {
  readonly podName: string;
  readonly podUid: string;
  /** Failures in a row. */
  readonly tries: number;
  /** HTTP status; undefined when no answer came. */
  readonly code: number | undefined;
  readonly message: string;
  readonly nextTryInMs: number;
}

export function cleanupFailedText({ podName, podUid, tries, code, message, nextTryInMs }: FailedCleanup): string {
  const what = code === undefined ? "no answer" : `refused with ${code}`;
  return `pod ${podName} (${podUid}): try ${tries}: ${what}: ${message}; next in ${Math.ceil(nextTryInMs / 1000)} s`;
}

const TEXT = /\(([^()]*)\): try \d+: (?:no answer|refused with (\d+)): ([\s\S]*); next in (\d+) s$/;

/** `at`: when it was said, milliseconds since the epoch. Undefined for another text. */
export function readCleanupFailed(text: string, at: number): (FailedTry & { readonly podUid: string }) | undefined {
  const [, podUid = "", code, message = "", seconds = ""] = TEXT.exec(text) ?? [];
  if (seconds === "") return undefined;
  const nextTryAt = at + Number(seconds) * 1000;
  return { podUid, code: code === undefined ? undefined : Number(code), message, nextTryAt };
}
