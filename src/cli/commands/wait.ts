/** `tiphys wait` (Argo 4.1 behaviour 8.7). */

import type { ObjectKey } from "../../kube/client.js";
import { TransportError } from "../../kube/errors.js";
import { type Context, writeLines } from "../context.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { findWorkflow } from "../places/find.js";
import { connectOwner, type Found, goOnCommand } from "../places/places.js";
import { PlaceError, type PlaceHandle } from "../ports.js";
import { type End, endLine, endOfWorkflow, waitForEnd } from "../session/wait.js";
import { toldIfSilent } from "../tell-silent.js";
import { type CommandDefinition, examples } from "./module.js";
import { defineIn } from "./targets.js";

interface Flags {
  readonly ignoreNotFound?: boolean;
  readonly in?: string;
}

export const command: CommandDefinition = {
  define(spec) {
    spec
      .argument("<NAME...>", "workflows, or @latest")
      .option("--ignore-not-found", "say nothing of those that are not there");
    defineIn(spec);
    examples(spec, ["tiphys wait @latest"]);
  },
  async run(context, call) {
    const flags = call.options<Flags>();
    const codes = await Promise.all(call.args.map((name) => toldIfSilent(context, waitFor(context, name, flags))));
    return Math.max(exitCodes.succeeded, ...codes.map((code) => code ?? exitCodes.internal));
  },
};

async function waitFor(context: Context, name: string, flags: Flags): Promise<number> {
  const found = await findOrIgnore(context, name, flags);
  if (found === undefined) return exitCodes.succeeded;
  const end = await endOf(context, found);
  writeLines(context, [endLine(context, found.row.name, end)]);
  return end.phase === "Succeeded" ? exitCodes.succeeded : exitCodes.failed;
}

async function findOrIgnore(context: Context, name: string, flags: Flags): Promise<Found | undefined> {
  try {
    return await findWorkflow(context, name, flags.in);
  } catch (error) {
    if (flags.ignoreNotFound === true && error instanceof CliError) return undefined;
    throw error;
  }
}

async function endOf(context: Context, { row, place, owned }: Found): Promise<End> {
  if (row.finishedAt !== "") return row;
  if (!owned) {
    const hint = goOnCommand(place, row.name);
    throw new CliError(exitCodes.failed, `the process of ${row.name} is gone: it will not end by itself`, hint);
  }
  const end = await endThere(context, place.folder, { namespace: row.namespace, name: row.name });
  // The last word of an owner that ended in order may not have come: its store has it.
  if (end === "lost") return await endOf(context, await findWorkflow(context, row.uid, place.folder));
  return endOfWorkflow(end);
}

async function endThere(context: Context, folder: string, key: ObjectKey): ReturnType<typeof waitForEnd> {
  let handle: PlaceHandle;
  try {
    handle = await connectOwner(context, folder);
  } catch (error) {
    // It ends just now; if it does not, looking for the workflow again fails too.
    const isEnding = error instanceof TransportError || (error instanceof PlaceError && error.code === "absent");
    if (isEnding) return "lost";
    throw error;
  }
  try {
    return await waitForEnd(context, handle, key);
  } finally {
    await handle.close("ended");
  }
}
