/** What the executor has to do beside a pod, read from its template: lists of steps, pure and tested as data. */

import type { Artifact, ArtifactLocation } from "../core/model/argo/artifact.js";
import type { Parameter, Template } from "../core/model/argo/template.js";

export interface OutputPlan {
  /** Every declared output parameter; those with a path are read from main's files. */
  readonly parameters: readonly ParameterStep[];
  readonly artifacts: readonly ArtifactStep[];
}

export interface ParameterStep {
  readonly parameter: Parameter;
  readonly path: string;
}

export interface ArtifactStep {
  readonly artifact: Artifact;
  readonly path: string;
  /** Name of the object in its store (Argo 4.1 behaviour 6.8). */
  readonly fileName: string;
}

/** Outputs to read after main has ended: at any path of main's files. */
export function planOutputs(template: Template): OutputPlan {
  return {
    parameters: (template.outputs?.parameters ?? []).flatMap((parameter) => {
      const path = parameter.valueFrom?.path;
      return path === undefined || path === "" ? [] : [{ parameter, path: cleanPath(path) }];
    }),
    artifacts: (template.outputs?.artifacts ?? []).flatMap((artifact) =>
      artifact.path === undefined || artifact.path === ""
        ? []
        : [{ artifact, path: cleanPath(artifact.path), fileName: fileNameOf(artifact) }],
    ),
  };
}

/** Default tar -> `<name>.tgz`, zip -> `<name>.zip`, none -> the path's last part (Argo 4.1 behaviour 6.8). */
export function fileNameOf(artifact: Artifact): string {
  // The root has no last part; without any name the key would be that of all the pod's files.
  if (artifact.archive?.none !== undefined) return baseName(artifact.path ?? "") || artifact.name;
  return artifact.archive?.zip === undefined ? `${artifact.name}.tgz` : `${artifact.name}.zip`;
}

/** The last part of a path, which may end in slashes. */
export function baseName(path: string): string {
  return cleanPath(path).split("/").pop() ?? "";
}

/** Without doubled, trailing or `.` parts, as Go's filepath.Clean; `..` stays, for who refuses it. */
export function cleanPath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return `${path.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}

/** Main of the layouts: its name is fixed wherever artifacts are concerned. */
export const mainContainerName = "main";

/** The artifact that main's archived log is, as a node's outputs show it (Argo 4.1 behaviour 6.9). */
export function logArtifact(location: ArtifactLocation): Artifact {
  return { name: `${mainContainerName}-logs`, ...location };
}
