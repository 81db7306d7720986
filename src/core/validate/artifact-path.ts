/** Rules for paths of artifacts in containers (Argo 4.1 behaviour 10.5). */

import type { Artifact } from "../model/argo/artifact.js";
import { fieldPath } from "../model/path.js";
import type { Spot } from "./report.js";

export interface PathPlace {
  /** Of the artifact. */
  readonly path: string;
  /** `templates.t.inputs.artifacts.a`. */
  readonly argo: string;
}

/** A pod needs a path, and one that stays where it is. */
export function checkLeafPath({ name, path = "" }: Artifact, place: PathPlace, spot: Spot): void {
  if (path === "") {
    const argo = `error in ${place.argo}: Artifact '${name}' did not specify a path`;
    spot.tell({
      code: "missing-field",
      path: place.path,
      message: `the artifact "${name}" has no path`,
      hint: "add path: /tmp/…",
      lacks: [fieldPath(place.path, "path")],
      argo,
    });
  } else if (goesUp(path)) {
    const argo = `error in ${place.argo}: Artifact '${name}' attempted to use a path containing '..'. Directory traversal is not permitted`;
    spot.tell({ code: "invalid", path: fieldPath(place.path, "path"), message: "a path may not go up with ..", argo });
  }
}

function goesUp(path: string): boolean {
  return path.split("/").includes("..");
}

/** Steps, DAG and suspend have no files. */
export function checkNoPath({ path = "" }: Artifact, place: PathPlace, spot: Spot): void {
  if (path === "") return;
  spot.tell({
    code: "conflict",
    path: fieldPath(place.path, "path"),
    message: "only a template that makes a pod has paths",
    hint: "leave it out here: the template that is called says where it lies",
    argo: `${place.argo}.path only valid in container/script templates`,
  });
}
