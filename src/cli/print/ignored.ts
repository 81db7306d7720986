/** One notice a run for all that only a cluster has. */

import type { Problem } from "../../core/std/problem.js";

/** `means nothing here, left out: nodeSelector, tolerations`; undefined when there is nothing to say. */
export function ignoredNotice(problems: readonly Problem[]): string | undefined {
  const names = new Set(problems.filter(({ code }) => code === "ignored").map(fieldOf));
  return names.size === 0 ? undefined : `ignored on this machine: ${[...names].join(", ")}`;
}

function fieldOf({ path, message }: Problem): string {
  const field = path.split(".").at(-1)?.replace(/\[.*$/, "") ?? "";
  return field === "" ? message : field;
}
