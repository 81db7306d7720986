/** Times as the Kubernetes API prints them. */

import type { Clock } from "../../kube/clock.js";

const MAX_KEPT = 1024;
const kept = new Map<number, string>();

/** RFC 3339 in UTC, whole seconds, from milliseconds since the epoch. */
export function kubeTime(milliseconds: number): string {
  // Many pods ask for the same few seconds, again and again.
  const second = Math.floor(milliseconds / 1000);
  const known = kept.get(second);
  if (known !== undefined) return known;
  const text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(second, text);
  return text;
}

/** Milliseconds since the epoch; undefined where it is no time: others may write a status too. */
export function msOfKubeTime(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** A moment on record as the monotonic clock counts; one that lies ahead is now. */
export function monotonicOf(clock: Clock, at: number): number {
  return clock.monotonic() - Math.max(0, clock.now() - at);
}
