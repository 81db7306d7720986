/** Resubmit: a new workflow like an old one; memoized, with what had succeeded taken over (Argo 4.1 behaviour 3.25). */

import { annotations, labels, nodeIdOf } from "../model/argo/names.js";
import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Workflow } from "../model/argo/workflow.js";
import type { ObjectMeta } from "../model/kube/meta.js";
import { err, ok, type Result } from "../std/result.js";
import { rfc3339OfMs } from "../std/time.js";
import { nodesById, nodesOf, type ParameterValue, withoutShutdown, withParameters } from "./common.js";
import { resetNodes } from "./reset.js";

export interface ResubmitOptions {
  readonly memoized?: boolean;
  readonly parameters?: readonly ParameterValue[];
  /** Five characters of `[a-z0-9]`; chance is an argument. */
  readonly suffix: string;
  /** Creator labels of who resubmits. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The workflow to create; named by generateName alone unless it is memoized, where node IDs need the name. */
export function resubmit(workflow: Workflow, options: ResubmitOptions): Result<Workflow, string> {
  const { phase } = workflow.status ?? {};
  if (options.memoized === true && phase !== "Failed" && phase !== "Error") {
    return err("workflow must be Failed/Error to resubmit in memoized mode");
  }
  const spec = withoutShutdown(withParameters(workflow.spec, options.parameters ?? []));
  const metadata = metadataOf(workflow, options);
  const fresh = { apiVersion: workflow.apiVersion, kind: workflow.kind, metadata, spec };
  return ok(options.memoized === true ? withMemory(fresh, workflow, options) : fresh);
}

function metadataOf({ metadata }: Workflow, options: ResubmitOptions): ObjectMeta {
  const { name = "", namespace, labels: own, ownerReferences } = metadata;
  const generateName = metadata.generateName ?? `${name}-`;
  const { [annotations.retryGeneration]: _generation, ...kept } = metadata.annotations ?? {};
  const newLabels = { ...labelsToKeep(own ?? {}), [labels.resubmittedFrom]: name, ...options.labels };
  return {
    generateName,
    ...(options.memoized === true ? { name: generateName + options.suffix } : {}),
    ...(namespace === undefined ? {} : { namespace }),
    labels: newLabels,
    annotations: kept,
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
  };
}

/** Who made the old one, and how it ended, says nothing of the new one. */
function labelsToKeep(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const ofTheRun: readonly string[] = [labels.phase, labels.completed, labels.archivingStatus];
  const kept = Object.entries(own).filter(([name]) => !ofTheRun.includes(name) && !name.startsWith(labels.creator));
  return Object.fromEntries(kept);
}

/** Pods that did not fail are Skipped with a pointer to the old one; what failed, and all after it, begins anew. */
function withMemory(fresh: Workflow, old: Workflow, { now }: ResubmitOptions): Workflow {
  const names = { from: old.metadata.name ?? "", to: fresh.metadata.name ?? "" };
  const nodes = nodesOf(old);
  const { kept } = resetNodes({
    workflowName: names.from,
    nodes,
    also: () => false,
    remake: () => false,
    now,
  });
  const newIds = new Map(kept.map((node) => [node.id, nodeIdOf(names.to, renamed(node.name, names))]));
  const moved = kept.map((node) => movedNode(node, names, newIds, now));
  const { storedTemplates } = old.status ?? {};
  const templates = storedTemplates === undefined ? {} : { storedTemplates };
  return { ...fresh, status: { phase: "", nodes: nodesById(moved), ...templates } };
}

interface Renaming {
  readonly from: string;
  readonly to: string;
}

function renamed(name: string, { from, to }: Renaming): string {
  return name.startsWith(from) ? to + name.slice(from.length) : name;
}

function movedNode(node: NodeStatus, names: Renaming, ids: ReadonlyMap<NodeId, NodeId>, now: number): NodeStatus {
  const idsOf = (list: readonly NodeId[]): readonly NodeId[] => list.flatMap((id) => ids.get(id) ?? []);
  const boundary = node.boundaryID === undefined ? undefined : ids.get(node.boundaryID);
  const { boundaryID, ...rest } = node;
  const moved: NodeStatus = {
    ...rest,
    id: ids.get(node.id) ?? node.id,
    name: renamed(node.name, names),
    displayName: node.displayName === names.from ? names.to : node.displayName,
    startedAt: rfc3339OfMs(now),
    ...(node.finishedAt === undefined ? {} : { finishedAt: rfc3339OfMs(now) }),
    ...(boundary === undefined ? {} : { boundaryID: boundary }),
    ...(node.children === undefined ? {} : { children: idsOf(node.children) }),
    ...(node.outboundNodes === undefined ? {} : { outboundNodes: idsOf(node.outboundNodes) }),
  };
  if (node.type !== "Pod") return moved;
  return { ...moved, type: "Skipped", phase: "Skipped", message: `original pod: ${node.id}` };
}
