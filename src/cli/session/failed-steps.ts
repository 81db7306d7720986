/** The steps that made a workflow fail, with all that the last words say about them. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Template } from "../../core/model/argo/template.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import type { Position } from "../../core/std/problem.js";
import type { SpecHome } from "../load/references.js";
import { timeOf } from "../print/duration.js";
import { nodeIdOfPod } from "../print/pod-note.js";
import { positionText } from "../print/position-text.js";
import type { FailedStep, LogTail } from "../print/summary.js";
import { attemptsOf, shortMessage } from "../print/tree/attempts.js";
import { hasFailed } from "../print/tree/boundary.js";
import { isFailure, type TreeItem } from "../print/tree/item.js";
import { indexNodes, type NodeIndex } from "../print/tree/node-index.js";
import { hasRun } from "../steps.js";
import { missingOutput } from "./missing-output.js";

export interface FailureFacts {
  readonly workflow: Workflow;
  readonly items: readonly TreeItem[];
  readonly pods: readonly Pod[];
  readonly tail: (nodeId: string) => LogTail;
  /** Where the spec was written; undefined when that is not at hand. */
  readonly home: SpecHome | undefined;
  readonly nameOf: (file: string) => string;
  /** What a step is called among all others. */
  readonly stepName: (node: NodeStatus) => string;
  /** What the step waited for in vain. */
  readonly neverStarted: (nodeId: string) => string | undefined;
}

export function failedSteps(facts: FailureFacts): readonly FailedStep[] {
  if (facts.workflow.status?.phase === "Succeeded") return [];
  const index = indexNodes(facts.workflow);
  const retries = [...index.byId.values()].filter((node) => node.type === "Retry");
  const leaves = failedLeaves(facts.items).map(({ id }) => id);
  // What fails between its steps, as a loop over no list does, is the entrypoint itself, and no row of the tree.
  const ids = leaves.length > 0 ? leaves : [facts.workflow.metadata.name ?? ""];
  return ids.flatMap((id) => {
    const node = index.byId.get(id);
    return node === undefined || !hasFailed(node) ? [] : [failedStep(facts, { node, index, retries })];
  });
}

/** How many attempts beyond the first were made. */
export function retryCount(workflow: Workflow): number {
  return Object.values(workflow.status?.nodes ?? {})
    .filter((node) => node.type === "Retry")
    .reduce((sum, node) => sum + Math.max(0, (node.children?.length ?? 0) - 1), 0);
}

function failedLeaves(items: readonly TreeItem[]): readonly TreeItem[] {
  return items.flatMap((item) => {
    const inside = failedLeaves(item.children);
    if (inside.length > 0) return inside;
    return isFailure(item) ? [item] : [];
  });
}

interface Failure {
  readonly node: NodeStatus;
  readonly index: NodeIndex;
  readonly retries: readonly NodeStatus[];
}

function failedStep(facts: FailureFacts, { node, index, retries }: Failure): FailedStep {
  const template = index.templates.of(node);
  const retry = retries.find((candidate) => candidate.children?.includes(node.id) === true);
  const attempts = retry === undefined ? undefined : attemptsOf(retry, index, template);
  const missing = facts.neverStarted(node.id);
  const pod = facts.pods.find((candidate) => nodeIdOfPod(candidate) === node.id);
  const hasPod = missing === undefined && (pod !== undefined || hasRun(node));
  const main = pod?.spec.containers.find((container) => container.name === "main");
  const ran = main ?? template?.container ?? template?.script;
  return {
    name: facts.stepName(node),
    position: template && positionIn(facts, template, partOf(template)),
    image: ran?.image ?? "",
    reason: missing === undefined ? shortMessage(node.message) || (node.phase ?? "") : `never started: ${missing}`,
    missing,
    hint: template && outputHint(facts, template, node),
    durationMs: hasPod ? durationOf(node) : undefined,
    hasPod,
    attempts: { made: attempts?.all.length ?? 1, max: attempts?.max },
    command:
      template?.script === undefined
        ? [...(ran?.command ?? []), ...(ran?.args ?? [])]
        : (template.script.command ?? []),
    scriptLines: template?.script?.source?.trimEnd().split("\n").length ?? 0,
    tail: facts.tail(node.id),
  };
}

function durationOf({ startedAt, finishedAt }: NodeStatus): number | undefined {
  const started = timeOf(startedAt);
  const finished = timeOf(finishedAt);
  return started === undefined || finished === undefined ? undefined : finished - started;
}

/** The field that says what the template runs. */
function partOf(template: Template): string {
  if (template.container !== undefined) return "container";
  return template.script === undefined ? "name" : "script";
}

/** Where a part of the template stands in the file that was run, as the user names it. */
function positionIn({ home, nameOf }: FailureFacts, { name }: Template, part: string): Position | undefined {
  if (home === undefined || name === undefined) return undefined;
  const index = (home.spec.templates ?? []).findIndex((candidate) => candidate.name === name);
  if (index === -1) return undefined;
  const position = home.document?.keyPositionOf(`${home.path}.templates[${index}].${part}`);
  return position && { ...position, file: nameOf(position.file) };
}

/** The message says where the executor looked: people have to know where the step was to write, and who asked for it. */
function outputHint(facts: FailureFacts, template: Template, { message = "" }: NodeStatus): string | undefined {
  const missing = missingOutput(message, template);
  if (missing === undefined) return undefined;
  const { path, field, output, instead } = missing;
  const position = positionIn(facts, template, field);
  const where = position === undefined ? "" : ` (${positionText(position)})`;
  return `the step left no file ${path} for its ${output}${where}; ${instead}`;
}
