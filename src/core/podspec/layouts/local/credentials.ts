/** Secrets that the executor needs to reach a store (Argo 4.1 behaviour 5.4), on one machine. */

import type { Artifact } from "../../../model/argo/artifact.js";
import type { Template } from "../../../model/argo/template.js";
import type { Volume, VolumeMount } from "../../../model/kube/pod.js";
import { isJsonObject } from "../../../std/json.js";
import { secretPath } from "./protocol.js";

/** Object stores are folders of this machine unless someone asks for them: their secrets may well be missing here. */
const REACHED = ["http", "git"] as const satisfies readonly (keyof Artifact)[];

interface SecretKey {
  readonly name: string;
  readonly key: string;
}

/** One volume a secret, named as it, with the keys that are asked for. */
export function credentialVolumes(template: Template): readonly Volume[] {
  const keys = new Map<string, Set<string>>();
  for (const { name, key } of secretKeys(template)) {
    const known = keys.get(name) ?? new Set();
    keys.set(name, known.add(key));
  }
  return [...keys].map(([name, wanted]) => ({
    name,
    secret: { secretName: name, items: [...wanted].map((key) => ({ key, path: key })) },
  }));
}

export function credentialMounts(template: Template): readonly VolumeMount[] {
  return credentialVolumes(template).map(({ name }) => ({ name, mountPath: `${secretPath}/${name}`, readOnly: true }));
}

function secretKeys({ inputs, outputs }: Template): readonly SecretKey[] {
  const artifacts = [...(inputs?.artifacts ?? []), ...(outputs?.artifacts ?? [])];
  return artifacts.flatMap((artifact) => REACHED.flatMap((driver) => selectorsIn(artifact[driver])));
}

/** Every `…Secret: {name, key}`, however deep. */
function selectorsIn(value: unknown): readonly SecretKey[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (field.endsWith("Secret") && isJsonObject(inner)) {
      const { name, key } = inner;
      return typeof name === "string" && typeof key === "string" ? [{ name, key }] : [];
    }
    return selectorsIn(inner);
  });
}
