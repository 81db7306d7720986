/** Writes what was collected as the pod's WorkflowTaskResult (Argo 4.1 behaviour 6.10), in one request where none is there yet. */

import { annotations, labels } from "../core/model/argo/names.js";
import type { Outputs } from "../core/model/argo/template.js";
import type { WorkflowTaskResult } from "../core/model/argo/workflow.js";
import { apiVersionOf, workflows, workflowTaskResults } from "../core/model/resources.js";
import { generationIn } from "../core/podlife/index.js";
import { sleep } from "../kube/clock.js";
import { ApiError, isAlreadyExists, isConflict, isNotFound, TransportError } from "../kube/errors.js";
import type { ExecutorEnvironment } from "./environment.js";
import type { ExecutorOptions } from "./options.js";

export interface Report {
  readonly environment: ExecutorEnvironment;
  readonly outputs: Outputs;
  readonly options: ExecutorOptions;
  /** Aborted: told to stop, so a failing request is not repeated for ever. */
  readonly signal: AbortSignal;
  /** Aborted: killed, so nothing more is asked of the API. */
  readonly killed: AbortSignal;
}

const FIRST_DELAY_MS = 100;
const DELAY_MS_MAX = 10_000;
/** Changes by others between our read and our write. */
const TRIES_MAX = 10;

/** Resolves when the API holds the report. Rejects when it refuses for good, or when told to stop while out of reach. */
export async function report(work: Report): Promise<void> {
  const result = taskResultOf(work);
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, DELAY_MS_MAX)) {
    try {
      return await write(result, work);
    } catch (error) {
      if (!isTransient(error) || work.signal.aborted) throw error;
      await sleep(work.options.clock, delay, work.signal);
    }
  }
}

/** Complete from the start: nothing of it comes later. */
export function taskResultOf({ environment, outputs }: Pick<Report, "environment" | "outputs">): WorkflowTaskResult {
  const { namespace, nodeId, workflowName, workflowUid, instanceId, retryGeneration } = environment;
  return {
    apiVersion: apiVersionOf(workflowTaskResults),
    kind: workflowTaskResults.kind,
    metadata: {
      name: nodeId,
      namespace,
      labels: {
        [labels.workflow]: workflowName,
        [labels.reportOutputsCompleted]: "true",
        ...(instanceId === undefined ? {} : { [labels.instanceId]: instanceId }),
      },
      ...(retryGeneration === undefined ? {} : { annotations: { [annotations.retryGeneration]: retryGeneration } }),
      ownerReferences: [
        { apiVersion: apiVersionOf(workflows), kind: workflows.kind, name: workflowName, uid: workflowUid },
      ],
    },
    ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
  };
}

async function write(result: WorkflowTaskResult, { options, killed }: Report): Promise<void> {
  const { client } = options;
  const { namespace = "", name = "" } = result.metadata;
  for (let left = TRIES_MAX; ; left--) {
    killed.throwIfAborted();
    try {
      await client.create(workflowTaskResults, result);
      return;
    } catch (error) {
      if (!isAlreadyExists(error) || left === 0) throw error;
    }
    try {
      const found = await client.get<WorkflowTaskResult>(workflowTaskResults, { namespace, name });
      if (isLater(found, result)) return;
      killed.throwIfAborted();
      await client.update(workflowTaskResults, replacing(found, result));
      return;
    } catch (error) {
      // Gone or changed since it was read: look again.
      if ((!isConflict(error) && !isNotFound(error)) || left === 0) throw error;
    }
  }
}

/** Of a later run of the same workflow: ours comes too late, and is not wanted any more. */
function isLater(found: WorkflowTaskResult, ours: WorkflowTaskResult): boolean {
  const isSameOwner = found.metadata.ownerReferences?.[0]?.uid === ours.metadata.ownerReferences?.[0]?.uid;
  return isSameOwner && generationOf(found) > generationOf(ours);
}

function generationOf({ metadata }: WorkflowTaskResult): number {
  return generationIn(metadata) ?? 0;
}

/** What others put on it stays. */
function replacing({ metadata: found }: WorkflowTaskResult, result: WorkflowTaskResult): WorkflowTaskResult {
  const { metadata: ours } = result;
  const metadata = { ...found, ...ours, labels: { ...found.labels, ...ours.labels } };
  const notes = { ...found.annotations, ...ours.annotations };
  return { ...result, metadata: Object.keys(notes).length === 0 ? metadata : { ...metadata, annotations: notes } };
}

/** A create meets a Conflict where a quota was counted anew at the same moment. */
function isTransient(error: unknown): boolean {
  if (error instanceof TransportError || isConflict(error)) return true;
  return error instanceof ApiError && (error.code === 429 || error.code >= 500);
}
