/** Kubernetes' strategic merge patch, as far as defaults need it: lists with a merge key are merged by it (Argo 4.1 behaviour 3.31). */

import { setOwn } from "../std/json.js";

/** Lists merged element by element, by field name; every other list is replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  templates: "name",
  parameters: "name",
  artifacts: "name",
  volumes: "name",
  volumeClaimTemplates: "name",
  imagePullSecrets: "name",
  containers: "name",
  initContainers: "name",
  sidecars: "name",
  env: "name",
  tasks: "name",
  volumeMounts: "mountPath",
  volumeDevices: "devicePath",
  ports: "containerPort",
  hostAliases: "ip",
  tolerations: "key",
};

/** `base` with what `patch` says on top: the patch wins, objects are merged field by field. */
export function strategicMerge<T extends object>(base: object, patch: T): T;
export function strategicMerge(base: object, patch: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    setOwn(merged, key, mergeField(key, Object.hasOwn(merged, key) ? merged[key] : undefined, value));
  }
  return merged;
}

function mergeField(key: string, base: unknown, patch: unknown): unknown {
  if (isPlainObject(base) && isPlainObject(patch)) return strategicMerge(base, patch);
  if (Array.isArray(base) && Array.isArray(patch)) {
    const mergeKey = MERGE_KEYS[key];
    return mergeKey === undefined ? patch : mergeLists(mergeKey, base, patch);
  }
  return patch;
}

function mergeLists(mergeKey: string, base: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  const merged = [...base];
  for (const element of patch) {
    const at = merged.findIndex(
      (one) => keyOf(one, mergeKey) !== undefined && keyOf(one, mergeKey) === keyOf(element, mergeKey),
    );
    const found = merged[at];
    if (isPlainObject(found) && isPlainObject(element)) merged[at] = strategicMerge(found, element);
    else merged.push(element);
  }
  return merged;
}

function keyOf(element: unknown, mergeKey: string): unknown {
  return isPlainObject(element) ? element[mergeKey] : undefined;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
