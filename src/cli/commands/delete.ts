/** `tiphys delete` (Argo 4.1 behaviour 8.7): the workflow, and with the last of a run its place. */

import type { Command } from "commander";
import { workflows } from "../../core/model/resources.js";
import { type Context, writeLines } from "../context.js";
import { badInput, CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { findWorkflow } from "../places/find.js";
import { releasePlace, takeOverPlace } from "../places/own.js";
import { allWorkflows, type Found } from "../places/places.js";
import type { PlaceHandle } from "../ports.js";
import type { ListRow } from "../print/list.js";
import { integer } from "./flags.js";
import { defineFilters, type FilterFlags, filtered } from "./list.js";
import { type Call, type CommandDefinition, examples } from "./module.js";
import { hasSelector } from "./targets.js";

interface Flags extends FilterFlags {
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

export const command: CommandDefinition = { define, run };

function define(command: Command): void {
  command.argument("[NAME...]", "workflows, or @latest").option("--all", "every workflow of this user's places");
  defineFilters(command);
  command
    .option("-A, --all-namespaces", "accepted for Argo's sake")
    .option("--query-chunk-size <NUMBER>", "accepted for Argo's sake", integer)
    .option("--force", "accepted for Argo's sake")
    .option("--dry-run", "delete nothing, say what would be");
  examples(command, ["tiphys delete @latest", "tiphys delete --completed --older 7d"]);
}

async function run(context: Context, call: Call): Promise<number> {
  const flags = call.options<Flags>();
  const filters = hasFilter(flags);
  if (call.args.length === 0 && !filters) throw badInput("requires either a workflow or other argument");
  const named = await namedTargets(context, call.args, flags);
  const chosen = filters ? await filteredTargets(context, flags) : [];
  const targets = unique([...named, ...chosen]);
  if (filters && targets.length === 0) writeLines(context, ["No resources found"]);
  await removeEach(context, targets, flags);
  // In a place that could not be read there may be more of them.
  const looksEverywhere = filters || named.length < call.args.length;
  return looksEverywhere && context.leftOut.size > 0 ? exitCodes.failed : exitCodes.succeeded;
}

async function removeEach(context: Context, targets: readonly Found[], { dryRun }: Flags): Promise<void> {
  const ending = dryRun === true ? " (dry-run)" : "";
  for (const found of targets) {
    if (dryRun !== true) await remove(context, found);
    writeLines(context, [`Workflow '${found.row.name}' deleted${ending}`]);
  }
}

async function filteredTargets(context: Context, flags: Flags): Promise<readonly Found[]> {
  return filtered(await allWorkflows(context, flags.in), flags, context.ports.clock.now());
}

function hasFilter(flags: Flags): boolean {
  const { all, completed, resubmitted, prefix, older, status } = flags;
  const given = [prefix, older, status].some((text) => text !== undefined);
  return all === true || completed === true || resubmitted === true || given || hasSelector(flags);
}

/** One that is not there is told, and the others go on. */
async function namedTargets(context: Context, names: readonly string[], flags: Flags): Promise<readonly Found[]> {
  const targets: Found[] = [];
  for (const name of names) {
    try {
      targets.push(await findWorkflow(context, name, flags.in));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      writeLines(context, [`Workflow '${name}' not found`]);
    }
  }
  return targets;
}

function unique(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({ row }) => !seen.has(row.uid) && seen.add(row.uid));
}

async function remove(context: Context, found: Found): Promise<void> {
  const { place, row } = found;
  const host = await context.ports.places();
  // Also of one that has ended: its owner may not have let go yet, or somebody has just begun to retry it.
  if (found.owned || (await host.ownership(place.folder)) === "owned") {
    await removeThrough(await host.connect(place.folder), row);
    return;
  }
  if (place.kind === "run" && place.index.workflows.length <= 1) {
    await host.remove(place.folder);
    return;
  }
  const owner = await takeOverPlace(context, place.folder);
  try {
    await removeIn(owner.handle, row);
    owner.index.remove(row.uid);
  } finally {
    await releasePlace(context, owner, "ended");
  }
}

async function removeThrough(handle: PlaceHandle, row: ListRow): Promise<void> {
  try {
    await removeIn(handle, row);
  } finally {
    await handle.close("ended");
  }
}

async function removeIn({ client }: PlaceHandle, { namespace, name, uid }: ListRow): Promise<void> {
  await client.delete(workflows, { namespace, name }, { preconditions: { uid } });
}
