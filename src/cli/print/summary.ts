/** The last words of a run: how it ended, what failed with the end of its log, and the next commands to type. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Position } from "../../core/std/problem.js";
import { timeOf, twoUnits } from "./duration.js";
import { missingFlag } from "./missing-flag.js";
import { positionText } from "./position-text.js";
import { shellLine } from "./shell-words.js";
import { oneLine } from "./step-output.js";
import type { Style } from "./style.js";
import { isDone, isFailure, type TreeItem } from "./tree/item.js";
import { displayWidth, truncate } from "./width.js";

/** A step that failed, as far as it is known. */
export interface FailedStep {
  readonly name: string;
  /** Where it was written, its file as the user names it; undefined when that is not at hand. */
  readonly position: Position | undefined;
  readonly image: string;
  /** `exit 2`, `OOMKilled, exit 137`, `lost with …`. */
  readonly reason: string;
  readonly durationMs: number | undefined;
  readonly attempts: { readonly made: number; readonly max: number | undefined };
  /** What ran; empty when unknown. */
  readonly command: readonly string[];
  /** For scripts: how many lines of source. */
  readonly scriptLines: number;
  /** What it waited for in vain, and so never started. */
  readonly missing?: string | undefined;
  /** What the reason means, where it does not say that itself. */
  readonly hint?: string | undefined;
  /** Something ran: it has a log, and files to look at. */
  readonly hasPod: boolean;
  readonly tail: LogTail;
}

export interface LogTail {
  readonly lines: readonly string[];
  /** Lines of the whole log; undefined when nobody counted them. */
  readonly total: number | undefined;
}

/** "signal": the user stopped it. "left": the user stopped watching what another process runs. "lost": that one died. */
export type EndedBy = "by itself" | "signal" | "left" | "lost";

