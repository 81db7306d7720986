/** The template that a pod carries for its executor. */

import type { Template } from "../../../src/core/model/argo/template.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";

export function templateOf(pod: Pod): Template | undefined {
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  const text = containers
    .flatMap((container) => container.env ?? [])
    .find((variable) => variable.name === "ARGO_TEMPLATE")?.value;
  return text === undefined ? undefined : (JSON.parse(text) as Template);
}
