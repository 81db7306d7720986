/** Which tags must resolve, and how a failure is told (Argo 4.1 behaviour 4.2). */

/**
 * - `allow-unresolved`: unknown tags stay as they are (globals, inputs, the last pass over a pod).
 * - `strict-steps`: tags of `steps` and `tasks` must resolve, but for artifacts; others stay (arguments).
 * - `no-unresolved`: every tag must resolve (loops with items, metrics).
 */
export type SubstituteMode = "allow-unresolved" | "strict-steps" | "no-unresolved";

export interface SubstituteError {
  /** Word for word Argo's. */
  readonly message: string;
  /**
   * `missing`: a variable is not there (yet): Argo looks again later. `absent`: an absent optional that nothing
   * handles. `failed`: the expression is wrong, or its value cannot stand there. The last two are for good.
   */
  readonly kind: "missing" | "absent" | "failed";
  /** What stood between the braces. */
  readonly tag: string;
}

/** Whether a variable of that name must be there. */
export function mustResolve(name: string, mode: SubstituteMode): boolean {
  if (mode !== "strict-steps") return mode === "no-unresolved";
  return /^(steps|tasks)(\.|$)/.test(name);
}
