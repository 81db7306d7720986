/** Retry: a finished workflow goes on in place, from its failed nodes (Argo 4.1 behaviour 3.25). */

import { annotations, labels } from "../model/argo/names.js";
import type { NodeStatus } from "../model/argo/node.js";
import type { Workflow, WorkflowSpec, WorkflowStatus } from "../model/argo/workflow.js";
import { retryGenerationOf } from "../podlife/index.js";
import { err, ok, type Result } from "../std/result.js";
import { rfc3339OfMs } from "../std/time.js";
import {
  hasNodesElsewhere,
  nodesById,
  nodesOf,
  type ParameterValue,
  withoutShutdown,
  withParameters,
} from "./common.js";
import { parseNodeSelector } from "./node-selector.js";
import { type Reset, resetNodes } from "./reset.js";

export interface RetryOptions {
  /** With a selector: nodes that it matches run again although they succeeded. */
  readonly restartSuccessful?: boolean;
  readonly nodeFieldSelector?: string;
  readonly parameters?: readonly ParameterValue[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Retried {
  /** To be saved in place of the workflow; its retry generation is one more. */
  readonly workflow: Workflow;
  /** Nodes that are gone from the status; the pods of those of type Pod are to be deleted. */
  readonly deletedNodes: readonly NodeStatus[];
}

/** The error is Argo's text. */
export function retry(workflow: Workflow, options: RetryOptions): Result<Retried, string> {
  const refusal = refusalOf(workflow, options);
  if (refusal !== undefined) return err(refusal);
  const selector = parseNodeSelector(options.nodeFieldSelector ?? "");
  if (!selector.ok) return selector;
  const restarts = options.restartSuccessful === true && (options.nodeFieldSelector ?? "") !== "";
  const hasParameters = (options.parameters ?? []).length > 0;
  const reset = resetNodes({
    workflowName: workflow.metadata.name ?? "",
    nodes: nodesOf(workflow),
    also: (node) => restarts && selector.value(node),
    // What a loop or a group expands to may depend on the parameters.
    remake: (node) => hasParameters && (node.type === "TaskGroup" || node.type === "StepGroup"),
    now: options.now,
  });
  return ok(retried(workflow, withParameters(workflow.spec, options.parameters ?? []), reset, options));
}

function refusalOf(workflow: Workflow, options: RetryOptions): string | undefined {
  const { status } = workflow;
  const phase = status?.phase ?? "";
  if (hasNodesElsewhere(workflow)) return "Cannot retry a workflow whose nodes are compressed or offloaded";
  if (phase === "Failed" || phase === "Error") return undefined;
  if (phase !== "Succeeded") return `Cannot retry a workflow in phase ${phase}`;
  if (options.restartSuccessful === true && (options.nodeFieldSelector ?? "") !== "") return undefined;
  return "To retry a succeeded workflow, set the options restartSuccessful and nodeFieldSelector";
}

/** The workflow as if it had just begun with the nodes that are kept. */
export function retried(workflow: Workflow, spec: WorkflowSpec, reset: Reset, options: RetryOptions): Retried {
  const { metadata } = workflow;
  const { [labels.completed]: _completed, [labels.archivingStatus]: _archiving, ...kept } = metadata.labels ?? {};
  const generation = { [annotations.retryGeneration]: String(retryGenerationOf(workflow) + 1) };
  return {
    workflow: {
      ...workflow,
      metadata: {
        ...metadata,
        labels: { ...kept, [labels.phase]: "Running" },
        annotations: { ...metadata.annotations, ...generation },
      },
      spec: withoutShutdown(spec),
      status: reopenedStatus(workflow.status ?? {}, reset, options),
    },
    deletedNodes: reset.deleted,
  };
}

function reopenedStatus(status: WorkflowStatus, reset: Reset, { now, parameters = [] }: RetryOptions): WorkflowStatus {
  const { message, finishedAt, persistentVolumeClaims, storedWorkflowTemplateSpec: stored, ...rest } = status;
  return {
    ...rest,
    phase: "",
    startedAt: rfc3339OfMs(now),
    nodes: nodesById(reset.kept),
    conditions: (status.conditions ?? []).filter(({ type }) => type !== "Completed"),
    ...(stored === undefined
      ? {}
      : { storedWorkflowTemplateSpec: withoutShutdown(withParameters(stored, parameters)) }),
  };
}
