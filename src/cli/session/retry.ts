/** Writes a retried workflow in place of the ended one, and clears away the pods of the steps that run again. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import { pods } from "../../core/model/resources.js";
import { podNameOfNode, type Retried } from "../../core/operations/index.js";
import type { Result } from "../../core/std/result.js";
import type { Client } from "../../kube/client.js";
import { isConflict, isNotFound } from "../../kube/errors.js";
import type { Found } from "../places/places.js";
import { applyChange } from "./change.js";

export type RetryOperation<T extends Retried> = (workflow: Workflow) => Result<T, string>;

export interface Reopened<T extends Retried> {
  readonly workflow: Workflow;
  readonly retried: T;
}

/**
 * Rejects with CliError when the operation refuses. Pods go by their UID, after the workflow is written: a pod of that
 * name that the controller makes meanwhile is a new one.
 */
export async function reopen<T extends Retried>(
  client: Client,
  found: Found,
  operation: RetryOperation<T>,
): Promise<Reopened<T>> {
  const before = await client.list<Pod>(pods, { namespace: found.row.namespace });
  let retried: T | undefined;
  const workflow = await applyChange(client, found, {
    errorPrefix: "",
    operation: (current) => {
      const next = operation(current);
      if (!next.ok) return next;
      retried = next.value;
      return { ok: true, value: next.value.workflow };
    },
  });
  if (retried === undefined) throw new Error("a retry was written that was never decided");
  await clearPods(client, { pods: before.items, workflow, nodes: retried.deletedNodes });
  return { workflow, retried };
}

interface Clearing {
  readonly pods: readonly Pod[];
  readonly workflow: Workflow;
  readonly nodes: readonly NodeStatus[];
}

async function clearPods(client: Client, { pods: existing, workflow, nodes }: Clearing): Promise<void> {
  const names = new Set(
    nodes.filter(({ type }) => type === "Pod").map((node) => podNameOfNode(workflow.metadata.name ?? "", node)),
  );
  for (const { metadata } of existing) {
    const { name = "", namespace = "", uid } = metadata;
    if (!names.has(name) || uid === undefined) continue;
    await client.delete(pods, { namespace, name }, { preconditions: { uid } }).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
  }
}
