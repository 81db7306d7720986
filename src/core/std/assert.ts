/** Assertions that stay on: what must hold, and what must never happen. */

/** Thrown when the program contradicts itself; never for bad input. */
export class DefectError extends Error {
  override readonly name = "DefectError";
}

/** Fails loudly when `condition` is false: a defect of ours, not of the input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new DefectError(message);
}

/** The branch no value of a closed union can reach; fails to compile when a member is added. */
export function unreachable(value: never): never {
  throw new DefectError(`unreachable: ${JSON.stringify(value)}`);
}
