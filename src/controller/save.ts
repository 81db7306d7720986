/** Saving what was decided: one conditional merge patch that names only what changed. */

import { isFinal } from "../core/model/argo/final-phase.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { workflows } from "../core/model/resources.js";
import { type Json, type JsonObject, setOwn } from "../core/std/json.js";
import type { Client, ObjectKey, WriteOptions } from "../kube/client.js";
import { computeMergePatch, memberChange } from "../kube/patch/merge-patch.js";
import { jsonView } from "./json-view.js";
import type { OpenRun } from "./open-runs.js";
import { compressNodes } from "./stored-nodes.js";

/** A save that starts something, or ends the workflow, is made at once; any other may wait for company (decision 9). */
export function isUrgent(open: OpenRun): boolean {
  const { status, demands } = open.unsaved;
  return demands.length > 0 || (isFinal(status.phase) && status.phase !== open.savedStatus.phase);
}

/** The merge patch that saves what `open` has decided. Costs what changed, not all nodes. */
export function patchOf(open: OpenRun): Json {
  const { labels, annotations } = open.unsaved;
  return {
    metadata: {
      uid: open.uid,
      resourceVersion: open.revision,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    status: statusPatch(open),
  };
}

function statusPatch(open: OpenRun): Json {
  const { status, nodesBefore } = open.unsaved;
  const fields = status === open.savedStatus ? {} : computeMergePatch(objectOf(open.savedStatus), objectOf(status));
  if (nodesBefore.size === 0) return fields;
  if (open.nodesForm === "compressed") {
    return { nodes: null, compressedNodes: compressNodes(open.run.nodes()), ...fields };
  }
  const nodes: Record<string, Json> = {};
  for (const [id, before] of nodesBefore) {
    // What went away inside a node has to be named: a merge patch merges maps.
    const change = memberChange(jsonView(before), jsonView(open.run.node(id)));
    if (change !== undefined) setOwn(nodes, id, change);
  }
  return Object.keys(nodes).length === 0 ? fields : { nodes, ...fields };
}

function objectOf(value: unknown): JsonObject {
  return jsonView(value) as JsonObject;
}

/** Sends the patch; the object as saved, or the API's refusal. */
export function save(client: Client, key: ObjectKey, patch: Json, options?: WriteOptions): Promise<Workflow> {
  return client.patch<Workflow>(workflows, key, { type: "merge", body: patch }, options);
}
