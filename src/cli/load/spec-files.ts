/** The file that a stored workflow was written in, read again: for positions, and for `retry --spec` after a fix of it. */

import { withGivenArtifacts } from "../../artifacts/given.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { retryWithSpec } from "../../core/operations/index.js";
import type { Problem } from "../../core/std/problem.js";
import type { Context } from "../context.js";
import { badInput, ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { PlaceSettings } from "../places/files.js";
import { printProblems } from "../report-error.js";
import { addressRefusal } from "../runtime/from-address.js";
import { workflowKey } from "../workflow-key.js";
import { allProblems } from "./all-problems.js";
import { fileHash } from "./file-hash.js";
import { withGiven, withoutGiven } from "./given-artifacts.js";
import type { ParameterValue } from "./parameters.js";
import {
  loadAll,
  lookupSpec,
  missingOf,
  type PreparedWorkflow,
  type PrepareOptions,
  repeatable,
  throwErrors,
} from "./prepare.js";
import { reach, type SpecHome } from "./references.js";
import { hasErrors, type Loaded } from "./resources.js";
import { type Chosen, chooseWorkflows } from "./select.js";
import { isAddress, readSources } from "./sources.js";
import { unsupportedProblems } from "./support.js";
import { fileProblems, runProblems } from "./validity.js";

/** Where the workflow was written, as long as that file is what it was; else nothing is known. */
export async function homesOfStored(
  context: Context,
  { specFile, specHash }: PlaceSettings,
  workflow: Workflow,
): Promise<ReadonlyMap<string, SpecHome>> {
  if (specFile === "" || (await fileHash(specFile)) !== specHash) return new Map();
  try {
    const loaded = await loadAll(context, await readSources(context.ports, [specFile]), { with: [], strict: false });
    const [chosen, ...more] = namedAs(chooseWorkflows(loaded.resources, undefined), workflow.metadata.name ?? "");
    return chosen === undefined || more.length > 0 ? new Map() : new Map([[workflowKey(workflow), chosen.home]]);
  } catch {
    // Positions are a courtesy: the run itself needs the file no more.
    return new Map();
  }
}

/** The only one there is; of several, those of the workflow's own name. */
function namedAs(all: readonly Chosen[], name: string): readonly Chosen[] {
  if (all.length <= 1) return all;
  return all.filter(({ workflow: { metadata } }) =>
    metadata.name === undefined ? name.startsWith(metadata.generateName ?? "?") : metadata.name === name,
  );
}

export interface Correction {
  readonly file: string;
  readonly stored: Workflow;
  /** Of the place that has the workflow. */
  readonly settings: PlaceSettings | undefined;
  readonly parameters: readonly ParameterValue[];
  /** What that place has. */
  readonly existing: PrepareOptions["existing"];
}

/**
 * The spec of a corrected file, checked as `run` checks one. Rejects with ProblemsError for all that is wrong with it
 * (exit 2), and for what the place lacks (exit 3).
 */
export async function correctedSpec(context: Context, correction: Correction): Promise<SpecHome> {
  const { file, stored, settings } = correction;
  const name = stored.metadata.name ?? "";
  const read = await loadAll(context, await readSources(context.ports, [file]), { with: [], strict: true });
  const given = settings?.options.artifacts ?? [];
  const loaded = { ...read, resources: withGiven(read.resources, given) };
  const stubs = (settings?.options.stubs ?? []).map(({ template }) => template);
  if (hasErrors(loaded.problems)) {
    throw new ProblemsError(exitCodes.badInput, allProblems(loaded, stubs), loaded.texts);
  }
  const all = chooseWorkflows(loaded.resources, undefined);
  const [chosen, ...more] = namedAs(all, name);
  if (chosen === undefined || more.length > 0)
    throw badInput(`${file} holds ${all.length} workflows, and it is not plain which of them ${name} is`);
  const { home } = chosen;
  await check(context, loaded, { correction, home, plain: withoutGiven(read.resources, given) });
  // What `--artifact` gave to the run it gives to its corrected file.
  return { ...home, spec: withGivenArtifacts(home.spec, given) };
}

interface Checking {
  readonly correction: Correction;
  readonly home: SpecHome;
  /** The resources with nothing left to be said of given artifacts. */
  readonly plain: Loaded["resources"];
}

async function check(context: Context, loaded: Loaded, { correction, home, plain }: Checking): Promise<void> {
  const { file, stored, settings, parameters, existing } = correction;
  const { resources, texts } = loaded;
  const own = resources.filter(({ document }) => document === home.document);
  const found = [...loaded.problems, ...fileProblems(own, resources)];
  throwErrors(exitCodes.badInput, found, texts);
  const stubs = (settings?.options.stubs ?? []).map(({ template }) => template);
  const reached = reach({
    home,
    entrypoint: undefined,
    stubs: new Set(stubs),
    lookup: (kind, wanted) => lookupSpec(resources, kind, wanted),
  });
  // Whether it may be retried at all is not asked here: any answer will do for looking at the spec.
  const next = retryWithSpec(stored, home.spec, { parameters, now: context.ports.clock.now() });
  const workflow: Workflow = next.ok ? next.value.workflow : { ...stored, spec: home.spec };
  const one: PreparedWorkflow = { workflow, home, reach: reached };
  throwErrors(exitCodes.badInput, runProblems([one], resources), texts);
  const runtime = settings?.options.runtime;
  const address = isAddress(file) ? addressRefusal(settings, "read it first, then: --spec YOUR-COPY") : undefined;
  const lacking: readonly Problem[] = [
    ...(address === undefined ? [] : [address]),
    ...(await missingOf(context, one, {
      others: [],
      options: { existing, command: repeatable("run", [file], context) },
    })),
    ...unsupportedProblems([one], plain, { stubs, runtime }).filter(({ severity }) => severity === "error"),
  ];
  if (lacking.length > 0) throw new ProblemsError(exitCodes.cannotRun, lacking, texts);
  const warnings = found.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) printProblems(context, warnings, texts);
}
