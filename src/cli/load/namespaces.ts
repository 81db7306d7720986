/** Which namespace an object belongs to that was given without one. */

import type { KubeObject } from "../../core/model/kube/meta.js";

const CLUSTER_SCOPED: ReadonlySet<string> = new Set(["ClusterWorkflowTemplate", "Namespace"]);

export function isClusterScoped(kind: string): boolean {
  return CLUSTER_SCOPED.has(kind);
}

export function inNamespace(object: KubeObject, namespace: string): KubeObject {
  if (isClusterScoped(object.kind) || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
