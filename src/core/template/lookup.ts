/** What a look-up of another resource answers: the value, that it must be fetched first, or why there is none. */

import type { KubeObject } from "../model/kube/meta.js";

/** A resource that must be known before it can go on. */
export type ResourceNeed =
  | { readonly kind: "workflow-template"; readonly namespace: string; readonly name: string }
  | { readonly kind: "cluster-workflow-template"; readonly name: string }
  | { readonly kind: "config-map"; readonly namespace: string; readonly name: string };

export type Lookup<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "need"; readonly need: ResourceNeed }
  | { readonly kind: "problem"; readonly message: string };

/** Answers gathered beforehand; `undefined` means not asked yet, `null` that it does not exist. */
export interface ResourceFacts {
  get(need: ResourceNeed): KubeObject | null | undefined;
}

export function found<T>(value: T): Lookup<T> {
  return { kind: "found", value };
}

export function problem<T>(message: string): Lookup<T> {
  return { kind: "problem", message };
}
