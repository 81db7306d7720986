/** `tiphys lint`: checks files, offline, and starts nothing (Argo 4.1 behaviour 8.9). */

import { type Command, Option } from "commander";
import { locateProblems, type SourceDocument, unsupportedFieldsOf } from "../../core/model/index.js";
import type { Position, Problem } from "../../core/std/problem.js";
import { type Context, writeLines } from "../context.js";
import { badInput } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { lintReferences } from "../load/lint-references.js";
import { loadAll } from "../load/prepare.js";
import type { Loaded } from "../load/resources.js";
import { readSources } from "../load/sources.js";
import { fileProblems } from "../load/validity.js";
import { annotation } from "../print/ci.js";
import { inOrder, problemsText } from "../print/problems.js";
import { displayName, repositoryName } from "../report-error.js";
import { outputOption } from "./flags.js";
import { type Call, type CommandDefinition, collect, examples } from "./module.js";

interface Flags {
  readonly kinds: string;
  readonly output?: string;
  readonly strict: boolean;
  readonly with?: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = {
  workflows: "Workflow",
  wf: "Workflow",
  workflowtemplates: "WorkflowTemplate",
  wftmpl: "WorkflowTemplate",
  cronworkflows: "CronWorkflow",
  cronwf: "CronWorkflow",
  clusterworkflowtemplates: "ClusterWorkflowTemplate",
  cwftmpl: "ClusterWorkflowTemplate",
};

export const command: CommandDefinition = { define, run };

function define(command: Command): void {
  command
    .argument("<FILE...>", "files, folders, addresses, or - for stdin")
    .option("--kinds <KINDS>", "all, workflows, workflowtemplates, cronworkflows, clusterworkflowtemplates", "all")
    .option("--with <FILE|DIR>", "templates to have at hand (repeatable)", collect)
    .option("--no-strict", "leave out fields that do not exist instead of refusing them")
    .addOption(new Option("--strict").hideHelp())
    .option("--offline", "always so here")
    .addOption(outputOption(["pretty", "simple"]));
  examples(command, ["tiphys lint .", "tiphys lint ci.yaml --with templates/ -o simple"]);
}

async function run(context: Context, call: Call): Promise<number> {
  const flags = call.options<Flags>();
  const kinds = kindsOf(flags.kinds);
  const main = await readSources(context.ports, call.args);
  const loaded = await loadAll(context, main, { with: flags.with ?? [], strict: flags.strict });
  const linted = loaded.resources.filter(({ resource, toRun }) => toRun && kinds.has(resource.kind));
  const found = [
    ...loaded.problems,
    ...fileProblems(linted, loaded.resources),
    // In a file that cannot be read may be the very resource that is looked for.
    ...(loaded.isWhole ? lintReferences(loaded.resources, linted) : []),
    ...notYet(linted),
  ];
  const problems = inOrder(found, loaded.texts.keys());
  const errors = problems.filter(({ severity }) => severity === "error");
  if (flags.output === "simple") writeLines(context, simpleLines(context, errors, loaded));
  else tellPretty(context, problems, loaded.texts);
  return conclude(context, { errors: errors.length, linted: linted.length, simple: flags.output === "simple" });
}

function kindsOf(text: string): ReadonlySet<string> {
  const names = text.split(",").map((kind) => kind.trim().toLowerCase());
  if (names.includes("all")) return new Set(Object.values(KINDS));
  return new Set(
    names.map((name) => {
      const kind = KINDS[name];
      if (kind === undefined) throw badInput(`unknown kind: ${name}`);
      return kind;
    }),
  );
}

/** Fields that this version does not obey are no faults of the file: Argo may well. They are told, not counted. */
function notYet(linted: Loaded["resources"]): readonly Problem[] {
  return linted.flatMap(({ resource, document }) =>
    locateProblems(unsupportedFieldsOf(resource), document)
      .filter(({ code }) => code === "not-yet")
      .map((problem): Problem => ({ ...problem, severity: "warning" })),
  );
}

function tellPretty(context: Context, problems: readonly Problem[], texts: ReadonlyMap<string, string>): void {
  const { ports, out } = context;
  const shown = problems.filter(({ severity }) => severity !== "notice");
  const nameOf = (file: string): string => displayName(file, ports.cwd);
  if (shown.length > 0) {
    const lineOf = (file: string, line: number): string | undefined => texts.get(file)?.split(/\r?\n/)[line - 1];
    ports.stdout.write(problemsText(shown, { style: out, columns: ports.stdout.columns ?? 100, lineOf, nameOf }));
    ports.stdout.write("\n");
  }
  if (ports.env.get("GITHUB_ACTIONS") !== "true") return;
  for (const { severity, code, message, position } of shown) {
    const place =
      position === undefined ? {} : { position: { ...position, file: repositoryName(position.file, ports) } };
    writeLines(context, [annotation({ severity, title: code, message, ...place })]);
  }
}

/** `<file>: in "<name>" (<Kind>): <err>` */
function simpleLines(context: Context, errors: readonly Problem[], loaded: Loaded): readonly string[] {
  return errors.map(({ position, message }) => {
    const file = position === undefined ? "" : `${displayName(position.file, context.ports.cwd)}: `;
    const document = position && documentAt(position, loaded);
    return `${file}${document === undefined ? "" : `in "${nameOf(document)}" (${document.kind}): `}${message}`;
  });
}

/** Of several documents in one part of a file, as in a List, the last that begins before. */
function documentAt({ file, line }: Position, { resources }: Loaded): SourceDocument | undefined {
  const around = resources
    .map(({ document }) => document)
    .filter((document) => document.file === file && document.holdsLine(line));
  return around.findLast((document) => (document.positionOf("")?.line ?? 0) <= line) ?? around[0];
}

function nameOf(document: SourceDocument): string {
  return document.name === "" ? "object #1" : document.name;
}

function conclude(
  context: Context,
  { errors, linted, simple }: { readonly errors: number; readonly linted: number; readonly simple: boolean },
): number {
  const { glyphs, paint } = context.out;
  const say = (sign: string, text: string): void => writeLines(context, [simple ? text : `${sign} ${text}`]);
  if (errors > 0) {
    if (!simple) say(paint.red(glyphs.failed), `${errors} linting errors found!`);
    return exitCodes.failed;
  }
  if (linted === 0) {
    say(paint.red(glyphs.failed), "found nothing to lint in the specified paths, failing...");
    return exitCodes.failed;
  }
  say(paint.green(glyphs.succeeded), "no linting errors found!");
  return exitCodes.succeeded;
}
