/** A write as a line of history. */

import type { Pod } from "../../../src/core/model/kube/pod.js";
import { keyText } from "../../../src/kube/key.js";
import type { SentWrite } from "./network.js";

export function writeText({ verb, type, key, body }: SentWrite): string {
  const text = verb === "create" ? createText(body) : verb === "update" ? updateText(body) : JSON.stringify(body);
  return `${verb} ${type.plural} ${keyText(key)} ${text}`;
}

function createText(body: unknown): string {
  const { metadata } = body as { readonly metadata?: { readonly labels?: unknown; readonly annotations?: unknown } };
  return JSON.stringify({ labels: metadata?.labels });
}

/** The kubelet and the executor send whole objects: what they are about is the status. */
function updateText(body: unknown): string {
  const { metadata, spec, status } = body as Pod;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const states = containers.map(
    ({ name, state }) => `${name}:${Object.keys(state ?? {}).join("")}${state?.terminated?.exitCode ?? ""}`,
  );
  return `on rv ${metadata.resourceVersion} node=${spec?.nodeName ?? ""} ${status?.phase ?? ""} ${states.join(" ")}`;
}
