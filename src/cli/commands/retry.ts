/** `tiphys retry`: a failed workflow goes on in place (Argo 4.1 behaviour 8.7); with `--spec` after a fix of its file. */

import { resolve } from "node:path";
import type { Command } from "commander";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { type Retried, type RetryOptions, retry, retryWithSpec } from "../../core/operations/index.js";
import { type Context, notice } from "../context.js";
import { badInput, CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { fileHash } from "../load/file-hash.js";
import type { ParameterValue } from "../load/parameters.js";
import type { SpecHome } from "../load/references.js";
import { type Corrected, correctedSpec, homesOfStored } from "../load/spec-files.js";
import { writeObjects } from "../output.js";
import { existingObjects } from "../places/existing.js";
import { type PlaceSettings, readSettings, writeSettings } from "../places/files.js";
import { readWorkflow } from "../places/find.js";
import { releasePlace, takeOverPlace } from "../places/own.js";
import { type Found, goOnCommand, openAndRead } from "../places/places.js";
import type { PlaceHandle } from "../ports.js";
import { shellWord } from "../print/shell-words.js";
import { displayName } from "../report-error.js";
import { createOthers, createSurroundings } from "../session/objects.js";
import { type RetryOperation, reopen } from "../session/retry.js";
import { followRun } from "../session/session.js";
import { workflowKey } from "../workflow-key.js";
import { defineParameterFlags, outputForms, outputOption, type ParameterFlags, parametersOf } from "./flags.js";
import { afterwards, defineFollowFlags, type FollowFlags } from "./follow.js";
import { nodeSelectorOption } from "./lifecycle.js";
import { type Call, type CommandDefinition, examples } from "./module.js";
import { defineSelectors, type SelectorFlags, selectionCode, targetsOf } from "./targets.js";

interface Flags extends SelectorFlags, FollowFlags, ParameterFlags {
  readonly restartSuccessful?: boolean;
  readonly nodeFieldSelector?: string;
  readonly spec?: string;
}

export const command: CommandDefinition = { define, run };

function define(command: Command): void {
  command
    .argument("[NAME...]", "workflows, or @latest")
    .option("--spec <FILE>", "after a fix: this file, with what was given beside it; only what changed runs again");
  defineParameterFlags(command);
  command.option("--restart-successful", "run succeeded steps again too: those of --node-field-selector");
  nodeSelectorOption(command, "with --restart-successful: these steps");
  defineSelectors(command);
  defineFollowFlags(command);
  command.addOption(outputOption(outputForms));
  examples(command, ["tiphys retry @latest", "tiphys retry nightly --spec ci.yaml"]);
}

async function run(context: Context, call: Call): Promise<number> {
  const flags = call.options<Flags>();
  if (call.args.length === 0 && flags.selector === undefined && flags.fieldSelector === undefined) {
    throw badInput("requires either node field selector or workflow");
  }
  const targets = await targetsOf(context, call.args, flags);
  if (flags.spec !== undefined && targets.length !== 1)
    throw badInput("--spec fits one workflow", "tiphys retry NAME --spec FILE");
  const parameters = await parametersOf(context.ports, flags);
  let code = selectionCode(context, flags);
  for (const found of targets) {
    code = Math.max(code, await retryOne(context, found, { flags, parameters }));
  }
  return code;
}

interface Asked {
  readonly flags: Flags;
  readonly parameters: readonly ParameterValue[];
}

interface Retrying extends Asked {
  readonly corrected: Corrected | undefined;
}

async function retryOne(context: Context, found: Found, asked: Asked): Promise<number> {
  const settings = await readSettings(found.place.folder);
  const { spec } = asked.flags;
  if (spec === undefined && settings !== undefined) await tellChangedFile(context, found, settings);
  const corrected =
    spec === undefined ? undefined : await checkedSpec(context, found, { ...asked, file: spec, settings });
  const retrying = { ...asked, corrected };
  if (!found.owned) return retryAsOwner(context, found, retrying);
  if (found.place.kind === "run" && found.row.finishedAt === "") {
    throw new CliError(exitCodes.failed, `${found.row.name} still runs`, `tiphys logs -f ${found.row.name}`);
  }
  const host = await context.ports.places();
  const handle = await host.connect(found.place.folder);
  try {
    await bring(handle, found, corrected);
    const { workflow } = await reopen(handle.client, found, operationOf(context, retrying));
    const homes = homesOf(workflow, corrected?.home);
    return await afterwards(context, handle, [workflow], { flags: asked.flags, specFile: "", homes });
  } finally {
    await handle.close("ended");
  }
}

interface SpecToCheck extends Asked {
  readonly file: string;
  readonly settings: PlaceSettings | undefined;
}

/** Before anything is touched: the place is only read. */
async function checkedSpec(
  context: Context,
  found: Found,
  { file, settings, parameters }: SpecToCheck,
): Promise<Corrected> {
  const { handle, value: stored } = await openAndRead(context, found.place, (open) => readWorkflow(open, found));
  try {
    const here = await existingObjects(handle);
    const existing: typeof here = (kind, _namespace, name) => here(kind, found.row.namespace, name);
    return await correctedSpec(context, { file, stored, settings, parameters, existing });
  } finally {
    await handle.close("ended");
  }
}

/** What stands beside the corrected spec, in the place as it does in the files. */
async function bring({ client }: PlaceHandle, found: Found, corrected: Corrected | undefined): Promise<void> {
  if (corrected === undefined) return;
  await createSurroundings(client, corrected.others);
  await createOthers(client, corrected.others, { place: found.place.kind });
}

/** Nobody owns the place: becomes its owner, in the foreground, until the workflow ends. */
async function retryAsOwner(context: Context, found: Found, retrying: Retrying): Promise<number> {
  const { flags, corrected } = retrying;
  if (found.row.finishedAt === "") {
    const message = `${found.row.name} has not ended: its process is gone`;
    throw new CliError(exitCodes.failed, message, goOnCommand(found.place, found.row.name));
  }
  const place = await takeOverPlace(context, found.place.folder);
  let reason: "ended" | "abandon" = "abandon";
  try {
    await bring(place.handle, found, corrected);
    const { workflow } = await reopen(place.handle.client, found, operationOf(context, retrying));
    const settings = flags.spec === undefined ? place.settings : await withSpecFile(context, place, flags.spec);
    const end = await followRun(context, place.handle, [workflow], {
      stdout: flags.output === undefined ? "steps" : "none",
      quiet: false,
      events: undefined,
      pendingTimeoutMs: 30_000,
      runtimeLabel: place.settings.runtimeText,
      maxPods: place.settings.options.maxPods,
      keepsFailed: place.settings.options.keep !== "never",
      index: place.index,
      specFile: settings.specFile,
      homes:
        corrected === undefined ? await homesOfStored(context, settings, workflow) : homesOf(workflow, corrected.home),
      onSignal: "stop",
    });
    reason = end.abandoned ? "abandon" : "ended";
    if (flags.output !== undefined) writeObjects(context, end.workflows, flags.output);
    return end.exitCode;
  } finally {
    await releasePlace(context, place, reason);
  }
}

/** From now on it is this file that the workflow was written in. */
async function withSpecFile(
  context: Context,
  { folder, settings }: { readonly folder: string; readonly settings: PlaceSettings },
  file: string,
): Promise<PlaceSettings> {
  const path = resolve(context.ports.cwd, file);
  const specHash = await fileHash(path);
  const next =
    specHash === undefined ? { ...settings, specFile: "", specHash: "" } : { ...settings, specFile: path, specHash };
  await writeSettings(folder, next);
  return next;
}

function homesOf(workflow: Workflow, home: SpecHome | undefined): ReadonlyMap<string, SpecHome> {
  return home === undefined ? new Map() : new Map([[workflowKey(workflow), home]]);
}

function operationOf(context: Context, { flags, parameters, corrected }: Retrying): RetryOperation<Retried> {
  const now = context.ports.clock.now();
  if (corrected !== undefined) return (workflow) => withSpec(context, workflow, { corrected, parameters, now });
  const { restartSuccessful, nodeFieldSelector } = flags;
  const options: RetryOptions = {
    now,
    parameters,
    ...(restartSuccessful === undefined ? {} : { restartSuccessful }),
    ...(nodeFieldSelector === undefined ? {} : { nodeFieldSelector }),
  };
  return (workflow) => retry(workflow, options);
}

function withSpec(
  context: Context,
  workflow: Workflow,
  {
    corrected,
    parameters,
    now,
  }: { readonly corrected: Corrected; readonly parameters: readonly ParameterValue[]; readonly now: number },
): ReturnType<typeof retryWithSpec> {
  const { home, changedTemplates } = corrected;
  const next = retryWithSpec(workflow, home.spec, { parameters, now, changedTemplates });
  if (next.ok && next.value.runAgain.length > 0)
    notice(context, `changed, runs again: ${next.value.runAgain.join(", ")}`);
  return next;
}

/** A plain retry runs what is stored: somebody who fixed the file wants to know. */
async function tellChangedFile(context: Context, found: Found, { specFile, specHash }: PlaceSettings): Promise<void> {
  if (specFile === "" || specHash === "") return;
  const hash = await fileHash(specFile);
  if (hash === undefined || hash === specHash) return;
  const name = displayName(specFile, context.ports.cwd);
  notice(
    context,
    `${name} has changed since: this retry runs what it said then; tiphys retry ${found.row.name} --spec ${shellWord(name)} runs the new one`,
  );
}
