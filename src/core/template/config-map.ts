/** Values that parameters take from ConfigMaps (Argo 4.1 behaviour 3.5). */

import { labels } from "../model/argo/names.js";
import type { ConfigMap } from "../model/kube/core.js";
import type { KubeObject } from "../model/kube/meta.js";
import { found, type Lookup, problem, type ResourceFacts } from "./lookup.js";

/** Only ConfigMaps that say they hold parameters are read. */
const PARAMETER_TYPE = "Parameter";

export interface ConfigMapKey {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

export function configMapValue({ namespace, name, key }: ConfigMapKey, facts: ResourceFacts): Lookup<string> {
  const need = { kind: "config-map", namespace, name } as const;
  const object = facts.get(need);
  if (object === undefined) return { kind: "need", need };
  if (object === null) return problem(`configmap "${namespace}/${name}" not found`);
  const type = object.metadata.labels?.[labels.configMapType];
  if (type !== PARAMETER_TYPE) {
    return problem(
      `ConfigMap '${namespace}/${name}' needs to have the label "${labels.configMapType}": "${PARAMETER_TYPE}" to load parameters`,
    );
  }
  const value = isConfigMap(object) ? object.data?.[key] : undefined;
  return value === undefined ? problem(`config map "${name}" does not have the key "${key}"`) : found(value);
}

export function isConfigMap(object: KubeObject): object is ConfigMap {
  return !("data" in object) || typeof object.data === "object";
}
