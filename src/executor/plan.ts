/** What the executor has to do beside a pod, read from its template: a list of steps, pure and tested as data. */

import type { Artifact } from "../core/model/argo/artifact.js";
import type { Parameter, Template } from "../core/model/argo/template.js";

export interface InputStep {
  readonly artifact: Artifact;
  /** Where main finds it. */
  readonly path: string;
}

export interface OutputPlan {
  /** Output parameters read from files of main. */
  readonly parameters: readonly ParameterStep[];
  readonly artifacts: readonly ArtifactStep[];
  readonly captureResult: boolean;
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

/** Input artifacts to stage before main; one without a path is the template's own fault. */
export function planInputs(template: Template): readonly InputStep[] {
  return (template.inputs?.artifacts ?? []).map((artifact) => ({ artifact, path: artifact.path ?? "" }));
}

/** Outputs to read after main has ended. */
export function planOutputs(template: Template, captureResult: boolean): OutputPlan {
  return {
    parameters: (template.outputs?.parameters ?? []).flatMap((parameter) => {
      const path = parameter.valueFrom?.path;
      return path === undefined ? [] : [{ parameter, path }];
    }),
    artifacts: (template.outputs?.artifacts ?? []).flatMap((artifact) =>
      artifact.path === undefined ? [] : [{ artifact, path: artifact.path, fileName: fileNameOf(artifact) }],
    ),
    captureResult,
  };
}

/** Default tar -> `<name>.tgz`, zip -> `<name>.zip`, none -> the path's last part (Argo 4.1 behaviour 6.8). */
export function fileNameOf(artifact: Artifact): string {
  if (artifact.archive?.none !== undefined)
    return (artifact.path ?? artifact.name).replace(/\/+$/, "").split("/").pop() ?? "";
  return artifact.archive?.zip === undefined ? `${artifact.name}.tgz` : `${artifact.name}.zip`;
}
