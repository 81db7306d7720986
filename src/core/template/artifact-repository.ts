/** The store that a workflow names by artifactRepositoryRef: a key of a ConfigMap, in YAML (Argo 4.1 behaviour 6.6). */

import { artifactRepositorySchema } from "../model/argo/artifact-schema.js";
import type { ArtifactRepositoryRefStatus, WorkflowSpec } from "../model/argo/workflow.js";
import { decode, readDocuments } from "../model/index.js";
import { isConfigMap } from "./config-map.js";
import { found, type Lookup, problem, type ResourceFacts } from "./lookup.js";

const DEFAULT_CONFIG_MAP = "artifact-repositories";
const DEFAULT_KEY = "workflows.argoproj.io/default-artifact-repository";

export type RepositoryRef = NonNullable<WorkflowSpec["artifactRepositoryRef"]>;

/** For status.artifactRepositoryRef: what is found once stays for the whole run. */
export function namedRepository(
  ref: RepositoryRef,
  namespace: string,
  facts: ResourceFacts,
): Lookup<ArtifactRepositoryRefStatus> {
  const name = ref.configMap ?? DEFAULT_CONFIG_MAP;
  const need = { kind: "config-map", namespace, name } as const;
  const object = facts.get(need);
  if (object === undefined) return { kind: "need", need };
  const key = ref.key ?? object?.metadata.annotations?.[DEFAULT_KEY];
  const text = object !== null && isConfigMap(object) && key !== undefined ? object.data?.[key] : undefined;
  if (text === undefined) {
    const where = `${ref.configMap ?? ""}#${ref.key ?? ""}`;
    const reason = `failed to find any artifact repository for artifact repository ref "${where}"`;
    return problem(`failed to resolve artifact repository: ${reason}`);
  }
  const [document] = readDocuments(text, `${name}#${key ?? ""}`).documents;
  const decoded = document === undefined ? undefined : decode(artifactRepositorySchema, document.value);
  const [fault] = decoded?.problems ?? [];
  if (decoded === undefined || fault !== undefined) {
    const reason = fault === undefined ? "it holds no YAML" : `${fault.path} ${fault.message}`;
    return problem(`failed to resolve artifact repository: ${name}, key ${key ?? ""}: ${reason}`);
  }
  return found({ configMap: name, key: key ?? "", namespace, artifactRepository: decoded.value });
}
