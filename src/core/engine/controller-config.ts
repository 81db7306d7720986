/** What of Argo's `workflow-controller-configmap` counts here: its data -> settings of the engine (Argo 4.1 behaviour 9.1). */

import { artifactRepositorySchema } from "../model/argo/artifact-schema.js";
import { metadataSchema } from "../model/argo/metadata-schema.js";
import { workflowSpecSchema } from "../model/argo/workflow-schema.js";
import { boolean, integerFrom, object, type Schema, text } from "../model/codec/schema.js";
import { decode, nearestName, readDocuments, unsupportedFieldsOf } from "../model/index.js";
import { msOf, parseDuration } from "../std/duration.js";
import { isJsonObject, type Json } from "../std/json.js";
import type { Problem } from "../std/problem.js";
import type { EngineOptions } from "./options.js";

/** Fields that stand for something the configuration does not say are left out. */
export interface ControllerSettings {
  readonly workflowDefaults?: NonNullable<EngineOptions["workflowDefaults"]>;
  readonly artifactRepository?: NonNullable<EngineOptions["artifactRepository"]>;
  readonly podGCDeleteDelayMs?: number;
  readonly podRestartsMax?: number;
}

export interface ControllerConfigRead {
  readonly settings: ControllerSettings;
  /**
   * Errors: what cannot be read, and what is refused here (`not-yet`). Warnings: keys that do not exist. Notices
   * (`ignored`): what is not obeyed here. Paths begin with `data`.
   */
  readonly problems: readonly Problem[];
}

/** Read elsewhere: who knows the machine's images adds these to them. */
const IMAGES = "images";
const WHOLE = "config";
const RESTARTS_DEFAULT = 3;

/** All other keys that Argo knows: of a database, a web server, a cluster, or of many workflows at once. */
const MEANINGLESS = [
  "artifactDrivers",
  "columns",
  "disableAgentPodCreation",
  "executor",
  "initialDelay",
  "initlessPod",
  "instanceID",
  "kubeConfig",
  "links",
  "mainContainer",
  "metricsConfig",
  "namespace",
  "namespaceParallelism",
  "navColor",
  "nodeEvents",
  "parallelism",
  "persistence",
  "podGCGracePeriodSeconds",
  "podSpecLogStrategy",
  "resourceRateLimit",
  "retentionPolicy",
  "sso",
  "synchronization",
  "telemetryConfig",
  "workflowEvents",
  "workflowRestrictions",
] as const;

interface PodRestart {
  readonly enabled?: boolean;
  readonly maxRestarts?: number;
}

const workflowDefaultsSchema = object<NonNullable<EngineOptions["workflowDefaults"]>>()({
  metadata: metadataSchema,
  spec: workflowSpecSchema,
});
const podRestartSchema = object<PodRestart>()({ enabled: boolean, maxRestarts: integerFrom(0) });

/** `data` of the ConfigMap: a key each, in YAML, or the key `config` with all of them; single keys win. */
export function readControllerConfig(data: Readonly<Record<string, string>>): ControllerConfigRead {
  const reader = new Reader();
  const { [WHOLE]: whole, ...single } = data;
  if (whole !== undefined) reader.addWhole(whole);
  for (const [key, yaml] of Object.entries(single)) reader.add(key, yaml);
  const settings = reader.settings();
  return { settings, problems: reader.problems };
}

/** Of the keys that are obeyed. */
const OBEYED = ["artifactRepository", "failedPodRestart", "podGCDeleteDelayDuration", "workflowDefaults"] as const;
type Obeyed = (typeof OBEYED)[number];

class Reader {
  readonly problems: Problem[] = [];
  private readonly values = new Map<string, { readonly value: Json; readonly path: string }>();

  addWhole(yaml: string): void {
    const path = `data.${WHOLE}`;
    const value = this.parse(yaml, path);
    if (isJsonObject(value)) for (const [key, part] of Object.entries(value)) this.take(key, part, `${path}.${key}`);
    else if (value !== undefined && value !== null) this.fault("wrong-type", path, "must be a map");
  }

