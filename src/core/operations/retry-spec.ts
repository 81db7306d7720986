/** Retry with a corrected file: its templates replace the stored ones, and what they concern runs again. */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Workflow, WorkflowSpec } from "../model/argo/workflow.js";
import { err, ok, type Result } from "../std/result.js";
import { nodesOf, type ParameterValue, withParameters } from "./common.js";
import { nodeTree } from "./node-tree.js";
import { isComposite, resetNodes } from "./reset.js";
import { type Retried, retried } from "./retry.js";
import { specDiff } from "./spec-diff.js";

export interface RetriedWithSpec extends Retried {
  /** Nodes that had succeeded and run again, by the names people know them by; for the list that is shown first. */
  readonly runAgain: readonly string[];
}

export interface RetrySpecOptions {
  readonly parameters?: readonly ParameterValue[];
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
  const changes = changesOf(nodesOf(workflow), before, after);
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
    workflow: withoutStoredSpec(next.workflow),
    deletedNodes: next.deletedNodes,
    runAgain: runAgain.map(({ displayName }) => displayName),
  });
}

interface Changes {
  readonly anew: ReadonlySet<NodeId>;
  readonly looking: ReadonlySet<NodeId>;
}

/** A composite with other inputs begins anew; one whose steps alone changed looks at them again. */
function changesOf(nodes: readonly NodeStatus[], before: WorkflowSpec, after: WorkflowSpec): Changes {
  const diff = specDiff(before, after, nodeTree(nodes));
  const own = nodes.filter(
    ({ type, nodeFlag }) => !["StepGroup", "TaskGroup"].includes(type) && nodeFlag?.hooked !== true,
  );
  const anew = own.filter((node) => diff.inputsChanged(node) || (!isComposite(node) && diff.templateChanged(node)));
  const looking = own.filter((node) => isComposite(node) && diff.templateChanged(node));
  return { anew: new Set(anew.map(({ id }) => id)), looking: new Set(looking.map(({ id }) => id)) };
}

/** What was passed at the first run stays, whatever the file says; the file may add parameters. */
function withOwnArguments(file: WorkflowSpec, own: WorkflowSpec): WorkflowSpec {
  const kept = own.arguments?.parameters ?? [];
  const names = new Set(kept.map(({ name }) => name));
  const parameters = [...kept, ...(file.arguments?.parameters ?? []).filter(({ name }) => !names.has(name))];
  if (parameters.length === 0) return file;
  return { ...file, arguments: { ...file.arguments, ...own.arguments, parameters } };
}

/** What was merged from a WorkflowTemplate at the first run must not hide the file. */
function withoutStoredSpec(workflow: Workflow): Workflow {
  const { storedWorkflowTemplateSpec: _stored, ...status } = workflow.status ?? {};
  return { ...workflow, status };
}
