/** Which phases of a pod are its last. */

/** It has ended: a pod does not come back from there. */
export function isPodOver(phase: unknown): phase is "Succeeded" | "Failed" {
  return phase === "Succeeded" || phase === "Failed";
}
