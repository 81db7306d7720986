/** Input artifacts in remote stores: those stores are never touched here, so somebody must say where the data is. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GivenName } from "../../artifacts/given.js";
import { driverOf, hasBucket, keyOf, mappedPath, uriOf } from "../../artifacts/locate.js";
import type { Artifact } from "../../core/model/argo/artifact.js";
import type { Problem } from "../../core/std/problem.js";
import { shellWord } from "../print/shell-words.js";
import type { ArtifactUse, Reach } from "./references.js";

export interface ArtifactSettings {
  /** From `--artifact`. */
  readonly given: readonly GivenName[];
  /** Stands for all remote stores. */
  readonly folder: string;
  /** "place": keys without a bucket lie in the run's own folder. "configured": where its configuration says. */
  readonly repository: "place" | "configured";
}

/** One problem for each remote input that nothing in this run writes and that is not here. */
export function missingArtifacts(reach: Reach, settings: ArtifactSettings): readonly Problem[] {
  const written = new Set(reach.outputs.map((artifact) => placeOf(artifact, settings)?.text));
  return reach.inputs.flatMap((use) => {
    const place = placeOf(use.artifact, settings);
    if (place === undefined || use.artifact.optional === true || place.text.includes("{{")) return [];
    if (isGiven(use, settings.given) || written.has(place.text)) return [];
    return place.path !== undefined && existsSync(place.path) ? [] : [problemFor(use, place)];
  });
}

function isGiven({ artifact, owner }: ArtifactUse, given: readonly GivenName[]): boolean {
  return given.some(({ template, name }) => name === artifact.name && (template === null || template === owner));
}

function problemFor({ artifact, owner, position }: ArtifactUse, { text, path }: Place): Problem {
  const name = owner === "" ? artifact.name : `${owner}.${artifact.name}`;
  const file = (keyOf(artifact) ?? "").split("/").findLast((part) => part !== "") ?? "FILE";
  const why = path === undefined ? "it names no bucket, and a run begins with an empty store" : "remote stores are off";
  const put = path === undefined ? "" : `\nor put it where a run looks: ${path}`;
  const problem = {
    code: "no-artifact",
    severity: "error",
    path: "",
    message: `${name}: ${text} is not here, ${why}`,
    hint: `--artifact ${shellWord(`${name}=${file}`)}${put}`,
  } as const;
  return position === undefined ? problem : { ...problem, position };
}

interface Place {
  /** `s3://bucket/key`, or a key alone. */
  readonly text: string;
  /** On this machine; undefined for a key of the run's own store, which nothing but the run fills. */
  readonly path: string | undefined;
}

const REMOTE: ReadonlySet<string | undefined> = new Set(["s3", "gcs", "oss", "azure", "hdfs", "artifactory"]);

/** Undefined for what is not remote, or lies where only the running workflow knows. */
function placeOf(artifact: Artifact, { folder, repository }: ArtifactSettings): Place | undefined {
  if (!REMOTE.has(driverOf(artifact))) return undefined;
  if (hasBucket(artifact)) {
    const mapped = mappedPath(artifact);
    return { text: uriOf(artifact), path: mapped.ok ? join(folder, mapped.value) : undefined };
  }
  const key = keyOf(artifact);
  return repository === "configured" || key === undefined || key === "" ? undefined : { text: key, path: undefined };
}