  add(key: string, yaml: string): void {
    const path = `data.${key}`;
    const value = this.parse(yaml, path);
    if (value !== undefined) this.take(key, value, path);
  }

  settings(): ControllerSettings {
    const workflowDefaults = this.decoded("workflowDefaults", workflowDefaultsSchema);
    const artifactRepository = this.decoded("artifactRepository", artifactRepositorySchema);
    const podGCDeleteDelayMs = this.delayMs();
    const restart = this.decoded("failedPodRestart", podRestartSchema);
    if (workflowDefaults !== undefined) this.checkSupport(workflowDefaults);
    return {
      ...(workflowDefaults === undefined ? {} : { workflowDefaults }),
      ...(artifactRepository === undefined ? {} : { artifactRepository }),
      ...(podGCDeleteDelayMs === undefined ? {} : { podGCDeleteDelayMs }),
      ...(restart?.enabled === true ? { podRestartsMax: restart.maxRestarts ?? RESTARTS_DEFAULT } : {}),
    };
  }

  private take(key: string, value: Json, path: string): void {
    if (isOneOf(key, OBEYED)) this.values.set(key, { value, path });
    else if (isOneOf(key, MEANINGLESS))
      this.notice(path, `${key} of the controller's configuration means nothing here`);
    else if (key !== IMAGES) this.unknown(key, path);
  }

  private unknown(key: string, path: string): void {
    const near = nearestName(key, [...OBEYED, ...MEANINGLESS, IMAGES]);
    const message = `${key}: the controller's configuration has no such key`;
    this.problems.push({
      ...{ code: "unknown-field", severity: "warning", path, message },
      ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
    });
  }

  /** The one document of a YAML text; undefined when it is none. */
  private parse(yaml: string, path: string): Json | undefined {
    const { documents, problems } = readDocuments(yaml, path);
    const faults = problems.filter(({ severity, code }) => severity === "error" && code !== "empty");
    for (const { code, message, position } of faults) {
      const line = position === undefined ? "" : `line ${position.line}: `;
      this.problems.push({ code, severity: "error", path, message: `${path}: ${line}${message}` });
    }
    return faults.length === 0 ? documents[0]?.value : undefined;
  }

  private decoded<T>(key: Obeyed, schema: Schema<T>): T | undefined {
    const known = this.values.get(key);
    if (known === undefined || known.value === null) return undefined;
    const { value, problems } = decode(schema, known.value, { path: known.path });
    for (const problem of problems) this.problems.push({ ...problem, message: withPath(problem) });
    return problems.some(({ severity }) => severity === "error") ? undefined : value;
  }

  private delayMs(): number | undefined {
    const duration = this.decoded("podGCDeleteDelayDuration", text);
    if (duration === undefined) return undefined;
    const parsed = parseDuration(duration);
    if (parsed.ok) return msOf(parsed.value);
    const path = this.values.get("podGCDeleteDelayDuration")?.path ?? "";
    this.fault("bad-value", path, parsed.error);
    return undefined;
  }

  /** A lock for every workflow must no more be passed over than one in a workflow of its own. */
  private checkSupport({ spec }: NonNullable<ControllerSettings["workflowDefaults"]>): void {
    if (spec === undefined) return;
    const { path = "" } = this.values.get("workflowDefaults") ?? {};
    const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: {}, spec } as const;
    for (const problem of unsupportedFieldsOf(workflow)) {
      this.problems.push({ ...problem, path: `${path}.${problem.path}`, message: `${path}: ${problem.message}` });
    }
  }

  private fault(code: Problem["code"], path: string, message: string): void {
    this.problems.push({ code, severity: "error", path, message: `${path}: ${message}` });
  }

  private notice(path: string, message: string): void {
    this.problems.push({ code: "ignored", severity: "notice", path, message });
  }
}

/** Where a text stands in a text, no position tells it. */
function withPath({ path, message }: Problem): string {
  return message.startsWith(path) ? message : `${path}: ${message}`;
}

function isOneOf<T extends string>(key: string, keys: readonly T[]): key is T {
  return keys.some((known) => known === key);
}
