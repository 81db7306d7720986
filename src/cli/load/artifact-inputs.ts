/** Input artifacts in remote stores: those stores are never touched here, so somebody must say where the data is. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Artifact } from "../../core/model/argo/artifact.js";
import type { Problem } from "../../core/std/problem.js";
import { shellWord } from "../print/shell-words.js";
import type { ArtifactUse, Reach } from "./references.js";

export interface ArtifactSettings {
  /** From `--artifact`: `NAME` or `TEMPLATE.NAME`. */
  readonly given: ReadonlySet<string>;
  readonly remote: "off" | "local";
  /** Where "local" stores lie. */
  readonly folder: string;
}

/** One problem for each remote input that nothing in this run writes and that is not here. */
export function missingArtifacts(reach: Reach, settings: ArtifactSettings): readonly Problem[] {
  const written = new Set(reach.outputs.map((artifact) => locationOf(artifact)?.text));
  return reach.inputs.flatMap((use) => {
    const location = locationOf(use.artifact);
    if (location === undefined || use.artifact.optional === true || location.text.includes("{{")) return [];
    if (isGiven(use, settings.given) || written.has(location.text)) return [];
    if (settings.remote === "local" && existsSync(join(settings.folder, location.path))) return [];
    return [problemFor(use, location, settings)];
  });
}

function isGiven({ artifact, owner }: ArtifactUse, given: ReadonlySet<string>): boolean {
  return given.has(artifact.name) || given.has(`${owner}.${artifact.name}`);
}

function problemFor(
  { artifact, owner, position }: ArtifactUse,
  location: Location,
  settings: ArtifactSettings,
): Problem {
  const name = owner === "" ? artifact.name : `${owner}.${artifact.name}`;
  const why =
    settings.remote === "off" ? "remote stores are off" : `and neither is ${join(settings.folder, location.path)}`;
  const file = location.path.split("/").at(-1) ?? "FILE";
  const problem = {
    code: "no-artifact",
    severity: "error",
    path: "",
    message: `${name}: ${location.text} is not here, ${why}`,
    hint: `--artifact ${shellWord(`${name}=${file}`)}`,
  } as const;
  return position === undefined ? problem : { ...problem, position };
}

interface Location {
  /** `s3://bucket/key` */
  readonly text: string;
  /** Below the artifacts folder: `s3/bucket/key`. */
  readonly path: string;
}

/** Undefined for what is not remote, or names no store of its own (a key in the default repository). */
function locationOf(artifact: Artifact): Location | undefined {
  const { s3, gcs, azure, oss, hdfs, artifactory } = artifact;
  const stores: readonly (readonly [string, string, string | undefined, string | undefined])[] = [
    ["s3://", "s3", s3?.bucket, s3?.key],
    ["gs://", "gcs", gcs?.bucket, gcs?.key],
    ["oss://", "oss", oss?.bucket, oss?.key],
    ["azure://", "azure", azure?.container, azure?.blob],
  ];
  for (const [scheme, folder, store, key] of stores) {
    if (store && key) return { text: `${scheme}${store}/${key}`, path: join(folder, store, key) };
  }
  if (hdfs?.path) return { text: `hdfs:${hdfs.path}`, path: join("hdfs", hdfs.path) };
  if (artifactory?.url === undefined) return undefined;
  return { text: artifactory.url, path: join("artifactory", artifactory.url.replace(/^https?:\/\//, "")) };
}