export interface SummaryFacts {
  readonly workflow: Workflow;
  readonly items: readonly TreeItem[];
  readonly retries: number;
  readonly failed: readonly FailedStep[];
  /** The file to name in `retry --spec`; empty for stdin and addresses. */
  readonly specFile: string;
  /** There is something of failed steps to look at. */
  readonly keepsFailed: boolean;
  readonly ended: EndedBy;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const STEPS_SHOWN = 3;

export function summaryLines(facts: SummaryFacts, columns: number, style: Style): readonly string[] {
  const shown = facts.failed.slice(0, STEPS_SHOWN);
  const more = facts.failed.slice(STEPS_SHOWN);
  return [
    headLine(facts, style),
    ...messageLine(facts),
    ...shown.flatMap((step) => stepLines(step, columns, style)),
    ...(more.length > 0 ? [`  and ${more.length} more failed: ${more.map((step) => step.name).join(", ")}`] : []),
    // Of what was lost the error says how it goes on.
    ...(facts.ended === "lost" ? [] : nextLines(facts, style)),
  ].map((line) => (displayWidth(line) > 4 * columns ? truncate(line, 4 * columns, style.glyphs.ellipsis) : line));
}

/** `✖ nightly-x7k2f Failed 1m58s · 12 tasks: 6 ✔ 1 ✖ 5 not run · 3 retries` */
function headLine(facts: SummaryFacts, style: Style): string {
  const { workflow, items, retries, now } = facts;
  const { glyphs, paint } = style;
  const status = workflow.status;
  const started = timeOf(status?.startedAt) ?? timeOf(workflow.metadata.creationTimestamp) ?? now;
  const phase = facts.ended === "lost" ? "Lost" : status?.phase || "Pending";
  const parts = [
    `${signOf(facts, style)} ${paint.bold(workflow.metadata.name ?? "")} ${phase} ${twoUnits((timeOf(status?.finishedAt) ?? now) - started)}`,
  ];
  const tasks = items.filter((item) => item.label !== "onExit");
  if (tasks.length > 1) parts.push(`${tasks.length} tasks: ${taskCounts(tasks, style)}`);
  if (retries > 0) parts.push(`${retries} ${retries === 1 ? "retry" : "retries"}`);
  return parts.join(` ${glyphs.dot} `);
}

/** What only its watcher left has not failed. */
function signOf({ workflow, ended }: SummaryFacts, { glyphs, paint }: Style): string {
  if (workflow.status?.phase === "Succeeded") return paint.green(glyphs.succeeded);
  const runsOn = ended === "left" && workflow.status?.finishedAt === undefined;
  return runsOn ? paint.cyan(glyphs.running) : paint.red(glyphs.failed);
}

function taskCounts(tasks: readonly TreeItem[], { glyphs }: Style): string {
  const succeeded = tasks.filter((task) => task.state === "succeeded").length;
  const failed = tasks.filter(isFailure).length;
  const skipped = tasks.filter((task) => task.state === "skipped").length;
  const rest = tasks.filter((task) => !isDone(task) && !isFailure(task)).length;
  return [
    succeeded > 0 ? `${succeeded} ${glyphs.succeeded}` : "",
    failed > 0 ? `${failed} ${glyphs.failed}` : "",
    skipped > 0 ? `${skipped} ${glyphs.skipped}` : "",
    rest > 0 ? `${rest} not run` : "",
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** The workflow's own message, where no failed step says it better. */
function messageLine({ workflow, failed }: SummaryFacts): readonly string[] {
  const message = workflow.status?.message ?? "";
  if (message === "" || failed.length > 0 || workflow.status?.phase === "Succeeded") return [];
  return [`  ${oneLine(message)}`];
}

function stepLines(step: FailedStep, columns: number, style: Style): readonly string[] {
  const { paint, glyphs } = style;
  const attempts = attemptsText(step);
  // A long reason is a sentence of its own, and says when or why it ended.
  const after =
    step.durationMs === undefined || !/exit \d+$/.test(step.reason) ? "" : ` after ${twoUnits(step.durationMs)}`;
  const head = [
    `${paint.red(glyphs.failed)} ${paint.bold(step.name)}`,
    step.position === undefined ? "" : positionText(step.position),
    step.image === "" ? "" : `image ${step.image}`,
    `${step.reason}${after}${attempts}`,
  ].filter((part) => part !== "");
  const lines = [head.join("  ")];
  if (step.hint !== undefined) lines.push(`    ${oneLine(step.hint)}`);
  if (step.command.length > 0) lines.push(truncate(`    $ ${commandText(step)}`, columns, glyphs.ellipsis));
  return [...lines, ...tailLines(step.tail, columns, style)];
}

function attemptsText({ attempts }: FailedStep): string {
  if (attempts.made <= 1 && (attempts.max ?? 1) <= 1) return "";
  return attempts.max === undefined ? `, attempt ${attempts.made}` : `, attempt ${attempts.made}/${attempts.max}`;
}

function commandText(step: FailedStep): string {
  const line = oneLine(shellLine(step.command));
  return step.scriptLines > 0 ? `${line}  (script of ${step.scriptLines} lines)` : line;
}

/** The end of the log; the last line also says how much is not shown. */
function tailLines(tail: LogTail, columns: number, style: Style): readonly string[] {
  const bar = `    ${style.glyphs.column} `;
  const cut = cutText(tail);
  return tail.lines.map((line, index) => {
    const text = bar + line;
    if (cut === "" || index < tail.lines.length - 1) return text;
    const room = columns - displayWidth(cut) - 2;
    const gap = room - displayWidth(text);
    return gap >= 0 ? `${text}${" ".repeat(gap)} ${style.paint.dim(cut)}` : `${text} ${style.paint.dim(cut)}`;
  });
}

function cutText({ lines, total }: LogTail): string {
  if (total === undefined) return `(the last ${lines.length} lines)`;
  return total > lines.length ? `(last ${lines.length} of ${total} lines)` : "";
}

/** What to type now; the command that goes on stands last when something was lost, for those who read one line. */
function nextLines(facts: SummaryFacts, style: Style): readonly string[] {
  const { workflow, failed, specFile } = facts;
  const name = workflow.metadata.name ?? "";
  if (workflow.status?.phase === "Succeeded") return [];
  // Not at its end: there is nothing to retry yet.
  if (workflow.status?.finishedAt === undefined) {
    const [label, words] =
      facts.ended === "left"
        ? ["it runs on, watch it again", ["logs", "-f", name]]
        : ["go on where it was left", ["run", "--resume", name]];
    return columnsOf([[label, shellLine(["tiphys", ...words])]], style);
  }
  const retry = shellLine(["tiphys", "retry", name]);
  const step = failed[0];
  if (step === undefined) return facts.ended === "signal" ? columnsOf([["go on where it stopped", retry]], style) : [];
  const flags = givingFlags(failed);
  if (flags !== undefined) return columnsOf([["give it to the next run", flags]], style);
  if (step.reason.startsWith("lost with")) return columnsOf([["repeat only that step", retry]], style);
  const fixed = specFile === "" ? retry : `${retry} ${shellLine(["--spec", specFile])}`;
  return columnsOf([["after a fix, only the rest", fixed], ...looks(facts, step)], style);
}

/** Where the failed step can be looked at. */
function looks(
  { workflow, keepsFailed }: SummaryFacts,
  { name, hasPod }: FailedStep,
): readonly (readonly [string, string])[] {
  const words = [workflow.metadata.name ?? "", name];
  const inside = ["look inside", shellLine(["tiphys", "shell", ...words])] as const;
  const log = ["the whole log", shellLine(["tiphys", "logs", ...words])] as const;
  if (!hasPod) return [];
  return keepsFailed ? [inside, log] : [log];
}

/** Undefined where the first failure is of another kind. */
function givingFlags(failed: readonly FailedStep[]): string | undefined {
  if (failed[0]?.missing === undefined) return undefined;
  const flags = failed.map(({ missing = "" }) => missingFlag(missing)).filter((flag) => flag !== "");
  return flags.length === 0 ? "--with FILE" : [...new Set(flags)].join(" ");
}

function columnsOf(rows: readonly (readonly [string, string])[], { paint }: Style): readonly string[] {
  const width = Math.max(...rows.map(([label]) => label.length), 26);
  return rows.map(([label, command]) => `  ${paint.dim(label.padEnd(width))}   ${command}`);
}
