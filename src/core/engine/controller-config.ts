/** What of Argo's `workflow-controller-configmap` counts here: its data -> settings of the engine (Argo 4.1 behaviour 9.1). */

import { artifactRepositorySchema } from "../model/argo/artifact-schema.js";
import { metadataSchema } from "../model/argo/metadata-schema.js";
import { workflowSpecSchema } from "../model/argo/workflow-schema.js";
import { boolean, integerFrom, object, openObject, type Schema, text } from "../model/codec/schema.js";
import { decode, nearestName, readDocuments } from "../model/index.js";
import { parseDuration, msOfDuration } from "../std/duration.js";
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
  /** Errors: what cannot be read. Notices (`ignored`): keys that are not obeyed here. Paths begin with `data`. */
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

class Reader {
  readonly problems: Problem[] = [];
  private readonly values = new Map<string, { readonly value: Json; readonly path: string }>();

  addWhole(yaml: string): void {
    const path = `data.${WHOLE}`;
    const value = this.parse(yaml, path);
    if (isJsonObject(value)) for (const [key, part] of Object.entries(value)) this.take(key, part, `${path}.${key}`);
    else if (value !== undefined) this.fault("wrong-type", path, "must be a map");
  }

  add(key: string, yaml: string): void {
    const path = `data.${key}`;
    const value = this.parse(yaml, path);
    if (value !== undefined) this.take(key, value, path);
  }

  settings(): ControllerSettings {
    const { apiVersion: _version, kind: _kind, ...workflowDefaults } = this.workflowDefaults() ?? {};
    const artifactRepository = this.decoded("artifactRepository", artifactRepositorySchema);
    const podGCDeleteDelayMs = this.delay();
    const restart = this.decoded("failedPodRestart", podRestartSchema);
    return {
      ...(this.values.has("workflowDefaults") ? { workflowDefaults } : {}),
      ...(artifactRepository === undefined ? {} : { artifactRepository }),
      ...(podGCDeleteDelayMs === undefined ? {} : { podGCDeleteDelayMs }),
      ...(restart?.enabled === true ? { podRestartsMax: restart.maxRestarts ?? RESTARTS_DEFAULT } : {}),
    };
  }
}
