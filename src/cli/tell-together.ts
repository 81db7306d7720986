/** Several things read from what a user typed: what is wrong with any of them is told at once, not only the first. */

import { CliErrors, isForUser, type UserError } from "./errors.js";

/** As Promise.all, but it waits for all, and rejects with all that went wrong. */
export async function allOrErrors<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(promises);
  const failures = settled.flatMap((one): readonly unknown[] => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length > 0) throw together(failures);
  return Promise.all(promises);
}

/** Reads each of `items`, in their order. */
export function readEach<T, R>(items: readonly T[], read: (item: T) => R | Promise<R>): Promise<readonly R[]> {
  return allOrErrors(items.map(async (item) => read(item)));
}

function together(failures: readonly unknown[]): unknown {
  const ours = failures
    .filter(isForUser)
    .flatMap((one): readonly UserError[] => (one instanceof CliErrors ? one.errors : [one]));
  const defect = failures.find((one) => !isForUser(one));
  if (defect !== undefined) return defect;
  const once = [...new Map(ours.map((one) => [one.message, one])).values()];
  const [first, ...more] = once;
  return more.length === 0 ? first : new CliErrors(once);
}
