/** Saving a decision: one conditional merge patch that names only what changed. */

import type { Decision } from "../core/engine/contract.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { workflows } from "../core/model/resources.js";
import type { Json, JsonObject } from "../core/std/json.js";
import type { Client, ObjectKey } from "../kube/client.js";
import { computeMergePatch } from "../kube/patch/merge-patch.js";
import { jsonView } from "./json-view.js";
import type { OpenRun } from "./open-runs.js";

/** Whether the decision changes the object at all. */
export function isEmpty(decision: Decision): boolean {
  return (
    decision.changedNodes.size === 0 &&
    decision.removedNodes.length === 0 &&
    Object.keys(decision.statusFields).length === 0 &&
    Object.keys(decision.labels).length === 0 &&
    Object.keys(decision.annotations).length === 0
  );
}

/** A save that starts something, or ends the workflow, is made at once; any other may wait for company (design law 7). */
export function isUrgent(decision: Decision): boolean {
  const phase = decision.statusFields.phase;
  const ends = phase === "Succeeded" || phase === "Failed" || phase === "Error";
  return ends || decision.demands.length > 0;
}

/** The merge patch that saves `decision` on an open run. Costs what changed, not all nodes. */
export function patchOf(open: OpenRun, decision: Decision): Json {
  const { labels, annotations } = decision;
  return {
    metadata: {
      uid: open.uid,
      resourceVersion: open.revision,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    status: statusPatch(open, decision),
  };
}

function statusPatch(open: OpenRun, decision: Decision): Json {
  const patch: Record<string, Json> = {};
  for (const [field, after] of Object.entries(decision.statusFields)) {
    Object.assign(patch, memberPatch(field, (open.status as Readonly<Record<string, unknown>>)[field], after));
  }
  const nodes: Record<string, Json> = {};
  for (const [id, node] of decision.changedNodes) Object.assign(nodes, memberPatch(id, open.run.node(id), node));
  for (const id of decision.removedNodes) nodes[id] = null;
  if (Object.keys(nodes).length > 0) patch["nodes"] = nodes;
  return patch;
}

/** A merge patch merges maps: what went away inside one has to be named, so each member is compared with what is saved. */
function memberPatch(name: string, before: unknown, after: unknown): JsonObject {
  return computeMergePatch(member(name, before), member(name, after));
}

function member(name: string, value: unknown): JsonObject {
  const json = jsonView(value);
  return json === undefined || json === null ? {} : { [name]: json };
}

/** Sends the patch; the object as saved, or the API's refusal. */
export function save(client: Client, key: ObjectKey, patch: Json): Promise<Workflow> {
  return client.patch<Workflow>(workflows, key, { type: "merge", body: patch });
}
