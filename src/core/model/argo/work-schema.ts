/** Schemas of the kinds of work that do not name other templates. */

import {
  boolean,
  durationOrSeconds,
  type Fields,
  integer,
  intOrString,
  list,
  listBy,
  object,
  required,
  text,
} from "../codec/schema.js";
import {
  containerFields,
  keySelectorSchema,
  namelessContainerFields,
  volumeMountSchema,
} from "../kube/container-schema.js";
import { artifactSchema } from "./artifact-schema.js";
import type {
  ContainerNode,
  ContainerSetTemplate,
  DataTemplate,
  HTTPHeader,
  HTTPTemplate,
  MainContainer,
  ResourceTemplate,
  ScriptTemplate,
  SuspendTemplate,
  UserContainer,
} from "./template.js";

const mainContainerFields: Fields<MainContainer> = { name: text, ...namelessContainerFields };

export const mainContainerSchema = object<MainContainer>()(mainContainerFields);

export const scriptTemplateSchema = object<ScriptTemplate>()({ ...mainContainerFields, source: text });

export const userContainerSchema = object<UserContainer>()({ ...containerFields, mirrorVolumeMounts: boolean });

export const containerSetTemplateSchema = object<ContainerSetTemplate>()({
  containers: required(listBy("name", object<ContainerNode>()({ ...containerFields, dependencies: list(text) }))),
  volumeMounts: listBy("mountPath", volumeMountSchema),
  retryStrategy: object<NonNullable<ContainerSetTemplate["retryStrategy"]>>()({ duration: text, retries: intOrString }),
});

/** `action` and `mergeStrategy` may hold a variable: validation checks them after substitution (B 10.4). */
export const resourceTemplateSchema = object<ResourceTemplate>()({
  action: text,
  mergeStrategy: text,
  manifest: text,
  manifestFrom: object<NonNullable<ResourceTemplate["manifestFrom"]>>()({ artifact: required(artifactSchema) }),
  setOwnerReference: boolean,
  successCondition: text,
  failureCondition: text,
  flags: list(text),
});

export const dataTemplateSchema = object<DataTemplate>()({
  source: required(object<DataTemplate["source"]>()({ artifactPaths: artifactSchema })),
  transformation: required(list(object<DataTemplate["transformation"][number]>()({ expression: required(text) }))),
});

export const suspendTemplateSchema = object<SuspendTemplate>()({ duration: durationOrSeconds });

const httpHeader = object<HTTPHeader>()({
  name: required(text),
  value: text,
  valueFrom: object<NonNullable<HTTPHeader["valueFrom"]>>()({ secretKeyRef: keySelectorSchema }),
});

export const httpTemplateSchema = object<HTTPTemplate>()({
  method: text,
  url: required(text),
  headers: list(httpHeader),
  timeoutSeconds: integer,
  successCondition: text,
  body: text,
  bodyFrom: object<NonNullable<HTTPTemplate["bodyFrom"]>>()({ bytes: text }),
  insecureSkipVerify: boolean,
});
