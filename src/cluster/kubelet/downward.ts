/** What a container may learn of its own pod: fieldRef and resourceFieldRef. */

import type { IntOrString } from "../../core/model/kube/meta.js";
import type { Container, Pod } from "../../core/model/kube/pod.js";
import { compareUtf8 } from "../../core/std/order.js";

export interface PodFacts {
  readonly pod: Pod;
  readonly nodeName: string;
  readonly podIP: string;
  /** Of the machine: what a container may use that names no limit. */
  readonly capacity: { readonly cpuMillis: number; readonly memoryBytes: number };
}

/** The value of a fieldPath; undefined when Kubernetes knows no such field. */
export function fieldValue(path: string, facts: PodFacts): string | undefined {
  const { metadata, spec } = facts.pod;
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (subscript !== null) {
    const map = subscript[1] === "labels" ? metadata.labels : metadata.annotations;
    return map?.[subscript[2] ?? ""] ?? "";
  }
  const values: Readonly<Record<string, string>> = {
    "metadata.name": metadata.name ?? "",
    "metadata.namespace": metadata.namespace ?? "",
    "metadata.uid": metadata.uid ?? "",
    "metadata.labels": formatMap(metadata.labels ?? {}),
    "metadata.annotations": formatMap(metadata.annotations ?? {}),
    "spec.nodeName": facts.nodeName,
    "spec.serviceAccountName": spec.serviceAccountName ?? "default",
    "status.hostIP": "127.0.0.1",
    "status.hostIPs": "127.0.0.1",
    "status.podIP": facts.podIP,
    "status.podIPs": facts.podIP,
  };
  return values[path];
}

/** Lines `key="value"`, sorted, as the downward API writes labels. */
function formatMap(map: Readonly<Record<string, string>>): string {
  const keys = Object.keys(map).toSorted(compareUtf8);
  return keys.map((key) => `${key}=${JSON.stringify(map[key])}`).join("\n");
}

/** The value of a resourceFieldRef, rounded up to whole divisors; undefined for a resource that is not known. */
export function resourceValue(
  container: Container,
  resource: string,
  divisor: string,
  facts: PodFacts,
): string | undefined {
  const [kind = "", name = ""] = resource.split(".", 2);
  if (kind !== "limits" && kind !== "requests") return undefined;
  const given = container.resources?.[kind]?.[name] ?? container.resources?.limits?.[name];
  const fallback: Readonly<Record<string, number>> = {
    cpu: facts.capacity.cpuMillis / 1000,
    memory: facts.capacity.memoryBytes,
    "ephemeral-storage": 0,
  };
  const amount = given === undefined ? (kind === "limits" ? fallback[name] : 0) : quantity(given);
  const unit = quantity(divisor === "" || divisor === "0" ? "1" : divisor);
  if (amount === undefined || unit === undefined || unit === 0) return undefined;
  return String(Math.ceil(Number((amount / unit).toFixed(6))));
}

const SUFFIXES: Readonly<Record<string, number>> = {
  "": 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity as a number; undefined when it is none. */
export function quantity(text: IntOrString): number | undefined {
  const match = /^([+-]?[0-9.]+)(?:[eE]([+-]?[0-9]+)|([a-zA-Z]*))$/.exec(String(text).trim());
  if (match === null) return undefined;
  const factor = match[2] === undefined ? SUFFIXES[match[3] ?? ""] : 10 ** Number(match[2]);
  const value = Number(match[1]);
  return factor === undefined || Number.isNaN(value) ? undefined : value * factor;
}
