/** `tiphys submit`: hands workflows to the place that is up (Argo 4.1 behaviour 8.4). */

import type { Command } from "commander";
import type { CronWorkflow, Workflow, WorkflowTemplate } from "../../core/model/argo/workflow.js";
import { typesByKind } from "../../core/model/index.js";
import { submit, workflowFrom } from "../../core/operations/index.js";
import { msOfRfc3339 } from "../../core/std/time.js";
import { isNotFound } from "../../kube/errors.js";
import { type Context, defaultNamespace } from "../context.js";
import { badInput, notFound, ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import {
  type FindTemplate,
  missingParameterProblem,
  missingParameters,
  type ParameterPlace,
  type ParameterValue,
  parameterPlace,
  specOfObject,
  specsOf,
  unusedParameters,
} from "../load/parameters.js";
import { type Prepared, prepare, repeatable, submitOptions } from "../load/prepare.js";
import { parseFrom } from "../load/select.js";
import { writeObjects } from "../output.js";
import { existingObjects } from "../places/existing.js";
import { type PlaceSettings, readSettings } from "../places/files.js";
import { connectUp } from "../places/up.js";
import type { PlaceHandle } from "../ports.js";
import { printProblems } from "../report-error.js";
import { addressRefusal } from "../runtime/from-address.js";
import { createAll } from "../session/objects.js";
import { workflowKey } from "../workflow-key.js";
import {
  defineGivenFlags,
  defineSubmitFlags,
  outputForms,
  outputOption,
  prepareFlags,
  type SubmitFlags,
} from "./flags.js";
import { afterwards, defineFollowFlags, type FollowFlags } from "./follow.js";
import { type Call, type CommandDefinition, examples } from "./module.js";
import { defaultsFor } from "./run-flags.js";

interface Flags extends SubmitFlags, FollowFlags {
  readonly output?: string;
  readonly dryRun?: boolean;
  readonly serverDryRun?: boolean;
  readonly scheduledTime?: string;
}

export const command: CommandDefinition = { define, run };

function define(command: Command): void {
  command.argument("[FILE...]", "files, folders, addresses, or - for stdin");
  defineSubmitFlags(command);
  defineGivenFlags(command);
  defineFollowFlags(command);
  command
    .addOption(outputOption(outputForms))
    .option("--dry-run", "print what would be created, create nothing")
    .option("--server-dry-run", "the same, as the place would have it")
    .option("--scheduled-time <TIME>", "with --from: the time a cron workflow stands for");
  examples(command, ["tiphys submit hello.yaml --watch", "tiphys submit --from workflowtemplate/build -p env=dev"]);
}

async function run(context: Context, call: Call): Promise<number> {
  const flags = call.options<Flags>();
  refuseCombinations(flags, call.args);
  const handle = await connectUp(context);
  try {
    return flags.from === undefined
      ? await submitFiles(context, handle, { flags, files: call.args })
      : await submitFrom(context, handle, flags);
  } finally {
    await handle.close("ended");
  }
}

/** Each rule with Argo's text for what breaks it. */
function refuseCombinations(flags: Flags, files: readonly string[]): void {
  const { from, output } = flags;
  const is = (flag: "dryRun" | "serverDryRun" | "watch" | "wait"): boolean => flags[flag] === true;
  const dry = is("dryRun") || is("serverDryRun");
  const noOutput = output === undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [bothOrNeither(from, files) === "both", "cannot combine --from with file arguments"],
    [bothOrNeither(from, files) === "neither", "no workflow found in given files"],
    [is("wait") && is("watch"), "--wait cannot be combined with --watch"],
    [is("dryRun") && is("serverDryRun"), "--dry-run cannot be combined with --server-dry-run"],
    [is("watch") && dry, "--watch cannot be combined with --dry-run|--server-dry-run"],
    [is("wait") && dry, "--wait cannot be combined with --dry-run|--server-dry-run"],
    [is("dryRun") && noOutput, "--dry-run should have an output option"],
    [is("serverDryRun") && noOutput, "--server-dry-run should have an output option"],
    [isWrongTime(flags.scheduledTime), BAD_TIME],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  if (broken !== undefined) throw badInput(broken[1]);
}

function bothOrNeither(from: string | undefined, files: readonly string[]): "both" | "neither" | "one" {
  if (from === undefined) return files.length === 0 ? "neither" : "one";
  return files.length === 0 ? "one" : "both";
}

function isWrongTime(text: string | undefined): boolean {
  return text !== undefined && msOfRfc3339(text) === undefined;
}

const BAD_TIME = "scheduled-time contains invalid time.RFC3339 format. (e.g.: `2006-01-02T15:04:05-07:00`)";

interface FileSubmission {
  readonly flags: Flags;
  readonly files: readonly string[];
}

async function submitFiles(context: Context, handle: PlaceHandle, { flags, files }: FileSubmission): Promise<number> {
  const defaults = await defaultsFor(context, files);
  const wanted = await prepareFlags(context.ports, flags, defaults);
  const settings = await readSettings(handle.folder);
  const existing = await existingObjects(handle);
  const prepared = await prepare(
    context,
    files,
    { ...wanted, stubs: settings?.options.stubs ?? [] },
    {
      command: repeatable("submit", files, context),
      existing,
      given: settings?.options.artifacts ?? [],
      artifactsFolder: undefined,
    },
  );
  if (flags.watch === true && prepared.workflows.length > 1) throw badInput("cannot watch more than one workflow");
  refuseLacking(prepared, settings, { isDry: flags.dryRun === true || flags.serverDryRun === true });
  const warnings = prepared.problems.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) printProblems(context, warnings, prepared.texts);
  if (flags.dryRun === true || flags.serverDryRun === true) {
    writeObjects(
      context,
      prepared.workflows.map(({ workflow }) => workflow),
      flags.output ?? "yaml",
    );
    return exitCodes.succeeded;
  }
  const created = await createAll(handle.client, prepared, { place: "up" });
  const homes = new Map(prepared.workflows.map(({ workflow, home }) => [workflowKey(workflow), home]));
  return afterwards(context, handle, created, { flags, specFile: prepared.specFile, homes });
}

