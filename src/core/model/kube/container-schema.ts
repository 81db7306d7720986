/** Schemas of a container and its parts. */

import {
  boolean,
  choice,
  type Fields,
  integer,
  intOrString,
  list,
  listBy,
  map,
  object,
  part,
  quantity,
  required,
  text,
} from "../codec/schema.js";
import type {
  Container,
  ContainerPort,
  EnvFromSource,
  EnvVar,
  KeySelector,
  LocalObjectReference,
  Probe,
  ResourceRequirements,
  VolumeMount,
} from "./pod.js";
import { securityContextSchema } from "./security-schema.js";

export const localObjectReferenceSchema = object<LocalObjectReference>()({ name: text });

export const keySelectorSchema = object<KeySelector>()({ name: text, key: required(text), optional: boolean });

export const fieldRefSchema = object<{ readonly apiVersion?: string; readonly fieldPath: string }>()({
  apiVersion: text,
  fieldPath: required(text),
});

export const resourceFieldRefSchema = part({ containerName: text, resource: required(text), divisor: quantity });

const envVar = object<EnvVar>()({
  name: required(text),
  value: text,
  valueFrom: object<NonNullable<EnvVar["valueFrom"]>>()({
    fieldRef: fieldRefSchema,
    resourceFieldRef: resourceFieldRefSchema,
    configMapKeyRef: keySelectorSchema,
    secretKeyRef: keySelectorSchema,
    fileKeyRef: part({ volumeName: required(text), path: required(text), key: required(text), optional: boolean }),
  }),
});

const sourceReference = object<{ readonly name?: string; readonly optional?: boolean }>()({
  name: text,
  optional: boolean,
});

const envFromSource = object<EnvFromSource>()({
  prefix: text,
  configMapRef: sourceReference,
  secretRef: sourceReference,
});

const containerPort = object<ContainerPort>()({
  name: text,
  containerPort: required(integer),
  hostPort: integer,
  hostIP: text,
  protocol: text,
});

export const resourceRequirementsSchema = object<ResourceRequirements>()({
  limits: map(quantity),
  requests: map(quantity),
  claims: list(part({ name: required(text), request: text })),
});

export const volumeMountSchema = object<VolumeMount>()({
  name: required(text),
  mountPath: required(text),
  subPath: text,
  subPathExpr: text,
  readOnly: boolean,
  recursiveReadOnly: text,
  mountPropagation: text,
});

const execAction = object<NonNullable<Probe["exec"]>>()({ command: list(text) });
const httpGetAction = object<NonNullable<Probe["httpGet"]>>()({
  path: text,
  port: required(intOrString),
  host: text,
  scheme: text,
  httpHeaders: list(
    object<{ readonly name: string; readonly value: string }>()({ name: required(text), value: required(text) }),
  ),
});
const tcpSocketAction = object<NonNullable<Probe["tcpSocket"]>>()({ port: required(intOrString), host: text });

const probe = object<Probe>()({
  exec: execAction,
  httpGet: httpGetAction,
  tcpSocket: tcpSocketAction,
  grpc: part({ port: required(integer), service: text }),
  initialDelaySeconds: integer,
  timeoutSeconds: integer,
  periodSeconds: integer,
  successThreshold: integer,
  failureThreshold: integer,
  terminationGracePeriodSeconds: integer,
});

const lifecycleHandler = part({
  exec: execAction,
  httpGet: httpGetAction,
  tcpSocket: tcpSocketAction,
  sleep: part({ seconds: required(integer) }),
});

/** All but the name, which Argo sets itself in a template's main container. */
export const namelessContainerFields: Fields<Omit<Container, "name">> = {
  image: text,
  command: list(text),
  args: list(text),
  workingDir: text,
  env: listBy("name", envVar),
  envFrom: list(envFromSource),
  ports: listBy("containerPort", containerPort),
  resources: resourceRequirementsSchema,
  resizePolicy: list(part({ resourceName: required(text), restartPolicy: required(text) })),
  restartPolicy: text,
  restartPolicyRules: list(
    part({ action: required(text), exitCodes: part({ operator: required(text), values: list(integer) }) }),
  ),
  volumeMounts: listBy("mountPath", volumeMountSchema),
  volumeDevices: list(part({ name: required(text), devicePath: required(text) })),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: part({ postStart: lifecycleHandler, preStop: lifecycleHandler, stopSignal: text }),
  terminationMessagePath: text,
  terminationMessagePolicy: choice("File", "FallbackToLogsOnError"),
  imagePullPolicy: choice("Always", "IfNotPresent", "Never"),
  securityContext: securityContextSchema,
  stdin: boolean,
  stdinOnce: boolean,
  tty: boolean,
};

export const containerFields: Fields<Container> = { name: required(text), ...namelessContainerFields };

export const containerSchema = object<Container>()(containerFields);
