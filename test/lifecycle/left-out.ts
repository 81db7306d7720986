/** Cases that are not played, and why. */

import type { LifecycleCase } from "./case.js";

const needsS3 = "an S3 server answers in it";

const byName: Readonly<Record<string, string>> = {
  "init-artifact-missing": needsS3,
  "s3-nobucket": needsS3,
};

const unbuiltKinds = ["containerSet", "http", "resource", "data", "plugin"] as const;

/** Undefined: it is played. */
export function whyLeftOut({ name, submitted }: LifecycleCase): string | undefined {
  const kinds = (submitted.spec.templates ?? []).flatMap((template) =>
    unbuiltKinds.filter((kind) => template[kind] !== undefined),
  );
  const [kind] = kinds;
  return kind === undefined ? byName[name] : `templates of kind ${kind} are not built yet`;
}
