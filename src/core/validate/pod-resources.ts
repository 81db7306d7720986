/** Rules for resources of whole pods (Argo 4.1 behaviour 10.2, 10.4). */

import type { ResourceRequirements } from "../model/kube/pod.js";
import { fieldPath } from "../model/path.js";
import { isPodKind, kindOf } from "../template/kind.js";
import type { FoundTemplate } from "./context.js";
import { kindWord } from "./kind-word.js";
import type { Spot } from "./report.js";
import { sortedEntries } from "./tags.js";

/** `argo`: what Argo puts before `.podResources`. */
export function checkPodResources(
  resources: ResourceRequirements | undefined,
  path: string,
  argo: string,
  spot: Spot,
): void {
  if (resources === undefined) return;
  const { limits, requests } = resources;
  if ("claims" in resources && Array.isArray(resources.claims) && resources.claims.length > 0) {
    const text = `${argo}.podResources.claims is not supported for pod-level resources`;
    spot.tell({
      code: "conflict",
      path: fieldPath(path, "claims"),
      message: "a pod as a whole takes no claims",
      argo: text,
    });
  }
  for (const [field, amounts] of [
    ["limits", limits],
    ["requests", requests],
  ] as const) {
    for (const [name] of sortedEntries(amounts)) {
      if (name === "cpu" || name === "memory" || name.startsWith("hugepages-")) continue;
      const text = `${argo}.podResources: "${name}" is not a valid pod-level resource, only cpu, memory and hugepages-* are supported`;
      const message = `${name} is not for a pod as a whole: set it in the container's resources`;
      spot.tell({ code: "conflict", path: fieldPath(fieldPath(path, field), name), message, argo: text });
    }
  }
}

/** What only a template that makes a pod may ask for. */
export function checkPodOnly({ template, path, spot }: FoundTemplate): void {
  const kind = kindOf(template);
  if (kind === undefined || isPodKind(kind)) return;
  const name = `templates.${template.name ?? ""}`;
  if (template.podResources !== undefined && (kind === "http" || kind === "plugin")) {
    const argo = `${name}.podResources is not supported for ${kindWord(template)} templates`;
    const message = "only a template that makes a pod has podResources";
    spot.tell({ code: "conflict", path: fieldPath(path, "podResources"), message, argo });
  }
  if ((template.resourceClaims?.length ?? 0) > 0) {
    const argo = `${name}.resourceClaims is not supported for ${kindWord(template)} templates, which do not create a pod`;
    const message = "only a template that makes a pod has resourceClaims";
    spot.tell({ code: "conflict", path: fieldPath(path, "resourceClaims"), message, argo });
  }
}
