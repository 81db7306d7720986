/** Prints the end of a run: the summary of each workflow, and in a CI its annotations and its table. */

import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Pod } from "../../core/model/kube/pod.js";
import type { Context } from "../context.js";
import type { SpecHome } from "../load/references.js";
import { type SummaryRow, stepSummary } from "../print/ci.js";
import { twoUnits } from "../print/duration.js";
import { terminalLine } from "../print/step-output.js";
import { type EndedBy, type FailedStep, type LogTail, summaryLines } from "../print/summary.js";
import { buildTree } from "../print/tree/build.js";
import type { ItemState, TreeItem } from "../print/tree/item.js";
import { displayName, repositoryName } from "../report-error.js";
import { stepKey, workflowKey } from "../workflow-key.js";
import { failedSteps, retryCount } from "./failed-steps.js";
import { ownerUid } from "./state.js";
import { failureAnnotation } from "./step-output.js";

export interface LastWordsFacts {
  readonly workflows: readonly Workflow[];
  readonly pods: readonly Pod[];
  readonly podNotes: (workflow: Workflow) => ReadonlyMap<string, string>;
  readonly stepName: (workflow: Workflow, node: NodeStatus) => string;
  /** By the step's key. */
  readonly tail: (step: string) => LogTail;
  readonly homes: ReadonlyMap<string, SpecHome>;
  readonly specFile: string;
  readonly keepsFailed: boolean;
  /** Step -> what it waited for, when the run gave up waiting. */
  readonly neverStarted: ReadonlyMap<string, string>;
  readonly ended: EndedBy;
}

export async function lastWords(context: Context, facts: LastWordsFacts): Promise<void> {
  const { ports, err } = context;
  for (const workflow of facts.workflows) {
    const items = buildTree({ workflow, podNotes: facts.podNotes(workflow), lastLines: new Map() });
    const nameOf = (file: string): string => displayName(file, ports.cwd);
    const home = facts.homes.get(workflowKey(workflow));
    const keyOf = (nodeId: string): string => stepKey(workflow.metadata.namespace ?? "", nodeId);
    const tail = (nodeId: string): LogTail => cleaned(facts.tail(keyOf(nodeId)), err.color);
    const neverStarted = (nodeId: string): string | undefined => facts.neverStarted.get(keyOf(nodeId));
    const stepName = (node: NodeStatus): string => facts.stepName(workflow, node);
    const pods = facts.pods.filter((pod) => ownerUid(pod) === workflow.metadata.uid);
    // What a signal ended did not fail by itself.
    const known = { workflow, items, pods, tail, home, nameOf, stepName, neverStarted };
    const failed = facts.ended !== "by itself" ? [] : failedSteps(known);
    // Of several files, the one that this workflow stands in.
    const written = home?.document?.file ?? facts.specFile;
    const specFile = written.startsWith("/") ? nameOf(written) : "";
    const { keepsFailed, ended } = facts;
    const summary = { workflow, items, retries: retryCount(workflow), failed, specFile, keepsFailed, ended };
    const lines = summaryLines({ ...summary, now: ports.clock.now() }, ports.stderr.columns ?? 100, err);
    ports.stderr.write(`${lines.join("\n")}\n`);
    if (ports.env.get("GITHUB_ACTIONS") === "true") await tellGithub(context, { workflow, items, failed });
  }
}

function cleaned(tail: LogTail, color: boolean): LogTail {
  return { ...tail, lines: tail.lines.map((line) => terminalLine(line, color ? "keep" : "drop")) };
}

interface GithubFacts {
  readonly workflow: Workflow;
  readonly items: readonly TreeItem[];
  readonly failed: readonly FailedStep[];
}

async function tellGithub(context: Context, { workflow, items, failed }: GithubFacts): Promise<void> {
  const { stdout, env, cwd } = context.ports;
  for (const step of failed) {
    const { position } = step;
    const file = position === undefined || position.file.includes("://") ? position?.file : resolve(cwd, position.file);
    const inRepository = position && { ...position, file: repositoryName(file ?? "", context.ports) };
    stdout.write(`${failureAnnotation({ ...step, position: inRepository })}\n`);
  }
  const file = env.get("GITHUB_STEP_SUMMARY");
  if (!file) return;
  const title = `${workflow.metadata.name ?? ""}: ${workflow.status?.phase ?? ""}`;
  // The summary is a courtesy: a runner whose disk is full must not turn a good run into a failure.
  await appendFile(file, stepSummary(title, items.map(summaryRow))).catch(() => undefined);
}

/** Where a state's own name is no word of people's. */
const STATE_WORDS: Partial<Record<ItemState, string>> = { cannotRun: "not run", waiting: "not run" };

function summaryRow(item: TreeItem): SummaryRow {
  const { startedAt, finishedAt } = item;
  const duration = startedAt === undefined || finishedAt === undefined ? "" : twoUnits(finishedAt - startedAt);
  const count = item.kind === "loop" ? ` ×${item.children.length}` : "";
  return { step: `${item.label}${count}`, phase: STATE_WORDS[item.state] ?? item.state, duration, message: item.note };
}
