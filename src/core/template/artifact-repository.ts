/** A workflow's store as a key of a ConfigMap, in YAML: that of its artifactRepositoryRef, or its namespace's (Argo 4.1 behaviour 6.6). */

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
  return readRepository(text, { name, key: key ?? "", namespace });
}

/**
 * For a workflow that names no store: the one that its namespace's ConfigMap says is the usual one; undefined without
 * such a ConfigMap, and where its annotation names no key.
 */
export function usualRepository(
  namespace: string,
  facts: ResourceFacts,
): Lookup<ArtifactRepositoryRefStatus | undefined> {
  const need = { kind: "config-map", namespace, name: DEFAULT_CONFIG_MAP } as const;
  const object = facts.get(need);
  if (object === undefined) return { kind: "need", need };
  const key = object?.metadata.annotations?.[DEFAULT_KEY];
  if (object === null || !isConfigMap(object) || key === undefined) return found(undefined);
  const text = object.data?.[key];
  if (text !== undefined) return readRepository(text, { name: DEFAULT_CONFIG_MAP, key, namespace });
  const reason = `config map ${DEFAULT_CONFIG_MAP} has no key "${key}", which its annotation names`;
  return problem(`failed to resolve artifact repository: ${reason}`);
}

function readRepository(
  text: string,
  { name, key, namespace }: { readonly name: string; readonly key: string; readonly namespace: string },
): Lookup<ArtifactRepositoryRefStatus> {
  const [document] = readDocuments(text, `${name}#${key}`).documents;
  const decoded = document === undefined ? undefined : decode(artifactRepositorySchema, document.value);
  const [fault] = decoded?.problems ?? [];
  if (decoded === undefined || fault !== undefined) {
    const reason = fault === undefined ? "it holds no YAML" : `${fault.path} ${fault.message}`;
    return problem(`failed to resolve artifact repository: ${name}, key ${key}: ${reason}`);
  }
  return found({ configMap: name, key, namespace, artifactRepository: decoded.value });
}
