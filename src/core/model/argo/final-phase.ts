/** Which phases of a workflow are its last. */

export type FinalPhase = "Succeeded" | "Failed" | "Error";

export function isFinal(phase: unknown): phase is FinalPhase {
  return phase === "Succeeded" || phase === "Failed" || phase === "Error";
}
