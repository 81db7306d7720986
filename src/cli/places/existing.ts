/** What a place has of the objects that a workflow may need. */

import { typesByKind } from "../../core/model/index.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import type { Need } from "../load/references.js";
import type { PlaceHandle } from "../ports.js";

/** What the place has already: looked at once, before anything is called missing. */
export async function existingObjects(
  handle: Pick<PlaceHandle, "client">,
): Promise<(kind: Need["kind"], namespace: string, name: string) => KubeObject | undefined> {
  const kinds = [
    "Secret",
    "ConfigMap",
    "PersistentVolumeClaim",
    "WorkflowTemplate",
    "ClusterWorkflowTemplate",
  ] as const;
  const lists = await Promise.all(kinds.map((kind) => handle.client.list<KubeObject>(typesByKind[kind])));
  const byId = new Map<string, KubeObject>();
  for (const [index, list] of lists.entries()) {
    for (const object of list.items) {
      byId.set(`${kinds[index]}/${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`, object);
    }
  }
  return (kind, namespace, name) => byId.get(`${kind}/${kind === "ClusterWorkflowTemplate" ? "" : namespace}/${name}`);
}
