/** stop, terminate, suspend, resume: one change to each workflow that is meant. */

import { type Command, Option } from "commander";
import { type Context, writeLines } from "../context.js";
import { badInput } from "../errors.js";
import type { Found } from "../places/places.js";
import { type Change, changeWorkflow } from "../session/change.js";
import { type SelectorFlags, selectionCode, targetsOf } from "./targets.js";

export interface Lifecycle {
  /** `stopped`: what is said of each workflow. */
  readonly done: string;
  /** What is said when nothing is named. */
  readonly nothingNamed: string;
  readonly change: (found: Found) => Change;
}

export function dryRunOption(): Option {
  return new Option("--dry-run", "change nothing, say what would be");
}

export function nodeSelectorOption(command: Command, about: string): void {
  command.option("--node-field-selector <FIELDS>", `${about}: displayName=approve,phase=Running`);
}

export async function runLifecycle(
  context: Context,
  names: readonly string[],
  {
    flags,
    lifecycle,
  }: { readonly flags: SelectorFlags & { readonly dryRun?: boolean }; readonly lifecycle: Lifecycle },
): Promise<number> {
  if (names.length === 0 && flags.selector === undefined && flags.fieldSelector === undefined) {
    throw badInput(lifecycle.nothingNamed);
  }
  const targets = await targetsOf(context, names, flags);
  let code = selectionCode(context, flags);
  for (const found of targets) {
    if (flags.dryRun === true) {
      writeLines(context, [`workflow ${found.row.name} ${lifecycle.done} (dry-run)`]);
      continue;
    }
    code = Math.max(code, await changeWorkflow(context, found, lifecycle.change(found)));
    writeLines(context, [`workflow ${found.row.name} ${lifecycle.done}`]);
  }
  return code;
}