const AT_HOME = "read it first, then submit your copy of it, or let the place run it: tiphys up --runtime host";

/** Rejects with all that the place cannot do for them; a dry run starts nothing there. */
function refuseLacking(
  { lacking, fromUrl, texts }: Prepared,
  settings: PlaceSettings | undefined,
  { isDry }: { readonly isDry: boolean },
): void {
  const address = fromUrl && !isDry ? addressRefusal(settings, AT_HOME) : undefined;
  const all = address === undefined ? lacking : [...lacking, address];
  if (all.length > 0) throw new ProblemsError(exitCodes.cannotRun, all, texts);
}

async function submitFrom(context: Context, handle: PlaceHandle, flags: Flags): Promise<number> {
  const from = parseFrom(flags.from ?? "");
  const namespace = defaultNamespace(context);
  const key = from.type.namespaced ? { namespace, name: from.name } : { name: from.name };
  const source = await handle.client.get<WorkflowTemplate | CronWorkflow>(from.type, key).catch((error: unknown) => {
    if (isNotFound(error)) throw notFound(`${from.kind} "${from.name}" is not in the place`, "tiphys up --with FILE");
    throw error;
  });
  const wanted = await prepareFlags(context.ports, flags, { with: [], parameters: [] });
  const made = workflowFrom(source, flags.scheduledTime);
  const submitted = submit(made, submitOptions(context, wanted));
  if (!submitted.ok) throw badInput(submitted.error);
  const existing = await existingObjects(handle);
  const find: FindTemplate = (kind, name) => specOfObject(existing(kind, namespace, name));
  tellParameters(context, parameterPlace(specsOf(made.spec, find), wanted.entrypoint), wanted.parameters);
  if (flags.dryRun === true || flags.serverDryRun === true) {
    writeObjects(context, [submitted.value], flags.output ?? "yaml");
    return exitCodes.succeeded;
  }
  const created = await handle.client.create<Workflow>(typesByKind.Workflow, submitted.value);
  return afterwards(context, handle, [created], { flags, specFile: "", homes: new Map() });
}

/** All that has no value at once, and what nothing takes, as of a file. */
function tellParameters(context: Context, place: ParameterPlace, given: readonly ParameterValue[]): void {
  const unused = unusedParameters(given, [place]);
  const missing = missingParameters(place, given).map((parameter) => missingParameterProblem(parameter));
  if (missing.length > 0) throw new ProblemsError(exitCodes.badInput, [...missing, ...unused], new Map());
  if (unused.length > 0) printProblems(context, unused, new Map());
}
