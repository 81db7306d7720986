/** Which helpers a pod can do without: each container costs time, and most steps stage and report nothing. */

import { type Artifact, hasLocation } from "../../../model/argo/artifact.js";
import type { Template } from "../../../model/argo/template.js";
import type { PodRequest } from "../../request.js";

/** A script's source or an input artifact has to be there before main begins. */
export function needsInit({ template }: PodRequest): boolean {
  return hasSource(template) || stagedArtifacts(template).length > 0;
}

/**
 * Something has to be reported after main's end: a declared output, the captured result, archived logs. A pod without
 * it says so by an annotation, and its node ends with the pod.
 */
export function needsWait({ template, includeResult, archiveLocation }: PodRequest): boolean {
  const { parameters = [], artifacts = [] } = template.outputs ?? {};
  const reports = parameters.some(({ valueFrom }) => valueFrom?.path !== undefined) || artifacts.length > 0;
  return reports || includeResult || archiveLocation?.archiveLogs === true;
}

export function hasSource(template: Template): boolean {
  return (template.script?.source ?? "") !== "";
}

/** The input artifacts that `init` has to load; an optional one that nobody gave is not one of them. */
export function stagedArtifacts(template: Template): readonly Artifact[] {
  return (template.inputs?.artifacts ?? []).filter((artifact) => artifact.optional !== true || hasLocation(artifact));
}
