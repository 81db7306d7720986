/** What is made of a template: its inputs and outputs, its kind of work, what steers it. */

import type { ArchiveStrategy, Artifact, ArtifactLocation, HTTPArtifact, S3Artifact } from "../argo/artifact.js";
import type {
  Arguments,
  DAGTask,
  DAGTemplate,
  Invocation,
  LifecycleHook,
  MainContainer,
  Metadata,
  Outputs,
  Parameter,
  RetryStrategy,
  ScriptTemplate,
  SuspendTemplate,
  Template,
  UserContainer,
  ValueFrom,
  WorkflowStep,
} from "../argo/template.js";
import {
  containersOnly,
  keptArtifacts,
  lockNotYet,
  noMetrics,
  noNetworkPolicy,
  noRemoteStore,
  noScheduler,
  noTokens,
} from "./notices.js";
import { keySelectorRows, namelessContainerRows, resourceRows, volumeRows } from "./pod-rows.js";
import { each, type FieldRows, fields, kindNotYet, notYet, obeyed, obeyedWhole, type Rows } from "./row.js";

const valueFromRows = fields<ValueFrom>({
  path: obeyed,
  jsonPath: notYet("is not built yet: it belongs to resource templates"),
  jqFilter: notYet("is not built yet: it belongs to resource templates"),
  event: notYet("is not built yet: no events reach this machine"),
  parameter: obeyed,
  supplied: obeyed,
  configMapKeyRef: keySelectorRows,
  default: obeyed,
  expression: obeyed,
});

const parameterRows = fields<Parameter>({
  name: obeyed,
  default: obeyed,
  value: obeyed,
  valueFrom: valueFromRows,
  globalName: obeyed,
  enum: obeyed,
  description: obeyed,
});

const giveArtifact = "put a local file or folder in its place: --artifact TEMPLATE.NAME=PATH";

/** A key alone is a place in the default repository, wherever that is. */
const s3Rows = fields<S3Artifact>({
  key: obeyed,
  endpoint: noRemoteStore,
  bucket: noRemoteStore,
  region: noRemoteStore,
  insecure: noRemoteStore,
  accessKeySecret: noRemoteStore,
  secretKeySecret: noRemoteStore,
  sessionTokenSecret: noRemoteStore,
  roleARN: noRemoteStore,
  useSDKCreds: noRemoteStore,
  createBucketIfNotPresent: noRemoteStore,
  encryptionOptions: noRemoteStore,
  caSecret: noRemoteStore,
  addressingStyle: noRemoteStore,
});

const locationRows: Rows<ArtifactLocation> = {
  archiveLogs: obeyed,
  s3: s3Rows,
  gcs: noRemoteStore,
  azure: noRemoteStore,
  oss: noRemoteStore,
  hdfs: noRemoteStore,
  artifactory: noRemoteStore,
  http: fields<HTTPArtifact>({
    url: obeyed,
    headers: obeyedWhole,
    auth: obeyedWhole,
    saveStreamViaFile: obeyed,
  }),
  git: notYet("is not built yet", giveArtifact),
  raw: obeyedWhole,
  plugin: notYet("is not built yet", giveArtifact),
};

const artifactRowsOf = (location: Rows<ArtifactLocation>): FieldRows =>
  fields<Artifact>({
    name: obeyed,
    path: obeyed,
    mode: obeyed,
    recurseMode: obeyed,
    from: obeyed,
    fromExpression: obeyed,
    archive: fields<ArchiveStrategy>({ tar: obeyedWhole, none: obeyed, zip: obeyed }),
    globalName: obeyed,
    optional: obeyed,
    subPath: obeyed,
    artifactGC: keptArtifacts,
    deleted: obeyed,
    ...location,
  });

const inputArtifactRows = artifactRowsOf(locationRows);
const outputArtifactRows = artifactRowsOf({
  ...locationRows,
  http: notYet("takes no outputs yet: only http inputs are built"),
  git: notYet("takes no outputs"),
  raw: notYet("takes no outputs"),
});

export const argumentsRows = fields<Arguments>({ parameters: parameterRows, artifacts: inputArtifactRows });

const outputsRows = fields<Outputs>({
  parameters: parameterRows,
  artifacts: outputArtifactRows,
  result: obeyed,
  exitCode: obeyed,
});

export const metadataRows = fields<Metadata>({ labels: obeyed, annotations: obeyed });

export const retryStrategyRows = fields<RetryStrategy>({
  limit: obeyed,
  retryPolicy: obeyed,
  backoff: obeyedWhole,
  affinity: noScheduler,
  expression: obeyed,
});

export const hookRows = each(
  fields<LifecycleHook>({
    template: obeyed,
    templateRef: obeyedWhole,
    arguments: argumentsRows,
    expression: obeyed,
  }),
);

const mainContainerRows: Rows<MainContainer> = { name: obeyed, ...namelessContainerRows };

const userContainerRows = fields<UserContainer>({ ...mainContainerRows, mirrorVolumeMounts: obeyed });

const invocationRows: Rows<Invocation> = {
  name: obeyed,
  template: obeyed,
  templateRef: obeyedWhole,
  inline: () => templateRows,
  arguments: argumentsRows,
  withItems: obeyed,
  withParam: obeyed,
  withSequence: obeyedWhole,
  when: obeyed,
  continueOn: obeyedWhole,
  onExit: obeyed,
  hooks: hookRows,
};

/** What steers any template, whatever its work. */
const steering = {
  name: obeyed,
  inputs: argumentsRows,
  outputs: outputsRows,
  metadata: metadataRows,
  annotations: obeyed,
  activeDeadlineSeconds: obeyed,
  timeout: obeyed,
  pendingTimeout: obeyed,
  retryStrategy: retryStrategyRows,
  parallelism: obeyed,
  failFast: obeyed,
  daemon: obeyed,
  metrics: noMetrics,
  synchronization: lockNotYet,
  memoize: notYet(),
};

const podParts = {
  nodeSelector: noScheduler,
  affinity: noScheduler,
  tolerations: noScheduler,
  schedulerName: noScheduler,
  priorityClassName: noScheduler,
  serviceAccountName: obeyed,
  automountServiceAccountToken: noTokens,
  executor: noTokens,
  hostAliases: noNetworkPolicy,
  securityContext: containersOnly,
  podSpecPatch: obeyed,
  podResources: resourceRows,
  resourceClaims: noScheduler,
  volumes: volumeRows,
  initContainers: userContainerRows,
  sidecars: userContainerRows,
  archiveLocation: fields<ArtifactLocation>({
    ...locationRows,
    http: notYet("takes no outputs yet"),
    git: notYet("takes no outputs"),
    raw: notYet("takes no outputs"),
  }),
};

export const templateRows: FieldRows = fields<Template>({
  ...steering,
  ...podParts,
  container: fields<MainContainer>(mainContainerRows),
  script: fields<ScriptTemplate>({ ...mainContainerRows, source: obeyed }),
  suspend: fields<SuspendTemplate>({ duration: obeyed }),
  steps: fields<WorkflowStep>(invocationRows),
  dag: fields<DAGTemplate>({
    target: obeyed,
    tasks: fields<DAGTask>({ ...invocationRows, dependencies: obeyed, depends: obeyed }),
    failFast: obeyed,
  }),
  containerSet: kindNotYet,
  resource: kindNotYet,
  data: kindNotYet,
  http: kindNotYet,
  plugin: kindNotYet,
});
