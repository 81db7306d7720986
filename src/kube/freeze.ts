/** Freezes a value with all it holds: objects of the API are shared by all readers, and nobody may change them. */

/** Answers `value` itself. Stops at what is frozen already, so shared parts are walked once. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
