/** `tiphys run --resume NAME`: goes on with a run whose process died, in the foreground. */

import { type Context, notice } from "../context.js";
import { badInput, CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { homesOfStored } from "../load/spec-files.js";
import { findWorkflow, readWorkflow } from "../places/find.js";
import { releasePlace, takeOverPlace } from "../places/own.js";
import { openEvents } from "../session/events-file.js";
import { followRun } from "../session/session.js";
import { printResult, type RunFlags, sessionLook } from "./run-flags.js";

export async function resumeLost(
  context: Context,
  name: string,
  { flags, args }: { readonly flags: RunFlags; readonly args: readonly string[] },
): Promise<number> {
  if (args.length > 0) throw badInput("--resume goes on with a run that there is: leave out the file");
  const found = await findWorkflow(context, name, flags.in);
  if (found.owned) throw owned(found.row.name, found.row.status);
  if (found.row.finishedAt !== "") {
    throw new CliError(
      exitCodes.failed,
      `${found.row.name} has ended: ${found.row.status}`,
      found.row.phase === "Succeeded" ? undefined : `tiphys retry ${found.row.name}`,
    );
  }
  const look = sessionLook(flags);
  const events = await openEvents(context, flags.events);
  const place = await takeOverPlace(context, found.place.folder);
  let reason: "ended" | "abandon" = "abandon";
  try {
    notice(context, `going on with ${found.row.name} (runtime: ${place.settings.runtimeText})`);
    const workflow = await readWorkflow(place.handle, found);
    const end = await followRun(context, place.handle, [workflow], {
      ...look,
      events,
      runtimeLabel: place.settings.runtimeText,
      maxPods: place.settings.options.maxPods,
      keepsFailed: place.settings.options.keep !== "never",
      index: place.index,
      specFile: place.settings.specFile,
      homes: await homesOfStored(context, place.settings, workflow),
      onSignal: "stop",
    });
    reason = end.abandoned ? "abandon" : "ended";
    printResult(context, end.workflows, flags.output);
    return end.exitCode;
  } finally {
    await releasePlace(context, place, reason);
  }
}

function owned(name: string, status: string): CliError {
  const hint = status.includes("Suspended")
    ? `to go on after a suspend: tiphys resume ${name}`
    : `tiphys logs -f ${name}`;
  return new CliError(exitCodes.failed, `${name} has not lost its process: it is ${status}`, hint);
}
