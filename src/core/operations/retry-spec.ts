/** Retry with a corrected file: its templates replace the stored ones, and what they concern runs again. */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Workflow, WorkflowSpec } from "../model/argo/workflow.js";
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
  const before = workflow.status?.storedWorkflowTemplateSpec ?? workflow.spec;
  const after = withParameters(withOwnArguments(newSpec, before), options.parameters ?? []);
  const { changedTemplates = new Set() } = options;
  const changes = changesOf(nodesOf(workflow), specDiff(before, after, nodeTree(nodesOf(workflow))), changedTemplates);
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

/** A composite with other inputs begins anew; one whose steps alone changed looks at them again. */
function changesOf(nodes: readonly NodeStatus[], diff: SpecDiff, changedTemplates: ReadonlySet<string>): Changes {
  const own = nodes.filter(
    ({ type, nodeFlag }) => !["StepGroup", "TaskGroup"].includes(type) && nodeFlag?.hooked !== true,
  );
  const isAnew = (node: NodeStatus): boolean => {
    const elsewhere = storedKeyOf(node);
    // Of a composite of theirs it is not known which steps have other inputs.
    if (elsewhere !== undefined && changedTemplates.has(elsewhere)) return true;
    return diff.inputsChanged(node) || (elsewhere === undefined && !isComposite(node) && diff.templateChanged(node));
  };
  const anew = own.filter(isAnew);
  const looking = own.filter(
    (node) => storedKeyOf(node) === undefined && isComposite(node) && diff.templateChanged(node),
  );
  return { anew: new Set(anew.map(({ id }) => id)), looking: new Set(looking.map(({ id }) => id)) };
}

/** Where a node's template stands in status.storedTemplates; undefined for those of the workflow itself. */
function storedKeyOf({ templateRef, templateScope = "", templateName = "" }: NodeStatus): string | undefined {
  if (templateRef !== undefined) {
    const { name = "", template = "", clusterScope } = templateRef;
    return `${clusterScope === true ? "cluster" : "namespaced"}/${name}/${template}`;
  }
  const isElsewhere = templateScope !== "" && !templateScope.startsWith("local/");
  return isElsewhere && templateName !== "" ? `${templateScope}/${templateName}` : undefined;
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
