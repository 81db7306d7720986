/** Schemas of artifacts and the places they lie in. */

import {
  boolean,
  choice,
  emptyObject,
  type Fields,
  integer,
  integerFrom,
  list,
  object,
  openObject,
  part,
  required,
  text,
} from "../codec/schema.js";
import { keySelectorSchema } from "../kube/container-schema.js";
import type {
  ArchiveStrategy,
  Artifact,
  ArtifactGC,
  ArtifactLocation,
  ArtifactoryArtifact,
  ArtifactRepository,
  AzureArtifact,
  AzureContainer,
  GCSArtifact,
  GCSBucket,
  GitArtifact,
  HDFSArtifact,
  HTTPArtifact,
  OSSArtifact,
  OSSBucket,
  PluginArtifact,
  RawArtifact,
  S3Artifact,
  S3Bucket,
} from "./artifact.js";
import { metadataSchema } from "./metadata-schema.js";

const secret = keySelectorSchema;

const s3BucketFields: Fields<S3Bucket> = {
  endpoint: text,
  bucket: text,
  region: text,
  insecure: boolean,
  accessKeySecret: secret,
  secretKeySecret: secret,
  sessionTokenSecret: secret,
  roleARN: text,
  useSDKCreds: boolean,
  createBucketIfNotPresent: part({ objectLocking: boolean }),
  encryptionOptions: part({
    kmsKeyId: text,
    kmsEncryptionContext: text,
    enableEncryption: boolean,
    serverSideCustomerKeySecret: secret,
  }),
  caSecret: secret,
  addressingStyle: text,
};

const gcsBucketFields: Fields<GCSBucket> = { bucket: text, serviceAccountKeySecret: secret };

const azureContainerFields: Fields<AzureContainer> = {
  endpoint: text,
  container: text,
  accountKeySecret: secret,
  useSDKCreds: boolean,
};

const ossBucketFields: Fields<OSSBucket> = {
  endpoint: text,
  bucket: text,
  accessKeySecret: secret,
  secretKeySecret: secret,
  createBucketIfNotPresent: boolean,
  securityToken: text,
  lifecycleRule: part({ markInfrequentAccessAfterDays: integer, markDeletionAfterDays: integer }),
  useSDKCreds: boolean,
};

const httpArtifact = object<HTTPArtifact>()({
  url: text,
  headers: list(
    object<{ readonly name: string; readonly value: string }>()({ name: required(text), value: required(text) }),
  ),
  auth: part({
    basicAuth: part({ usernameSecret: secret, passwordSecret: secret }),
    oauth2: part({
      clientIDSecret: secret,
      clientSecretSecret: secret,
      tokenURLSecret: secret,
      scopes: list(text),
      endpointParams: list(part({ key: required(text), value: text })),
    }),
    clientCert: part({ clientCertSecret: secret, clientKeySecret: secret }),
  }),
  saveStreamViaFile: boolean,
});

const artifactoryAuthFields: Fields<Omit<ArtifactoryArtifact, "url">> = {
  usernameSecret: secret,
  passwordSecret: secret,
};

const gitArtifact = object<GitArtifact>()({
  repo: required(text),
  revision: text,
  depth: integerFrom(0),
  fetch: list(text),
  usernameSecret: secret,
  passwordSecret: secret,
  sshPrivateKeySecret: secret,
  insecureIgnoreHostKey: boolean,
  insecureSkipTLS: boolean,
  disableSubmodules: boolean,
  singleBranch: boolean,
  branch: text,
});

const hdfsFields: Fields<Omit<HDFSArtifact, "path">> = {
  addresses: list(text),
  force: boolean,
  hdfsUser: text,
  dataTransferProtection: text,
  krbCCacheSecret: secret,
  krbKeytabSecret: secret,
  krbUsername: text,
  krbRealm: text,
  krbConfigConfigMap: keySelectorSchema,
  krbServicePrincipalName: text,
};

const pluginFields: Fields<Omit<PluginArtifact, "key">> = {
  name: text,
  configuration: text,
  connectionTimeoutSeconds: integer,
};

const artifactLocationFields: Fields<ArtifactLocation> = {
  archiveLogs: boolean,
  s3: object<S3Artifact>()({ ...s3BucketFields, key: text }),
  gcs: object<GCSArtifact>()({ ...gcsBucketFields, key: text }),
  azure: object<AzureArtifact>()({ ...azureContainerFields, blob: text }),
  oss: object<OSSArtifact>()({ ...ossBucketFields, key: text }),
  http: httpArtifact,
  artifactory: object<ArtifactoryArtifact>()({ url: text, ...artifactoryAuthFields }),
  git: gitArtifact,
  hdfs: object<HDFSArtifact>()({ ...hdfsFields, path: text }),
  raw: object<RawArtifact>()({ data: required(text) }),
  plugin: object<PluginArtifact>()({ ...pluginFields, key: text }),
};

export const artifactLocationSchema = object<ArtifactLocation>()(artifactLocationFields);

export const artifactGCFields: Fields<ArtifactGC> = {
  strategy: choice("", "OnWorkflowCompletion", "OnWorkflowDeletion", "Never"),
  podMetadata: metadataSchema,
  serviceAccountName: text,
};

const archive = object<ArchiveStrategy>()({
  tar: object<NonNullable<ArchiveStrategy["tar"]>>()({ compressionLevel: integer }),
  none: emptyObject,
  zip: emptyObject,
});

export const artifactSchema = object<Artifact>()({
  name: required(text),
  path: text,
  mode: integerFrom(0, 0o777),
  recurseMode: boolean,
  from: text,
  fromExpression: text,
  archive,
  globalName: text,
  optional: boolean,
  subPath: text,
  artifactGC: object<ArtifactGC>()(artifactGCFields),
  deleted: boolean,
  ...artifactLocationFields,
});

export const artifactRepositorySchema = object<ArtifactRepository>()({
  archiveLogs: boolean,
  s3: object<NonNullable<ArtifactRepository["s3"]>>()({ ...s3BucketFields, keyFormat: text, keyPrefix: text }),
  gcs: object<NonNullable<ArtifactRepository["gcs"]>>()({ ...gcsBucketFields, keyFormat: text }),
  azure: object<NonNullable<ArtifactRepository["azure"]>>()({ ...azureContainerFields, blobNameFormat: text }),
  oss: object<NonNullable<ArtifactRepository["oss"]>>()({ ...ossBucketFields, keyFormat: text }),
  artifactory: object<NonNullable<ArtifactRepository["artifactory"]>>()({
    ...artifactoryAuthFields,
    repoURL: text,
    keyFormat: text,
  }),
  hdfs: object<NonNullable<ArtifactRepository["hdfs"]>>()({ ...hdfsFields, pathFormat: text }),
  plugin: object<NonNullable<ArtifactRepository["plugin"]>>()({ ...pluginFields, keyFormat: text }),
});

/** What artifact garbage collection did (Argo 4.1 behaviour 1.1.5). */
export const artifactGCStatusSchema = part({
  strategiesProcessed: openObject,
  podsRecouped: openObject,
  notSpecified: boolean,
});
