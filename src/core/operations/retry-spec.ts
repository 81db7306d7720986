/** Retry with a corrected file: its templates replace the stored ones, and what they concern runs again. */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Workflow, WorkflowSpec, WorkflowTemplateRef } from "../model/argo/workflow.js";
import { jsonEquals } from "../std/json.js";
import { err, ok, type Result } from "../std/result.js";
import { nodesOf, type ParameterValue, withParameters } from "./common.js";
import { nodeTree } from "./node-tree.js";
import { isComposite, resetNodes } from "./reset.js";
import { type Retried, retried } from "./retry.js";
import { type SpecDiff, specDiff } from "./spec-diff.js";

export interface RetriedWithSpec extends Retried {
  /** Nodes that had succeeded and run again, by the names people know them by; for the list that is shown first. */
  readonly runAgain: readonly string[];
}

export interface RetrySpecOptions {
  readonly parameters?: readonly ParameterValue[];
  /** Templates of template resources that are not what they were, as status.storedTemplates names them. */
  readonly changedTemplates?: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Succeeded nodes stay unless their own template or their inputs changed; those, and all that follows them, run again
 * with what failed.
 */
export function retryWithSpec(
  workflow: Workflow,
  newSpec: WorkflowSpec,
  options: RetrySpecOptions,
): Result<RetriedWithSpec, string> {
  const phase = workflow.status?.phase ?? "";
  if (!["Succeeded", "Failed", "Error"].includes(phase)) return err(`Cannot retry a workflow in phase ${phase}`);
  const ref = sameRef(workflow.spec, newSpec);
  const before = ref === undefined ? (workflow.status?.storedWorkflowTemplateSpec ?? workflow.spec) : workflow.spec;
  const after = withParameters(withOwnArguments(newSpec, before), options.parameters ?? []);
  const { changedTemplates = new Set() } = options;
  const diff = specDiff(before, after, nodeTree(nodesOf(workflow)));
  const changes = changesOf(nodesOf(workflow), { diff, ref, changedTemplates });
  if (phase === "Succeeded" && changes.anew.size + changes.looking.size === 0) {
    return err("nothing to run again: the workflow succeeded, and no template or input changed");
  }
  const reset = resetNodes({
    workflowName: workflow.metadata.name ?? "",
    nodes: nodesOf(workflow),
    also: ({ id }) => changes.anew.has(id),
    remake: () => false,
    reopen: ({ id }) => changes.looking.has(id),
    now: options.now,
  });
  const next = retried(workflow, after, reset, { now: options.now });
  const runAgain = next.deletedNodes.filter((node) => !isComposite(node) && node.phase === "Succeeded");
  return ok({
    workflow: withoutStored(next.workflow, changedTemplates),
    deletedNodes: next.deletedNodes,
    runAgain: runAgain.map(({ displayName }) => displayName),
  });
}

interface Changes {
  readonly anew: ReadonlySet<NodeId>;
  readonly looking: ReadonlySet<NodeId>;
}

interface ChangeFacts {
  readonly diff: SpecDiff;
  readonly ref: WorkflowTemplateRef | undefined;
  readonly changedTemplates: ReadonlySet<string>;
}

/** The resource that a workflow is of, before and after: its templates are compared, not what was merged from them. */
function sameRef(before: WorkflowSpec, after: WorkflowSpec): WorkflowTemplateRef | undefined {
  const ref = after.workflowTemplateRef;
  return jsonEquals(before.workflowTemplateRef, ref) ? ref : undefined;
}

/** A composite with other inputs begins anew; one whose steps alone changed looks at them again. */
function changesOf(nodes: readonly NodeStatus[], { diff, ref, changedTemplates }: ChangeFacts): Changes {
  const own = nodes.filter(
    ({ type, nodeFlag }) => !["StepGroup", "TaskGroup"].includes(type) && nodeFlag?.hooked !== true,
  );
  const isAnew = (node: NodeStatus): boolean => {
    const elsewhere = storedKeyOf(node, ref);
    // Of a composite of theirs it is not known which steps have other inputs.
    if (elsewhere !== undefined && changedTemplates.has(elsewhere)) return true;
    return diff.inputsChanged(node) || (elsewhere === undefined && !isComposite(node) && diff.templateChanged(node));
  };
  const anew = own.filter(isAnew);
  const looking = own.filter(
    (node) => storedKeyOf(node, ref) === undefined && isComposite(node) && diff.templateChanged(node),
  );
  return { anew: new Set(anew.map(({ id }) => id)), looking: new Set(looking.map(({ id }) => id)) };
}

/** Where a node's template stands in status.storedTemplates; undefined for those of the workflow itself. */
function storedKeyOf(
  { templateRef, templateScope = "", templateName = "" }: NodeStatus,
  ref: WorkflowTemplateRef | undefined,
): string | undefined {
  if (templateRef !== undefined) return `${scopeOf(templateRef)}/${templateRef.template ?? ""}`;
  if (templateName === "") return undefined;
  const isOwn = templateScope === "" || templateScope.startsWith("local/");
  if (!isOwn) return `${templateScope}/${templateName}`;
  return ref === undefined ? undefined : `${scopeOf(ref)}/${templateName}`;
}

function scopeOf({ name = "", clusterScope }: WorkflowTemplateRef): string {
  return `${clusterScope === true ? "cluster" : "namespaced"}/${name}`;
}

/** What was passed at the first run stays, whatever the file says; the file may add parameters. */
function withOwnArguments(file: WorkflowSpec, own: WorkflowSpec): WorkflowSpec {
  const kept = own.arguments?.parameters ?? [];
  const names = new Set(kept.map(({ name }) => name));
  const parameters = [...kept, ...(file.arguments?.parameters ?? []).filter(({ name }) => !names.has(name))];
  if (parameters.length === 0) return file;
  return { ...file, arguments: { ...file.arguments, ...own.arguments, parameters } };
}

/** What was merged from a WorkflowTemplate at the first run must not hide the file, nor what was looked up what changed. */
function withoutStored(workflow: Workflow, changedTemplates: ReadonlySet<string>): Workflow {
  const { storedWorkflowTemplateSpec: _stored, storedTemplates, ...status } = workflow.status ?? {};
  if (storedTemplates === undefined) return { ...workflow, status };
  const kept = Object.entries(storedTemplates).filter(([key]) => !changedTemplates.has(key));
  return { ...workflow, status: { ...status, storedTemplates: Object.fromEntries(kept) } };
}
