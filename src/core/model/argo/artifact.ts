/** Artifacts and the places they lie in (Argo 4.1 behaviour 1.1.3, 6.7). */

import type { JsonObject } from "../../std/json.js";
import type { KeySelector } from "../kube/pod.js";

export interface Artifact extends ArtifactLocation {
  readonly name: string;
  readonly path?: string;
  readonly mode?: number;
  readonly recurseMode?: boolean;
  readonly from?: string;
  readonly fromExpression?: string;
  readonly archive?: ArchiveStrategy;
  readonly globalName?: string;
  readonly optional?: boolean;
  readonly subPath?: string;
  readonly artifactGC?: ArtifactGC;
  readonly deleted?: boolean;
}

/** At most one driver is set. */
export interface ArtifactLocation {
  readonly archiveLogs?: boolean;
  readonly s3?: S3Artifact;
  readonly gcs?: GCSArtifact;
  readonly azure?: AzureArtifact;
  readonly oss?: OSSArtifact;
  readonly http?: HTTPArtifact;
  readonly artifactory?: ArtifactoryArtifact;
  readonly git?: GitArtifact;
  readonly hdfs?: HDFSArtifact;
  readonly raw?: RawArtifact;
  readonly plugin?: PluginArtifact;
}

export type ArtifactDriver = Exclude<keyof ArtifactLocation, "archiveLogs">;

/** Every driver, by the field that a location names it with. */
export const artifactDrivers: readonly ArtifactDriver[] = [
  "s3",
  "gcs",
  "azure",
  "oss",
  "http",
  "artifactory",
  "git",
  "hdfs",
  "raw",
  "plugin",
];

/** It says where it lies, be it by a driver and a key alone. */
export function hasLocation(location: ArtifactLocation): boolean {
  return artifactDrivers.some((driver) => location[driver] !== undefined);
}

export interface ArchiveStrategy {
  readonly tar?: { readonly compressionLevel?: number };
  readonly none?: Record<string, never>;
  readonly zip?: Record<string, never>;
}

export interface ArtifactGC {
  readonly strategy?: "" | "OnWorkflowCompletion" | "OnWorkflowDeletion" | "Never";
  readonly podMetadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly serviceAccountName?: string;
}

export interface S3Bucket {
  readonly endpoint?: string;
  readonly bucket?: string;
  readonly region?: string;
  readonly insecure?: boolean;
  readonly accessKeySecret?: KeySelector;
  readonly secretKeySecret?: KeySelector;
  readonly sessionTokenSecret?: KeySelector;
  readonly roleARN?: string;
  readonly useSDKCreds?: boolean;
  readonly createBucketIfNotPresent?: JsonObject;
  readonly encryptionOptions?: JsonObject;
  readonly caSecret?: KeySelector;
  readonly addressingStyle?: string;
}

export interface S3Artifact extends S3Bucket {
  readonly key?: string;
}

export interface GCSBucket {
  readonly bucket?: string;
  readonly serviceAccountKeySecret?: KeySelector;
}

export interface GCSArtifact extends GCSBucket {
  readonly key?: string;
}

export interface AzureContainer {
  readonly endpoint?: string;
  readonly container?: string;
  readonly accountKeySecret?: KeySelector;
  readonly useSDKCreds?: boolean;
}

export interface AzureArtifact extends AzureContainer {
  readonly blob?: string;
}

export interface OSSBucket {
  readonly endpoint?: string;
  readonly bucket?: string;
  readonly accessKeySecret?: KeySelector;
  readonly secretKeySecret?: KeySelector;
  readonly createBucketIfNotPresent?: boolean;
  readonly securityToken?: string;
  readonly lifecycleRule?: JsonObject;
  readonly useSDKCreds?: boolean;
}

export interface OSSArtifact extends OSSBucket {
  readonly key?: string;
}

export interface HTTPArtifact {
  readonly url?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly auth?: JsonObject;
  readonly saveStreamViaFile?: boolean;
}

export interface ArtifactoryArtifact {
  readonly url?: string;
  readonly usernameSecret?: KeySelector;
  readonly passwordSecret?: KeySelector;
}

export interface GitArtifact {
  readonly repo: string;
  readonly revision?: string;
  readonly depth?: number;
  readonly fetch?: readonly string[];
  readonly usernameSecret?: KeySelector;
  readonly passwordSecret?: KeySelector;
  readonly sshPrivateKeySecret?: KeySelector;
  readonly insecureIgnoreHostKey?: boolean;
  readonly insecureSkipTLS?: boolean;
  readonly disableSubmodules?: boolean;
  readonly singleBranch?: boolean;
  readonly branch?: string;
}

export interface HDFSArtifact {
  readonly addresses?: readonly string[];
  readonly path?: string;
  readonly force?: boolean;
  readonly hdfsUser?: string;
  readonly dataTransferProtection?: string;
  readonly krbCCacheSecret?: KeySelector;
  readonly krbKeytabSecret?: KeySelector;
  readonly krbUsername?: string;
  readonly krbRealm?: string;
  readonly krbConfigConfigMap?: KeySelector;
  readonly krbServicePrincipalName?: string;
}

export interface RawArtifact {
  readonly data: string;
}

export interface PluginArtifact {
  readonly name?: string;
  readonly configuration?: string;
  readonly connectionTimeoutSeconds?: number;
  readonly key?: string;
}

/** A default store for outputs (Argo 4.1 behaviour 1.8); one driver is set. */
export interface ArtifactRepository {
  readonly archiveLogs?: boolean;
  readonly s3?: S3Bucket & { readonly keyFormat?: string; readonly keyPrefix?: string };
  readonly gcs?: GCSBucket & { readonly keyFormat?: string };
  readonly azure?: AzureContainer & { readonly blobNameFormat?: string };
  readonly oss?: OSSBucket & { readonly keyFormat?: string };
  readonly artifactory?: Omit<ArtifactoryArtifact, "url"> & { readonly repoURL?: string; readonly keyFormat?: string };
  readonly hdfs?: Omit<HDFSArtifact, "path"> & { readonly pathFormat?: string };
  readonly plugin?: Omit<PluginArtifact, "key"> & { readonly keyFormat?: string };
}
