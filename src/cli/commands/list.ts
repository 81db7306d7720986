/** `tiphys list` (Argo 4.1 behaviour 8.5), over all places. */

import type { Command } from "commander";
import type { Workflow, WorkflowPhase } from "../../core/model/argo/workflow.js";
import { nearestName } from "../../core/model/codec/suggest.js";
import { isNotFound } from "../../kube/errors.js";
import { type Context, writeLines } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { writeObjects } from "../output.js";
import { readWorkflow } from "../places/find.js";
import { type Found, knownWorkflows, leftOut, openAndRead } from "../places/places.js";
import type { PlaceHandle } from "../ports.js";
import { parseSince, timeOf } from "../print/duration.js";
import { type ListRow, listLines, sortRows } from "../print/list.js";
import { integer, outputForms, outputOption } from "./flags.js";
import { type Call, type CommandDefinition, examples } from "./module.js";
import { defineSelectors, type SelectorFlags, selects } from "./targets.js";

export interface FilterFlags extends SelectorFlags {
  readonly prefix?: string;
  readonly older?: string;
  readonly since?: string;
  readonly status?: string;
  readonly completed?: boolean;
  readonly running?: boolean;
  readonly resubmitted?: boolean;
}

interface Flags extends FilterFlags {
  readonly output?: string;
  readonly allNamespaces?: boolean;
  readonly headers: boolean;
}

export const command: CommandDefinition = { define, run };

function define(command: Command): void {
  defineFilters(command);
  command
    .option("--running", "those that have not ended")
    .option("--since <DURATION>", "created within: 30m, 2h, 7d")
    .option("-A, --all-namespaces", "show the namespace")
    .option("--no-headers", "no line of headers")
    .option("--chunk-size <NUMBER>", "accepted for Argo's sake", integer)
    .addOption(outputOption(outputForms));
  examples(command, ["tiphys list", "tiphys list --running -o wide", "tiphys list --status Failed,Error --since 7d"]);
}

export function defineFilters(command: Command): void {
  command
    .option("--prefix <TEXT>", "names that begin so")
    .option("--older <DURATION>", "ended longer ago than: 30m, 2h, 7d")
    .option("--status <PHASES>", "with these phases: Failed,Error")
    .option("--completed", "those that have ended")
    .option("--resubmitted", "those made from another workflow");
  defineSelectors(command);
}

async function run(context: Context, call: Call): Promise<number> {
  const flags = call.options<Flags>();
  const chosen = filtered(await knownWorkflows(context, flags.in), flags, context.ports.clock.now());
  const rows = sortRows(chosen.map(({ row }) => row));
  const form = flags.output;
  if (form === "json" || form === "yaml") {
    await printWhole(context, orderedAs(chosen, rows), form);
  } else if (form === "name") {
    writeLines(
      context,
      rows.map(({ name }) => name),
    );
  } else if (rows.length === 0) {
    writeLines(context, ["No workflows found"]);
  } else {
    const now = context.ports.clock.now();
    const namespaces = flags.allNamespaces === true || new Set(rows.map(({ namespace }) => namespace)).size > 1;
    writeLines(context, listLines(rows, { wide: form === "wide", namespaces, headers: flags.headers, now }));
  }
  // Of what was left out nobody knows whether it would have been shown.
  return context.leftOut.size > 0 ? exitCodes.failed : exitCodes.succeeded;
}

/** What the filters leave. Rejects bad filters with CliError. */
export function filtered(all: readonly Found[], flags: FilterFlags, now: number): readonly Found[] {
  if (flags.completed === true && flags.running === true) {
    throw badInput("--completed and --running cannot be used together");
  }
  const since = flags.since === undefined ? undefined : now - sinceMs("--since", flags.since);
  const older = flags.older === undefined ? undefined : now - sinceMs("--older", flags.older);
  const phases = flags.status === undefined ? undefined : phasesIn(flags.status);
  const tests: readonly ((row: ListRow) => boolean)[] = [
    (row) => flags.prefix === undefined || row.name.startsWith(flags.prefix),
    (row) => since === undefined || (timeOf(row.createdAt) ?? 0) >= since,
    (row) => older === undefined || (timeOf(row.finishedAt) ?? Number.POSITIVE_INFINITY) <= older,
    (row) => phases === undefined || phases.includes(row.phase || "Pending"),
    (row) => flags.completed !== true || row.finishedAt !== "",
    (row) => flags.running !== true || row.finishedAt === "",
    (row) => flags.resubmitted !== true || "workflows.argoproj.io/resubmitted-from-workflow" in row.labels,
    (row) => selects(flags, row),
  ];
  return all.filter(({ row }) => tests.every((test) => test(row)));
}

const PHASES: readonly WorkflowPhase[] = ["Pending", "Running", "Succeeded", "Failed", "Error"];

/** A phase that no workflow can have would quietly select nothing. */
function phasesIn(text: string): readonly string[] {
  const phases = text.split(",").map((phase) => phase.trim());
  for (const phase of phases) knownPhase(phase, PHASES);
  return phases;
}

/** Rejects with CliError what is none of `known`. */
export function knownPhase(phase: string, known: readonly string[]): void {
  if (known.includes(phase)) return;
  const near = nearestName(phase, known);
  const hint = near === undefined ? `known are ${known.join(", ")}` : `did you mean "${near}"?`;
  throw badInput(`--status: there is no phase "${phase}"`, hint);
}

function sinceMs(flag: string, text: string): number {
  const ms = parseSince(text);
  if (ms === undefined) throw badInput(`${flag} ${text}: expected a duration such as 30m, 2h or 7d`);
  return ms;
}

function orderedAs(found: readonly Found[], rows: readonly ListRow[]): readonly Found[] {
  const order = new Map(rows.map((row, index) => [row, index]));
  return [...found].sort((a, b) => (order.get(a.row) ?? 0) - (order.get(b.row) ?? 0));
}

/** Argo prints a bare array, also for one or none. */
async function printWhole(context: Context, found: readonly Found[], form: "json" | "yaml"): Promise<void> {
  const whole = new Map<Found, Workflow>();
  const places = new Set(found.map((one) => one.place));
  for (const place of places) {
    const here = found.filter((one) => one.place === place);
    try {
      const { handle, value } = await openAndRead(context, place, (open) => readAll(open, here));
      await handle.close("ended");
      for (const [one, workflow] of value) whole.set(one, workflow);
    } catch (error) {
      if (places.size === 1) throw error;
      leftOut(context, place, error);
    }
  }
  const workflows = found.flatMap((one) => whole.get(one) ?? []);
  writeObjects(context, workflows, form === "json" ? "json-list" : "yaml-list");
}

/** Without those that were deleted since they were listed. */
async function readAll(handle: PlaceHandle, found: readonly Found[]): Promise<ReadonlyMap<Found, Workflow>> {
  const whole = new Map<Found, Workflow>();
  for (const one of found) {
    try {
      whole.set(one, await readWorkflow(handle, one));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return whole;
}
