/** Where a pod's artifacts go and come from, unless they say it themselves. */

import { driverOf, keyOf, placeLocation } from "../artifacts/index.js";
import type { ArtifactLocation } from "../core/model/argo/artifact.js";
import type { ExecutorEnvironment } from "./environment.js";

/** The template's archive location; without one, the place, with Argo's default key. */
export function archiveLocationFor({ template, workflowName, podName }: ExecutorEnvironment): ArtifactLocation {
  const { archiveLocation = {} } = template;
  return driverOf(archiveLocation) === undefined ? placeLocation(`${workflowName}/${podName}`) : archiveLocation;
}

/** The key of a file of this pod: `<archive key>/<file>`. */
export function keyInArchive(location: ArtifactLocation, fileName: string): string {
  const base = (keyOf(location) ?? "").replace(/\/+$/, "");
  return base === "" ? fileName : `${base}/${fileName}`;
}
