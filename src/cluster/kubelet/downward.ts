/** What a container may learn of its own pod: fieldRef and resourceFieldRef. */

import type { Container, Pod } from "../../core/model/kube/pod.js";
import { compareUtf8 } from "../../core/std/order.js";
import { parseQuantity } from "../../core/std/quantity.js";

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
    return ownValue(map, subscript[2] ?? "") ?? "";
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
  return ownValue(values, path);
}

/** Names come from users: `constructor` is one like any other. */
function ownValue(map: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
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
  const fallback = new Map([
    ["cpu", `${facts.capacity.cpuMillis}m`],
    ["memory", `${facts.capacity.memoryBytes}`],
    ["ephemeral-storage", "0"],
  ]);
  const text = given ?? (kind === "limits" ? fallback.get(name) : "0");
  const amount = parseQuantity(String(text ?? ""));
  const unit = parseQuantity(divisor === "" || divisor === "0" ? "1" : divisor);
  if (!amount.ok || !unit.ok || unit.value.nano === 0n) return undefined;
  return String((amount.value.nano + unit.value.nano - 1n) / unit.value.nano);
}
