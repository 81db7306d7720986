/**
 * Where an artifact lies, as values (Argo 4.1 behaviour 1.1.3, 6.7): its driver, its key, the rest of a key-only location,
 * and the folder of this machine that a remote store is mapped to.
 */

import type { Artifact, ArtifactDriver, ArtifactLocation } from "../core/model/argo/artifact.js";
import { err, ok, type Result } from "../core/std/result.js";

/** In Argo's order: where several are set, the first counts. */
const drivers = [
  "s3",
  "http",
  "git",
  "artifactory",
  "hdfs",
  "raw",
  "oss",
  "gcs",
  "azure",
  "plugin",
] as const satisfies readonly ArtifactDriver[];

/** The driver of a location; undefined where none is set. */
export function driverOf(location: ArtifactLocation): ArtifactDriver | undefined {
  return drivers.find((driver) => location[driver] !== undefined);
}

/** The artifact as if it lay nowhere. */
export function withoutLocation(artifact: Artifact): Artifact {
  const { s3, http, git, artifactory, hdfs, raw, oss, gcs, azure, plugin, ...rest } = artifact;
  return rest;
}

/** The key within its store; undefined for drivers that have none (raw, git), and where none is given. */
export function keyOf(location: ArtifactLocation): string | undefined {
  switch (driverOf(location)) {
    case "azure":
      return location.azure?.blob;
    case "hdfs":
      return location.hdfs?.path;
    case "http":
      return pathOfUrl(location.http?.url);
    case "artifactory":
      return pathOfUrl(location.artifactory?.url);
    case "s3":
    case "gcs":
    case "oss":
    case "plugin":
      return (location.s3 ?? location.gcs ?? location.oss ?? location.plugin)?.key;
    default:
      return undefined;
  }
}

/** Of the location's driver only the key, and for URLs all before it: what a node's outputs show of an artifact. */
export function keyOnly(location: ArtifactLocation, key: string): ArtifactLocation {
  switch (driverOf(location)) {
    case "gcs":
      return { gcs: { key } };
    case "oss":
      return { oss: { key } };
    case "azure":
      return { azure: { blob: key } };
    case "hdfs":
      return { hdfs: { path: key } };
    case "plugin":
      return { plugin: { key } };
    case "http":
      return { http: { ...location.http, url: withUrlPath(location.http?.url, key) } };
    case "artifactory":
      return { artifactory: { url: withUrlPath(location.artifactory?.url, key) } };
    default:
      return { s3: { key } };
  }
}

/**
 * The artifact with a whole location: one that gives a key and no bucket takes the rest from `defaults`, whatever driver
 * that is ("relocate"); one that is whole, or has no location at all, stays as it is.
 */
export function completeLocation(artifact: Artifact, defaults: ArtifactLocation | undefined): Artifact {
  const key = keyOf(artifact);
  if (key === undefined || defaults === undefined || hasBucket(artifact)) return artifact;
  const driver = driverOf(artifact);
  const target = driverOf(defaults);
  if (driver === undefined || target === undefined) return artifact;
  const whole = withKey(defaults, target, key);
  if (driver === target) return { ...artifact, ...whole };
  const { [driver]: _replaced, ...rest } = artifact;
  return { ...rest, ...whole };
}

function withKey(defaults: ArtifactLocation, driver: ArtifactDriver, key: string): ArtifactLocation {
  switch (driver) {
    case "s3":
      return { s3: { ...defaults.s3, key } };
    case "gcs":
      return { gcs: { ...defaults.gcs, key } };
    case "oss":
      return { oss: { ...defaults.oss, key } };
    case "azure":
      return { azure: { ...defaults.azure, blob: key } };
    case "hdfs":
      return { hdfs: { ...defaults.hdfs, path: key } };
    case "plugin":
      return { plugin: { ...defaults.plugin, key } };
    default:
      return keyOnly(defaults, key);
  }
}

/** Whether the artifact says itself which store its key is in. */
export function hasBucket(location: ArtifactLocation): boolean {
  switch (driverOf(location)) {
    case "s3":
    case "gcs":
    case "oss":
      return isSet((location.s3 ?? location.gcs ?? location.oss)?.bucket);
    case "azure":
      return isSet(location.azure?.container);
    case "hdfs":
      return (location.hdfs?.addresses?.length ?? 0) > 0;
    case "plugin":
      return isSet(location.plugin?.name);
    default:
      return true;
  }
}

/** `s3://bucket/key`: a location as people write it. */
export function uriOf(location: ArtifactLocation): string {
  const driver = driverOf(location);
  if (driver === "http") return location.http?.url ?? "";
  if (driver === "artifactory") return location.artifactory?.url ?? "";
  if (driver === "git") return location.git?.repo ?? "";
  if (driver === "raw") return "raw data";
  return `${driver === "gcs" ? "gs" : (driver ?? "nowhere")}://${storeNameOf(location)}/${(keyOf(location) ?? "").replace(/^\/+/, "")}`;
}

/** Where a remote location lies below the folder that stands for all remote stores: `<driver>/<bucket>/<key>`. */
export function mappedPath(location: ArtifactLocation): Result<string> {
  const driver = driverOf(location) ?? "nowhere";
  const bucket = storeNameOf(location);
  // A bucket's name is one folder, whatever it holds.
  const folder = encodeURIComponent(bucket === "" ? "default" : bucket);
  if (folder === "." || folder === "..") return err(`"${bucket}" cannot be the name of a bucket`);
  const key = safeKey(keyOf(location) ?? "");
  return key.ok ? ok(`${driver}/${folder}/${key.value}`) : key;
}

/** The bucket, container or host that a key is relative to; empty where none is named. */
function storeNameOf(location: ArtifactLocation): string {
  switch (driverOf(location)) {
    case "azure":
      return location.azure?.container ?? "";
    case "hdfs":
      return location.hdfs?.addresses?.[0] ?? "";
    case "http":
      return hostOfUrl(location.http?.url);
    case "artifactory":
      return hostOfUrl(location.artifactory?.url);
    case "plugin":
      return location.plugin?.name ?? "";
    default:
      return (location.s3 ?? location.gcs ?? location.oss)?.bucket ?? "";
  }
}

/** A key as a relative path: `a//b/./c/` is `a/b/c`; one that is empty or goes upwards is refused. */
export function safeKey(key: string): Result<string> {
  const parts = key.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) return err("the key is empty");
  if (parts.includes("..")) return err(`the key "${key}" goes upwards ("..")`);
  if (key.includes("\0")) return err("the key holds a NUL");
  return ok(parts.join("/"));
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}

function pathOfUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return decoded(parseUrl(url)?.pathname ?? url).replace(/^\/+/, "");
}

function hostOfUrl(url: string | undefined): string {
  return (url === undefined ? undefined : parseUrl(url))?.host ?? "";
}

function withUrlPath(url: string | undefined, key: string): string {
  const path = key.split("/").map(encodeURIComponent).join("/");
  const parsed = url === undefined ? undefined : parseUrl(url);
  return parsed === undefined ? `/${path}` : `${parsed.protocol}//${parsed.host}/${path}`;
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
