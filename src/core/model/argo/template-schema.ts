/** Schema of the template, with the kinds of work that name other templates: steps and DAG. */

import {
  boolean,
  type Fields,
  intOrString,
  json,
  lazy,
  list,
  listBy,
  map,
  object,
  openObject,
  required,
  type Schema,
  stringMap,
  text,
} from "../codec/schema.js";
import { resourceRequirementsSchema } from "../kube/container-schema.js";
import { hostAliasSchema } from "../kube/pod-schema.js";
import { affinitySchema, podResourceClaimSchema, tolerationSchema } from "../kube/scheduling-schema.js";
import { podSecurityContextSchema } from "../kube/security-schema.js";
import { volumeSchema } from "../kube/volume-schema.js";
import { argumentsSchema, outputsSchema } from "./arguments-schema.js";
import { artifactLocationSchema } from "./artifact-schema.js";
import { metadataSchema } from "./metadata-schema.js";
import {
  continueOnSchema,
  executorConfigSchema,
  lifecycleHookSchema,
  memoizeSchema,
  metricsSchema,
  parallelismSchema,
  retryStrategySchema,
  sequenceSchema,
  synchronizationSchema,
  templateRefSchema,
} from "./policy-schema.js";
import type { DAGTask, DAGTemplate, Invocation, Template, WorkflowStep } from "./template.js";
import {
  containerSetTemplateSchema,
  dataTemplateSchema,
  httpTemplateSchema,
  mainContainerSchema,
  resourceTemplateSchema,
  scriptTemplateSchema,
  suspendTemplateSchema,
  userContainerSchema,
} from "./work-schema.js";

const invocationFields: Fields<Omit<Invocation, "name">> = {
  template: text,
  templateRef: templateRefSchema,
  inline: lazy((): Schema<Template> => templateSchema),
  arguments: argumentsSchema,
  withItems: list(json),
  withParam: text,
  withSequence: sequenceSchema,
  when: text,
  continueOn: continueOnSchema,
  onExit: text,
  hooks: map(lifecycleHookSchema),
};

const workflowStep = object<WorkflowStep>()({ name: text, ...invocationFields });

const dagTask = object<DAGTask>()({
  name: required(text),
  ...invocationFields,
  dependencies: list(text),
  depends: text,
});

const dagTemplate = object<DAGTemplate>()({
  target: text,
  tasks: required(listBy("name", dagTask)),
  failFast: boolean,
});

export const templateSchema: Schema<Template> = object<Template>()({
  name: text,
  inputs: argumentsSchema,
  outputs: outputsSchema,
  metadata: metadataSchema,
  annotations: stringMap,
  nodeSelector: stringMap,
  affinity: affinitySchema,
  tolerations: list(tolerationSchema),
  schedulerName: text,
  priorityClassName: text,
  serviceAccountName: text,
  automountServiceAccountToken: boolean,
  executor: executorConfigSchema,
  hostAliases: listBy("ip", hostAliasSchema),
  securityContext: podSecurityContextSchema,
  podSpecPatch: text,
  podResources: resourceRequirementsSchema,
  resourceClaims: list(podResourceClaimSchema),
  volumes: listBy("name", volumeSchema),
  initContainers: listBy("name", userContainerSchema),
  sidecars: listBy("name", userContainerSchema),
  archiveLocation: artifactLocationSchema,
  activeDeadlineSeconds: intOrString,
  timeout: text,
  pendingTimeout: text,
  retryStrategy: retryStrategySchema,
  parallelism: parallelismSchema,
  failFast: boolean,
  daemon: boolean,
  metrics: metricsSchema,
  synchronization: synchronizationSchema,
  memoize: memoizeSchema,
  plugin: openObject,
  container: mainContainerSchema,
  containerSet: containerSetTemplateSchema,
  script: scriptTemplateSchema,
  resource: resourceTemplateSchema,
  data: dataTemplateSchema,
  suspend: suspendTemplateSchema,
  http: httpTemplateSchema,
  steps: list(list(workflowStep)),
  dag: dagTemplate,
});
