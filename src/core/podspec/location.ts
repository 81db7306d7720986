/** Which location outputs and logs go to (Argo 4.1 behaviour 1.1.3). */

import { type ArtifactLocation, type ArtifactRepository, hasLocation } from "../model/argo/artifact.js";
import type { Template } from "../model/argo/template.js";

/** Of a key format that nobody gave; the engine replaces its tags. */
const KEY_FORMAT = "{{workflow.name}}/{{pod.name}}";

export interface ArchiveChoice {
  readonly template: Template;
  /** The workflow's resolved repository; undefined: there is none. */
  readonly repository: ArtifactRepository | undefined;
  /** The workflow spec's archiveLogs. */
  readonly archiveLogs: boolean | undefined;
}

/**
 * The location that goes into the template's archiveLocation, with tags in its key still to be replaced; undefined
 * where the template needs none: no logs to keep, and each artifact says itself where it lies.
 */
export function archiveLocationOf({ template, repository, archiveLogs }: ArchiveChoice): ArtifactLocation | undefined {
  const own = template.archiveLocation;
  const keepsLogs = repository?.archiveLogs === true || (own?.archiveLogs ?? archiveLogs ?? false);
  if (own !== undefined && hasLocation(own)) return { ...own, archiveLogs: keepsLogs };
  const artifacts = [...(template.inputs?.artifacts ?? []), ...(template.outputs?.artifacts ?? [])];
  if (!keepsLogs && !artifacts.some((artifact) => !hasLocation(artifact) || isKeyOnly(artifact))) return undefined;
  if (repository === undefined) return keepsLogs ? { archiveLogs: true } : undefined;
  return { archiveLogs: keepsLogs, ...locationOf(repository) };
}

/** A driver with a key but no bucket takes the rest from the archive location. */
function isKeyOnly({ s3, gcs, azure, oss }: ArtifactLocation): boolean {
  const containers = [s3, gcs, oss].filter((one) => one !== undefined).map(({ bucket }) => bucket);
  return azure === undefined ? containers.some((bucket) => !bucket) : !azure.container;
}

/** A repository is a bucket and a key format; a location is a bucket and a key. */
function locationOf(repository: ArtifactRepository): ArtifactLocation {
  const { s3, gcs, azure, oss, artifactory, hdfs, plugin } = repository;
  if (s3 !== undefined) {
    const { keyFormat, keyPrefix, ...bucket } = s3;
    return { s3: { ...bucket, key: keyFormat || (keyPrefix ? `${keyPrefix}/${KEY_FORMAT}` : KEY_FORMAT) } };
  }
  if (gcs !== undefined) {
    const { keyFormat, ...bucket } = gcs;
    return { gcs: { ...bucket, key: keyFormat || KEY_FORMAT } };
  }
  if (azure !== undefined) {
    const { blobNameFormat, ...container } = azure;
    return { azure: { ...container, blob: blobNameFormat || KEY_FORMAT } };
  }
  if (oss !== undefined) {
    const { keyFormat, ...bucket } = oss;
    return { oss: { ...bucket, key: keyFormat || KEY_FORMAT } };
  }
  return otherLocation({ artifactory, hdfs, plugin });
}

type Others = { readonly [Driver in "artifactory" | "hdfs" | "plugin"]: ArtifactRepository[Driver] | undefined };

function otherLocation({ artifactory, hdfs, plugin }: Others): ArtifactLocation {
  if (artifactory !== undefined) {
    const { keyFormat, repoURL, ...credentials } = artifactory;
    return { artifactory: { ...credentials, url: `${repoURL ?? ""}/${keyFormat || KEY_FORMAT}` } };
  }
  if (hdfs !== undefined) {
    const { pathFormat, ...server } = hdfs;
    return { hdfs: { ...server, path: pathFormat || KEY_FORMAT } };
  }
  if (plugin !== undefined) {
    const { keyFormat, ...settings } = plugin;
    return { plugin: { ...settings, key: keyFormat || KEY_FORMAT } };
  }
  return {};
}
