/** The file that a stored workflow was written in, read again: for positions, and for `retry --spec` after a fix of it. */

import { access } from "node:fs/promises";
import { withGivenArtifacts } from "../../artifacts/given.js";
import type { Workflow, WorkflowSpec } from "../../core/model/argo/workflow.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { retryWithSpec } from "../../core/operations/index.js";
import type { Problem } from "../../core/std/problem.js";
import type { Context } from "../context.js";
import { badInput, ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { PlaceSettings, SpecGiven } from "../places/files.js";
import { printProblems } from "../report-error.js";
import { addressRefusal } from "../runtime/from-address.js";
import { workflowKey } from "../workflow-key.js";
import { allProblems } from "./all-problems.js";
import { fileHash } from "./file-hash.js";
import { withGiven, withoutGiven } from "./given-artifacts.js";
import { inNamespace } from "./namespaces.js";
import type { ParameterValue } from "./parameters.js";
import {
  loadAll,
  loadTexts,
  lookupSpec,
  missingOf,
  type PreparedWorkflow,
  type PrepareOptions,
  repeatable,
  throwErrors,
} from "./prepare.js";
import { reach, type SpecHome } from "./references.js";
import { hasErrors, type Loaded } from "./resources.js";
import { type Chosen, chooseWorkflows, parseFrom } from "./select.js";
import { isAddress, readSources, type Sources } from "./sources.js";
import { unsupportedProblems } from "./support.js";
import { changedTemplates } from "./template-changes.js";
import { fileProblems, runProblems } from "./validity.js";

/** Where the workflow was written, as long as that file is what it was; else nothing is known. */
export async function homesOfStored(
  context: Context,
  { specFile, specHash, specGiven }: PlaceSettings,
  workflow: Workflow,
): Promise<ReadonlyMap<string, SpecHome>> {
  if (specFile === "" || (await fileHash(specFile)) !== specHash) return new Map();
  try {
    const loaded = await loadAll(context, await readSources(context.ports, [specFile]), { with: [], strict: false });
    const from = specGiven?.from === undefined ? undefined : parseFrom(specGiven.from);
    const [chosen, ...more] = namedAs(chooseWorkflows(loaded.resources, from), workflow.metadata.name ?? "");
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

export interface Corrected {
  readonly home: SpecHome;
  /** What else was given with the file, in the namespaces where it is looked for. */
  readonly others: readonly KubeObject[];
  /** Templates among them that the place has otherwise, as status.storedTemplates names them. */
  readonly changedTemplates: ReadonlySet<string>;
}

/**
 * The spec of a corrected file, taken and checked as `run` took and checks one, with the files that stood beside it then.
 * Rejects with ProblemsError for all that is wrong with it (exit 2), and for what the place lacks (exit 3).
 */
export async function correctedSpec(context: Context, correction: Correction): Promise<Corrected> {
  const { file, stored, settings, existing } = correction;
  const { name = "", namespace = "default" } = stored.metadata;
  const asGiven = settings?.specGiven ?? { beside: [], strict: true };
  const main = await readSources(context.ports, [file]);
  const read = loadTexts(main, await sourcesBeside(context, { main, settings }), asGiven);
  const given = settings?.options.artifacts ?? [];
  const loaded = { ...read, resources: withGiven(read.resources, given) };
  const stubs = (settings?.options.stubs ?? []).map(({ template }) => template);
  if (hasErrors(loaded.problems)) {
    throw new ProblemsError(exitCodes.badInput, allProblems(loaded, stubs), loaded.texts);
  }
  const all = chooseWorkflows(loaded.resources, asGiven.from === undefined ? undefined : parseFrom(asGiven.from));
  const [chosen, ...more] = namedAs(all, name);
  if (chosen === undefined || more.length > 0)
    throw badInput(`${file} holds ${all.length} workflows, and it is not plain which of them ${name} is`);
  const home = { ...chosen.home, spec: specAsGiven(chosen.home.spec, asGiven) };
  const others = loaded.resources
    .filter(({ resource }) => resource.kind !== "Workflow")
    .map(({ resource }) => inNamespace(resource, namespace));
  await check(context, loaded, { correction, home, others, plain: withoutGiven(read.resources, given) });
  return {
    // What `--artifact` gave to the run it gives to its corrected file.
    home: { ...home, spec: withGivenArtifacts(home.spec, given) },
    others,
    changedTemplates: changedTemplates(others, existing, namespace),
  };
}

/** What the flags of `run` said beats the file once more. */
function specAsGiven(spec: WorkflowSpec, { entrypoint, serviceAccount, priority }: SpecGiven): WorkflowSpec {
  return {
    ...spec,
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** Of what is gone by now, and of addresses, the place has what they gave. */
async function sourcesBeside(
  { ports }: Context,
  { main, settings }: { readonly main: Sources; readonly settings: PlaceSettings | undefined },
): Promise<Sources> {
  const local = (settings?.specGiven?.beside ?? []).filter((name) => !isAddress(name));
  const there = await Promise.all(
    local.map((name) =>
      access(name).then(
        () => [name],
        () => [],
      ),
    ),
  );
  const given = await readSources(ports, there.flat());
  const isMain = new Set([...main.texts.map(({ file }) => file), settings?.specFile]);
  return { ...given, texts: given.texts.filter(({ file }) => !isMain.has(file)) };
}

interface Checking {
  readonly correction: Correction;
  readonly home: SpecHome;
  readonly others: readonly KubeObject[];
  /** The resources with nothing left to be said of given artifacts. */
  readonly plain: Loaded["resources"];
}

async function check(context: Context, loaded: Loaded, { correction, home, others, plain }: Checking): Promise<void> {
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
      others,
      options: { existing, command: repeatable("run", [file], context) },
    })),
    ...unsupportedProblems([one], plain, { stubs, runtime }).filter(({ severity }) => severity === "error"),
  ];
  if (lacking.length > 0) throw new ProblemsError(exitCodes.cannotRun, lacking, texts);
  const warnings = found.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) printProblems(context, warnings, texts);
}
