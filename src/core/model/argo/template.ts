/** Templates, their inputs and outputs, and the kinds of work they name (Argo 4.1 behaviour 1.1.2, 2). */

import type { Json, JsonObject } from "../../std/json.js";
import type { IntOrString } from "../kube/meta.js";
import type { Container, HostAlias, KeySelector, ResourceRequirements, Volume, VolumeMount } from "../kube/pod.js";
import type { Artifact, ArtifactLocation } from "./artifact.js";

export interface Arguments {
  readonly parameters?: readonly Parameter[];
  readonly artifacts?: readonly Artifact[];
}

export type Inputs = Arguments;

export interface Outputs extends Arguments {
  readonly result?: string;
  readonly exitCode?: string;
}

/** `value`, `default`, `enum` and `description` accept any YAML scalar and are kept as text (AnyString). */
export interface Parameter {
  readonly name: string;
  readonly default?: string;
  readonly value?: string;
  readonly valueFrom?: ValueFrom;
  readonly globalName?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

export interface ValueFrom {
  readonly path?: string;
  readonly jsonPath?: string;
  readonly jqFilter?: string;
  readonly event?: string;
  readonly parameter?: string;
  readonly supplied?: Record<string, never>;
  readonly configMapKeyRef?: KeySelector;
  readonly default?: string;
  readonly expression?: string;
}

export interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Template {
  readonly name?: string;
  readonly inputs?: Inputs;
  readonly outputs?: Outputs;
  readonly metadata?: Metadata;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: JsonObject;
  readonly tolerations?: readonly JsonObject[];
  readonly schedulerName?: string;
  readonly priorityClassName?: string;
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly executor?: ExecutorConfig;
  readonly hostAliases?: readonly HostAlias[];
  readonly securityContext?: JsonObject;
  readonly podSpecPatch?: string;
  readonly podResources?: ResourceRequirements;
  readonly resourceClaims?: readonly JsonObject[];
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly UserContainer[];
  readonly sidecars?: readonly UserContainer[];
  readonly archiveLocation?: ArtifactLocation;
  readonly activeDeadlineSeconds?: IntOrString;
  readonly timeout?: string;
  readonly pendingTimeout?: string;
  readonly retryStrategy?: RetryStrategy;
  readonly parallelism?: number;
  readonly failFast?: boolean;
  readonly daemon?: boolean;
  readonly metrics?: Metrics;
  readonly synchronization?: Synchronization;
  readonly memoize?: Memoize;
  readonly plugin?: JsonObject;
  readonly container?: MainContainer;
  readonly containerSet?: ContainerSetTemplate;
  readonly script?: ScriptTemplate;
  readonly resource?: ResourceTemplate;
  readonly data?: DataTemplate;
  readonly suspend?: SuspendTemplate;
  readonly http?: HTTPTemplate;
  readonly steps?: readonly (readonly WorkflowStep[])[];
  readonly dag?: DAGTemplate;
}

/** The field that says what a template does, in the order in which Argo looks; validation allows one (Argo 4.1 behaviour 2.1). */
export const templateKinds = [
  "container",
  "containerSet",
  "steps",
  "dag",
  "script",
  "resource",
  "data",
  "suspend",
  "http",
  "plugin",
] as const satisfies readonly (keyof Template)[];
export type TemplateKind = (typeof templateKinds)[number];

/** A container whose name Argo sets to `main`. */
export type MainContainer = Omit<Container, "name"> & { readonly name?: string };

export interface UserContainer extends Container {
  readonly mirrorVolumeMounts?: boolean;
}

export interface ScriptTemplate extends MainContainer {
  readonly source?: string;
}

export interface ContainerSetTemplate {
  readonly containers: readonly ContainerNode[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly retryStrategy?: { readonly duration?: string; readonly retries?: IntOrString };
}

export interface ContainerNode extends Container {
  readonly dependencies?: readonly string[];
}

export interface ResourceTemplate {
  readonly action?: string;
  readonly mergeStrategy?: string;
  readonly manifest?: string;
  readonly manifestFrom?: { readonly artifact: Artifact };
  readonly setOwnerReference?: boolean;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  readonly flags?: readonly string[];
}

export interface DataTemplate {
  readonly source: { readonly artifactPaths?: Artifact };
  readonly transformation: readonly { readonly expression: string }[];
}

export interface SuspendTemplate {
  /** Seconds, or a Go duration. */
  readonly duration?: string;
}

export interface HTTPTemplate {
  readonly method?: string;
  readonly url: string;
  readonly headers?: readonly HTTPHeader[];
  readonly timeoutSeconds?: number;
  readonly successCondition?: string;
  readonly body?: string;
  readonly bodyFrom?: { readonly bytes?: string };
  readonly insecureSkipVerify?: boolean;
}

export interface HTTPHeader {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: KeySelector };
}

/** What steps and DAG tasks share. */
export interface Invocation {
  readonly name?: string;
  readonly template?: string;
  readonly templateRef?: TemplateRef;
  readonly inline?: Template;
  readonly arguments?: Arguments;
  readonly withItems?: readonly Json[];
  readonly withParam?: string;
  readonly withSequence?: Sequence;
  readonly when?: string;
  readonly continueOn?: ContinueOn;
  readonly onExit?: string;
  readonly hooks?: Readonly<Record<string, LifecycleHook>>;
}

export interface WorkflowStep extends Invocation {}

export interface DAGTask extends Invocation {
  readonly name: string;
  readonly dependencies?: readonly string[];
  readonly depends?: string;
}

export interface DAGTemplate {
  readonly target?: string;
  readonly tasks: readonly DAGTask[];
  readonly failFast?: boolean;
}

export interface TemplateRef {
  readonly name?: string;
  readonly template?: string;
  readonly clusterScope?: boolean;
}

export interface Sequence {
  readonly count?: IntOrString;
  readonly start?: IntOrString;
  readonly end?: IntOrString;
  readonly format?: string;
}

export interface ContinueOn {
  readonly error?: boolean;
  readonly failed?: boolean;
}

export interface LifecycleHook {
  readonly template?: string;
  readonly templateRef?: TemplateRef;
  readonly arguments?: Arguments;
  readonly expression?: string;
}

export interface RetryStrategy {
  readonly limit?: IntOrString;
  readonly retryPolicy?: "Always" | "OnFailure" | "OnError" | "OnTransientError";
  readonly backoff?: Backoff;
  readonly affinity?: { readonly nodeAntiAffinity?: Record<string, never> };
  readonly expression?: string;
}

export interface Backoff {
  readonly duration?: string;
  readonly factor?: IntOrString;
  readonly maxDuration?: string;
  readonly cap?: string;
}

export interface ExecutorConfig {
  readonly serviceAccountName?: string;
}

export interface Synchronization {
  readonly semaphores?: readonly SemaphoreRef[];
  readonly mutexes?: readonly Mutex[];
}

export interface SemaphoreRef {
  readonly configMapKeyRef?: KeySelector;
  readonly namespace?: string;
  readonly database?: { readonly key: string };
}

export interface Mutex {
  readonly name?: string;
  readonly namespace?: string;
  readonly database?: boolean;
}

export interface Memoize {
  readonly key: string;
  readonly cache?: { readonly configMap?: { readonly name?: string } };
  readonly maxAge?: string;
}

export interface Metrics {
  readonly prometheus: readonly Prometheus[];
}

export interface Prometheus {
  readonly name: string;
  readonly labels?: readonly { readonly key: string; readonly value: string }[];
  readonly help: string;
  readonly when?: string;
  readonly gauge?: { readonly value: string; readonly realtime?: boolean; readonly operation?: "Set" | "Add" | "Sub" };
  readonly histogram?: { readonly value: string; readonly buckets: readonly number[] };
  readonly counter?: { readonly value: string };
}
