/** `tiphys run FILE…`: a place of its own, its owner in the foreground, until the workflows end. */

import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { type Context, notice, writeLines } from "../context.js";
import { ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { controllerConfig } from "../load/controller-config.js";
import { type Defaults, noDefaults } from "../load/defaults.js";
import { givenName } from "../load/given-artifacts.js";
import { type PlaceValues, placeValues } from "../load/place-flags.js";
import { type Prepared, type PrepareFlags, prepare, repeatable } from "../load/prepare.js";
import { hasErrors } from "../load/resources.js";
import { findRunnable, runnableLines } from "../load/runnable.js";
import { isAddress } from "../load/sources.js";
import { writeObjects } from "../output.js";
import type { SpecGiven } from "../places/files.js";
import { artifactsFolder } from "../places/folders.js";
import { createPlace, decidePlace, decideRuntime, type PlaceNeeds, releasePlace } from "../places/own.js";
import { sweepPlaces } from "../places/retention.js";
import { ignoredNotice } from "../print/ignored.js";
import { printProblems } from "../report-error.js";
import { openEvents } from "../session/events-file.js";
import { createAll } from "../session/objects.js";
import { followRun } from "../session/session.js";
import { allOrErrors } from "../tell-together.js";
import { workflowKey } from "../workflow-key.js";
import {
  defineGivenFlags,
  definePlaceFlags,
  defineSubmitFlags,
  duration,
  outputForms,
  outputOption,
  prepareFlags,
} from "./flags.js";
import { type CommandDefinition, examples } from "./module.js";
import { defaultsFor, printResult, type RunFlags, sessionLook } from "./run-flags.js";
import { resumeLost } from "./run-resume.js";

export const command: CommandDefinition = { define, run };

function define(command: Command): void {
  command.argument("[FILE...]", "files, folders, addresses, or - for stdin; none: lists what can be run here");
  defineSubmitFlags(command);
  defineGivenFlags(command);
  definePlaceFlags(command);
  command
    .option("--pending-timeout <DURATION>", "how long to wait for what is missing (default: 30s)", duration)
    .addOption(outputOption(outputForms, "print the ended workflow as name, json, yaml, wide; nothing else"))
    .option("--events <FILE>", "write each change as a line of JSON; - is stdout")
    .option("--dry-run", "print what would be created, start nothing")
    .option("-q, --quiet", "failures and the last line only")
    .option("--no-log", "no lines of the steps")
    .option("--resume <NAME>", "go on with a run whose process died")
    .option("--in <PLACE>", "with --resume: the place that has it")
    // Habits from Argo: here a run is always watched, waited for and logged.
    .addOption(new Option("--watch").hideHelp())
    .addOption(new Option("-w, --wait").hideHelp())
    .addOption(new Option("--log").hideHelp());
  examples(command, [
    "tiphys run hello.yaml",
    "tiphys run ci.yaml -p env=dev --secret db=.env --mount .:/src",
    "tiphys run https://…/hello.yaml --runtime docker",
    "cat wf.yaml | tiphys run - -o json",
  ]);
}

async function run(
  context: Context,
  call: { readonly args: readonly string[]; options<T extends object>(): T },
): Promise<number> {
  const flags = call.options<RunFlags>();
  if (flags.resume !== undefined) return resumeLost(context, flags.resume, { flags, args: call.args });
  if (call.args.length === 0) return listRunnable(context, flags);
  const look = sessionLook(flags);
  const defaults = await defaultsFor(context, call.args);
  const [wanted, values] = await allOrErrors([
    prepareFlags(context.ports, flags, defaults),
    placeValues(context.ports, flags, defaults),
  ]);
  const prepared = await prepare(context, call.args, wanted, {
    command: repeatable("run", call.args, context),
    existing: () => undefined,
    given: (flags.artifact ?? []).map(givenName),
    artifactsFolder: artifactsFolder(context.home),
  });
  tellWarnings(context, prepared);
  const needs = { ...placeNeeds(prepared, values), specGiven: specGiven(context, call.args, wanted) };
  if (prepared.lacking.length > 0) throw await everythingLacking(context, { flags, defaults, prepared, needs });
  if (flags.dryRun === true) return dryRun(context, prepared, flags.output);
  const settings = await decidePlace(context, flags, defaults, needs);
  tellIgnored(context, prepared.unsupported(settings.options.runtime), prepared.texts);
  const events = await openEvents(context, flags.events);
  const place = await createPlace(context, "run", settings);
  let reason: "ended" | "abandon" = "abandon";
  try {
    const created = await createAll(place.handle.client, prepared, { place: "run" });
    const end = await followRun(context, place.handle, created, {
      ...look,
      events,
      runtimeLabel: settings.runtimeText,
      maxPods: settings.options.maxPods,
      keepsFailed: settings.options.keep !== "never",
      index: place.index,
      specFile: settings.specFile,
      homes: new Map(prepared.workflows.map(({ workflow, home }) => [workflowKey(workflow), home])),
      onSignal: "stop",
    });
    reason = end.abandoned ? "abandon" : "ended";
    printResult(context, end.workflows, flags.output);
    return end.exitCode;
  } finally {
    await releasePlace(context, place, reason);
    await sweepPlaces(context).catch(() => undefined);
  }
}

async function listRunnable(context: Context, flags: RunFlags): Promise<number> {
  if (flags.parameterFile !== undefined) {
    // `run -f wf.yaml` is what kubectl taught; reading the file tells which of the two it is.
    await prepareFlags(context.ports, flags, noDefaults);
  }
  writeLines(context, runnableLines(await findRunnable(context.ports.cwd)));
  return exitCodes.badInput;
}

function dryRun(context: Context, prepared: Prepared, output: string | undefined): number {
  const objects = [...prepared.others, ...prepared.workflows.map(({ workflow }) => workflow)];
  writeObjects(context, objects, output ?? "yaml");
  return exitCodes.succeeded;
}

/** For a retry after a fix of the file. */
function specGiven({ ports }: Context, files: readonly string[], flags: PrepareFlags): SpecGiven {
  const { strict, from, entrypoint, serviceAccount, priority } = flags;
  const names = [...files, ...flags.with].filter((name) => name !== "-");
  const beside = names.map((name) => (isAddress(name) ? name : resolve(ports.cwd, name)));
  return { beside, strict, from, entrypoint, serviceAccount, priority };
}

function placeNeeds(prepared: Prepared, values: PlaceValues): Omit<PlaceNeeds, "specGiven"> {
  const config = controllerConfig(prepared.others);
  return {
    images: prepared.workflows.flatMap(({ reach }) => reach.images),
    fromUrl: prepared.fromUrl,
    controllerConfig: config.data,
    configImages: config.images,
    texts: prepared.texts,
    specFile: prepared.specFile,
    values,
  };
}

interface Lacking {
  readonly flags: RunFlags;
  readonly defaults: Defaults;
  readonly prepared: Prepared;
  readonly needs: PlaceNeeds;
}

/** One screen with all that stands in the way, the runtime too. */
async function everythingLacking(context: Context, { flags, defaults, prepared, needs }: Lacking): Promise<Error> {
  const { decision } = await decideRuntime({ ...context, quiet: true }, flags, defaults, needs);
  const runtime = decision.kind === "none" ? decision.problems : [];
  return new ProblemsError(exitCodes.cannotRun, [...prepared.lacking, ...runtime], prepared.texts);
}

function tellWarnings(context: Context, prepared: Prepared): void {
  const warnings = prepared.problems.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) printProblems(context, warnings, prepared.texts);
}

/** What means nothing here, in one notice; what only this runtime cannot do ends the command. */
function tellIgnored(
  context: Context,
  unsupported: ReturnType<Prepared["unsupported"]>,
  texts: ReadonlyMap<string, string>,
): void {
  if (hasErrors(unsupported)) throw new ProblemsError(exitCodes.cannotRun, unsupported, texts);
  const text = ignoredNotice(unsupported);
  if (text !== undefined) notice(context, text);
  if (context.globals.verbose) printProblems(context, unsupported, texts);
}
