/** Workflows that a command acts on: by name, or by selectors over all places. */

import type { Command } from "commander";
import {
  fieldValueOf,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from "../../kube/selectors.js";
import type { Context } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { findWorkflow } from "../places/find.js";
import { allWorkflows, type Found } from "../places/places.js";
import type { ListRow } from "../print/list.js";

export interface SelectorFlags {
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly in?: string;
}

export function defineSelectors(command: Command): void {
  command
    .option("-l, --selector <LABELS>", "workflows with these labels: a=b,c!=d")
    .option("--field-selector <FIELDS>", "workflows with these fields: metadata.name=x");
  defineIn(command);
}

export function defineIn(command: Command): void {
  command.option("--in <PLACE>", "only in this place: up, a run's UID, or a folder");
}

/** The ones named, then the ones selected; each once. */
export async function targetsOf(
  context: Context,
  names: readonly string[],
  flags: SelectorFlags,
): Promise<readonly Found[]> {
  const named = await Promise.all(names.map((name) => findWorkflow(context, name, flags.in)));
  const selected = hasSelector(flags)
    ? (await allWorkflows(context, flags.in)).filter(({ row }) => selects(flags, row))
    : [];
  const seen = new Set<string>();
  return [...named, ...selected].filter(({ row }) => !seen.has(row.uid) && seen.add(row.uid));
}

export function hasSelector(flags: SelectorFlags): boolean {
  return (flags.selector ?? "") !== "" || (flags.fieldSelector ?? "") !== "";
}

/** Of what was selected in all places: that one could not be read is no success. */
export function selectionCode(context: Context, flags: SelectorFlags): number {
  return hasSelector(flags) && context.leftOut.size > 0 ? exitCodes.failed : exitCodes.succeeded;
}

/** Rejects bad selectors with CliError. */
export function selects(flags: SelectorFlags, row: ListRow): boolean {
  const labels = parseLabelSelector(flags.selector ?? "");
  if (!labels.ok) throw badInput(`--selector: ${labels.error}`);
  const fields = parseFieldSelector(flags.fieldSelector ?? "");
  if (!fields.ok) throw badInput(`--field-selector: ${fields.error}`);
  const object = { metadata: { name: row.name, namespace: row.namespace }, status: { phase: row.phase } };
  return matchesLabels(labels.value, row.labels) && matchesFields(fields.value, (field) => fieldValueOf(object, field));
}
