/** Schema of a node of a workflow's graph. */

import { boolean, choice, integer, list, map, object, required, text } from "../codec/schema.js";
import { argumentsSchema, outputsSchema } from "./arguments-schema.js";
import type { NodeStatus } from "./node.js";
import { templateRefSchema } from "./policy-schema.js";

export const nodePhaseSchema = choice("Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted");

export const nodeStatusSchema = object<NodeStatus>()({
  id: required(text),
  name: required(text),
  displayName: required(text),
  type: required(
    choice(
      "Pod",
      "Container",
      "Steps",
      "StepGroup",
      "DAG",
      "TaskGroup",
      "Retry",
      "Skipped",
      "Suspend",
      "HTTP",
      "Plugin",
    ),
  ),
  templateName: text,
  templateRef: templateRefSchema,
  templateScope: text,
  phase: nodePhaseSchema,
  boundaryID: text,
  message: text,
  startedAt: text,
  finishedAt: text,
  estimatedDuration: integer,
  progress: text,
  resourcesDuration: map(integer),
  podIP: text,
  daemoned: boolean,
  nodeFlag: object<NonNullable<NodeStatus["nodeFlag"]>>()({ hooked: boolean, retried: boolean }),
  inputs: argumentsSchema,
  outputs: outputsSchema,
  children: list(text),
  outboundNodes: list(text),
  hostNodeName: text,
  memoizationStatus: object<NonNullable<NodeStatus["memoizationStatus"]>>()({
    hit: required(boolean),
    key: required(text),
    cacheName: required(text),
  }),
  synchronizationStatus: object<NonNullable<NodeStatus["synchronizationStatus"]>>()({ waiting: text }),
  taskResultSynced: boolean,
  failedPodRestarts: integer,
  restartingPodUID: text,
});
