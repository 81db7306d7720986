/** One notice a run for all that only a cluster has. */

import type { Problem } from "../../core/std/problem.js";

/** `ignored on this machine: nodeSelector, limits; s3 is not touched, …`; undefined when there is nothing to say. */
export function ignoredNotice(problems: readonly Problem[]): string | undefined {
  const paths = problems.filter(({ code }) => code === "ignored");
  const stores = new Set(paths.flatMap(({ path }) => STORE.exec(path)?.[1] ?? []));
  const fields = new Set(paths.filter(({ path }) => !STORE.test(path)).map(fieldOf));
  const parts = [
    ...(fields.size === 0 ? [] : [`ignored on this machine: ${[...fields].join(", ")}`]),
    ...(stores.size === 0 ? [] : [`${[...stores].join(", ")} not touched: a folder of this machine stands in`]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** An artifact in a store elsewhere: it is kept, only not there. */
const STORE = /\.(s3|gcs|azure|oss|hdfs|artifactory)(?:$|\.)/;

function fieldOf({ path, message }: Problem): string {
  const field = path.split(".").at(-1)?.replace(/\[.*$/, "") ?? "";
  return field === "" ? message : field;
}
