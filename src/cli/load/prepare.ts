/** From the words of a command to workflows that are ready to be created, or the list of all that is wrong. */

import { dirname } from "node:path";
import type { GivenName } from "../../artifacts/given.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { locateProblems } from "../../core/model/index.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { type SubmitOptions, submit } from "../../core/operations/index.js";
import type { Problem } from "../../core/std/problem.js";
import type { Context } from "../context.js";
import { defaultNamespace } from "../context.js";
import { badInput, ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { RuntimeName, Stub } from "../ports.js";
import { shellLine } from "../print/shell-words.js";
import { displayName } from "../report-error.js";
import { workflowKey } from "../workflow-key.js";
import { allProblems } from "./all-problems.js";
import { missingArtifacts } from "./artifact-inputs.js";
import { findInCheckout } from "./checkout.js";
import { configProblems } from "./config-problems.js";
import { controllerConfig } from "./controller-config.js";
import { unusedGiven, withGiven, withoutGiven } from "./given-artifacts.js";
import { configMapOf, type NamedData, secretOf } from "./key-values.js";
import { missingProblems, missingTemplates } from "./missing.js";
import { inNamespace, isClusterScoped } from "./namespaces.js";
import {
  type FindTemplate,
  missingParameterProblem,
  missingParameters,
  type ParameterValue,
  parameterPlace,
  specOfObject,
  specsOf,
  unusedParameters,
} from "./parameters.js";
import { type Need, type Reach, reach, type SpecHome } from "./references.js";
import { hasErrors, type Loaded, type LoadedResource, loadResources, mergeLoaded } from "./resources.js";
import { type Chosen, chooseWorkflows, homeOf, parseFrom } from "./select.js";
import { isAddress, readSources, type Sources, type SourceText } from "./sources.js";
import { standInResources, stubProblems } from "./stubs.js";
import { unsupportedProblems } from "./support.js";
import { fileProblems, isOfCommand, runProblems } from "./validity.js";
import { type Completion, completionBy } from "./workflow-defaults.js";

export interface PrepareFlags {
  readonly with: readonly string[];
  readonly secrets: NamedData;
  readonly configMaps: NamedData;
  readonly parameters: readonly ParameterValue[];
  readonly entrypoint: string | undefined;
  readonly name: string | undefined;
  readonly generateName: string | undefined;
  readonly serviceAccount: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number | undefined;
  readonly from: string | undefined;
  readonly strict: boolean;
  readonly stubs: readonly Stub[];
}

export interface PreparedWorkflow {
  readonly workflow: Workflow;
  readonly home: SpecHome;
  readonly reach: Reach;
}

export interface Prepared {
  readonly workflows: readonly PreparedWorkflow[];
  /** Everything else that was given, in the namespaces where it is looked for. */
  readonly others: readonly KubeObject[];
  /** Warnings and notices; the errors were thrown. */
  readonly problems: readonly Problem[];
  readonly texts: ReadonlyMap<string, string>;
  /** Absolute path of the file that all of them stand in, else of the first given; empty for stdin, addresses and folders. */
  readonly specFile: string;
  /** Any of the files, those of `--with` too: their templates run as the others do. */
  readonly fromUrl: boolean;
  /** Errors: what must be given, or cannot be done here yet. Exit 3 when there are any. */
  readonly lacking: readonly Problem[];
  /** What this machine does not obey: errors and notices; undefined while no runtime is chosen. */
  readonly unsupported: (runtime: RuntimeName | undefined) => readonly Problem[];
}

export interface PrepareOptions {
  /** `tiphys run ci.yaml`, for hints. */
  readonly command: string;
  /** What `--artifact` gives, here or to the place that the workflow goes to. */
  readonly given: readonly GivenName[];
  /** Where remote stores are mapped to; undefined where the place decides about artifacts itself. */
  readonly artifactsFolder: string | undefined;
  /** Objects that exist already where the workflow goes (a place that is up). */
  readonly existing: (kind: Need["kind"], namespace: string, name: string) => KubeObject | undefined;
}

/** Rejects with ProblemsError (exit 2) for bad input; what this machine lacks is in the answer. */
export async function prepare(
  context: Context,
  files: readonly string[],
  flags: PrepareFlags,
  options: PrepareOptions,
): Promise<Prepared> {
  const main = await readSources(context.ports, files);
  const read = await loadAll(context, main, flags);
  const loaded = { ...read, resources: withGiven(read.resources, options.given) };
  if (hasErrors(loaded.problems)) {
    throw new ProblemsError(exitCodes.badInput, allProblems(loaded, namesOf(flags.stubs)), loaded.texts);
  }
  const from = flags.from === undefined ? undefined : parseFrom(flags.from);
  const leftOut = loaded.problems.filter(({ code }) => code === "ignored").map(({ message }) => message);
  const chosen = chooseWorkflows(loaded.resources, from, leftOut);
  const complete = completionBy(loaded.resources);
  const workflows = chosen.map((one, index) =>
    prepareOne(context, completed(one, complete), { flags, loaded, count: chosen.length, index }),
  );
  const others = otherObjects(context, loaded.resources, flags, workflows);
  const flagProblems = [
    ...namesakes(workflows),
    ...checkParameters(workflows, { resources: loaded.resources, existing: options.existing }, flags),
    ...(options.artifactsFolder === undefined ? [] : unusedGiven(read.resources, options.given)),
    ...stubProblems(
      flags.stubs,
      loaded.resources,
      workflows.map(({ reach: found }) => found),
    ),
  ];
  const invalid = fileProblems(chosenResources(loaded.resources, workflows, complete), loaded.resources);
  const config = configProblems(others, loaded.resources);
  const problems = [...loaded.problems, ...config.faults, ...invalid, ...flagProblems];
  const asRun = workflows.map((one) => ({ ...one, workflow: complete(one.workflow) }));
  const unsupported = (runtime: RuntimeName | undefined): readonly Problem[] => [
    ...unsupportedProblems(workflows, withoutGiven(read.resources, options.given), {
      stubs: namesOf(flags.stubs),
      runtime,
    }),
    ...config.unsupported,
  ];
  const lacking = [
    ...(await checkMissing(context, workflows, { others, options })),
    ...inputsLacking(workflows, others, options),
    ...unsupported(undefined).filter(({ severity }) => severity === "error"),
  ];
  throwErrors(exitCodes.badInput, withRest(problems, runProblems(asRun, loaded.resources), lacking), loaded.texts);
  return {
    workflows,
    others: [...copiesWhereNeeded(others, workflows), ...standIns(workflows, flags, options)],
    problems,
    texts: loaded.texts,
    specFile: fileOf(workflows, main.texts),
    fromUrl: [...loaded.texts.keys()].some(isAddress),
    lacking,
    unsupported,
  };
}

function fileOf(workflows: readonly PreparedWorkflow[], texts: readonly SourceText[]): string {
  const files = new Set(workflows.map(({ home }) => home.document?.file));
  const ofAll = texts.find(({ file }) => files.size === 1 && files.has(file));
  const { origin, file } = ofAll ?? texts[0] ?? { origin: "pipe", file: "" };
  return origin === "file" || (ofAll !== undefined && origin === "folder") ? file : "";
}

/**
 * What is wrong with the files, with what else stands in the way: nobody likes to hear of it one by one. What the files have
 * wrong was told with its place, so that of `asRun` only what the command itself asks for is new.
 */
function withRest(
  problems: readonly Problem[],
  asRun: readonly Problem[],
  lacking: readonly Problem[],
): readonly Problem[] {
  const isWrong = hasErrors(problems);
  const wrong = [...problems, ...(isWrong ? asRun.filter(isOfCommand) : asRun)];
  return hasErrors(wrong) && !wrong.some(hidesOthers) ? [...wrong, ...lacking] : wrong;
}

/** As long as it stands, it is not known which templates can run. */
function hidesOthers({ code, severity }: Problem): boolean {
  return severity === "error" && ["no-template", "no-entrypoint", "missing-field", "conflict"].includes(code);
}

/** Input artifacts that are not here; none where the place decides about artifacts itself. */
function inputsLacking(
  workflows: readonly PreparedWorkflow[],
  others: readonly KubeObject[],
  { artifactsFolder: folder, given }: PrepareOptions,
): readonly Problem[] {
  if (folder === undefined) return [];
  const { data } = controllerConfig(others);
  const isConfigured = data["artifactRepository"] !== undefined || /^artifactRepository:/m.test(data["config"] ?? "");
  const isUsual = others.some(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "artifact-repositories",
  );
  return workflows.flatMap(({ reach: found, workflow }) => {
    const hasOwn = isConfigured || isUsual || workflow.spec.artifactRepositoryRef !== undefined;
    return missingArtifacts(found, { given, folder, repository: hasOwn ? "configured" : "place" });
  });
}

function namesOf(stubs: readonly Stub[]): readonly string[] {
  return stubs.map(({ template }) => template);
}

/** Unless the place has the resource already. */
function standIns(
  workflows: readonly PreparedWorkflow[],
  { stubs }: PrepareFlags,
  { existing }: PrepareOptions,
): readonly KubeObject[] {
  return workflows.flatMap(({ workflow, reach: found }) => {
    const namespace = workflow.metadata.namespace ?? "default";
    const absent = found.stubbedRefs.filter(({ kind, name }) => existing(kind, namespace, name) === undefined);
    return standInResources(absent, stubs, namespace);
  });
}

/** The documents that run. */
function chosenResources(
  resources: readonly LoadedResource[],
  workflows: readonly PreparedWorkflow[],
  complete: Completion,
): readonly LoadedResource[] {
  return resources
    .filter(({ document }) => workflows.some(({ home }) => home.document === document))
    .map((one) => {
      const { resource } = one;
      return resource.kind === "Workflow" ? { ...one, resource: { ...complete(resource), kind: resource.kind } } : one;
    });
}

/** What is looked at is the whole; what is created stays as it was written. */
function completed(chosen: Chosen, complete: Completion): Chosen {
  if (chosen.home.path !== "spec" || chosen.workflow.spec !== chosen.home.spec) return chosen;
  return { ...chosen, home: { ...chosen.home, spec: complete(chosen.workflow).spec } };
}

/** The files given and those of `--with`, read and decoded. */
export async function loadAll(
  context: Context,
  main: Sources,
  flags: Pick<PrepareFlags, "with" | "strict">,
): Promise<Loaded> {
  return loadTexts(main, await readSources(context.ports, flags.with), flags);
}

/** Those of `main` are to be run, those of `given` are at hand. */
export function loadTexts(main: Sources, given: Sources, flags: Pick<PrepareFlags, "strict">): Loaded {
  const unknownFields = flags.strict ? "error" : "ignore";
  const parts = [
    ...main.texts.map((text) => loadResources([text], { toRun: true, manner: mannerOf(text), unknownFields })),
    ...given.texts.map((text) => loadResources([text], { toRun: false, manner: mannerOf(text), unknownFields })),
  ];
  const merged = mergeLoaded(parts);
  return { ...merged, problems: [...main.problems, ...given.problems, ...merged.problems] };
}

function mannerOf(text: SourceText): "strict" | "walk" {
  return text.origin === "folder" ? "walk" : "strict";
}

/** Throws ProblemsError when there is an error among them. */
export function throwErrors(exitCode: number, problems: readonly Problem[], texts: ReadonlyMap<string, string>): void {
  if (hasErrors(problems)) throw new ProblemsError(exitCode, problems, texts);
}

interface OneInput {
  readonly flags: PrepareFlags;
  readonly loaded: Loaded;
  readonly count: number;
  readonly index: number;
}

function prepareOne(context: Context, chosen: Chosen, { flags, loaded, count, index }: OneInput): PreparedWorkflow {
  if (flags.name !== undefined && count > 1)
    throw badInput(`--name ${flags.name} fits one workflow, and there are ${count}`);
  const named = withGenerateName(chosen.workflow, flags, index);
  const submitted = submit(named, submitOptions(context, flags));
  if (!submitted.ok) throw badInput(submitted.error, "give it one: --name NAME");
  const found = reach({
    home: chosen.home,
    entrypoint: flags.entrypoint,
    stubs: new Set(namesOf(flags.stubs)),
    lookup: (kind, wanted) => lookupSpec(loaded.resources, kind, wanted),
  });
  return { workflow: submitted.value, home: chosen.home, reach: found };
}

/** Of two workflows of one name the second could not be made any more, once the first has begun. */
function namesakes(workflows: readonly PreparedWorkflow[]): readonly Problem[] {
  const seen = new Set<string>();
  return workflows.flatMap(({ workflow, home }): readonly Problem[] => {
    const key = workflowKey(workflow);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message = `there are two workflows of the name "${workflow.metadata.name ?? ""}"`;
    const problem = { code: "duplicate-name", severity: "error", path: "metadata.name", message } as const;
    return home.document === undefined ? [problem] : locateProblems([problem], home.document);
  });
}

/** What the flags ask for, as the operation takes it. */
export function submitOptions(context: Context, flags: PrepareFlags): SubmitOptions {
  const { name, generateName, entrypoint, serviceAccount, priority } = flags;
  return {
    suffix: randomSuffix(context),
    namespace: defaultNamespace(context),
    parameters: flags.parameters,
    labels: flags.labels,
    ...(name === undefined ? {} : { name }),
    ...(generateName === undefined ? {} : { generateName }),
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(serviceAccount === undefined ? {} : { serviceAccount }),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** A document without any name can still be run. */
function withGenerateName(workflow: Workflow, flags: PrepareFlags, index: number): Workflow {
  const { name, generateName } = workflow.metadata;
  if (name ?? generateName ?? flags.name ?? flags.generateName) return workflow;
  return {
    ...workflow,
    metadata: { ...workflow.metadata, generateName: index === 0 ? "workflow-" : `workflow-${index}-` },
  };
}

const SUFFIX_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";

function randomSuffix(context: Context): string {
  const character = (): string =>
    SUFFIX_CHARACTERS.charAt(Math.floor(context.ports.chance.next() * SUFFIX_CHARACTERS.length));
  return Array.from({ length: 5 }, character).join("");
}

/** A template that other documents hold. */
export function lookupSpec(
  resources: readonly LoadedResource[],
  kind: "WorkflowTemplate" | "ClusterWorkflowTemplate",
  name: string,
): SpecHome | undefined {
  const found = resources.find(({ resource }) => resource.kind === kind && resource.metadata.name === name);
  if (found?.resource.kind !== "WorkflowTemplate" && found?.resource.kind !== "ClusterWorkflowTemplate")
    return undefined;
  return homeOf(found.resource, found.document);
}

function otherObjects(
  context: Context,
  resources: readonly LoadedResource[],
  flags: PrepareFlags,
  workflows: readonly PreparedWorkflow[],
): readonly KubeObject[] {
  const namespace = workflows[0]?.workflow.metadata.namespace ?? defaultNamespace(context);
  const given = resources.map(({ resource }) => resource).filter(({ kind }) => kind !== "Workflow");
  return [
    ...given.map((object) => inNamespace(object, namespace)),
    ...objectsFrom(flags.secrets, (name, data) => secretOf(name, namespace, data)),
    ...objectsFrom(flags.configMaps, (name, data) => configMapOf(name, namespace, data)),
  ];
}

function objectsFrom(
  data: NamedData,
  make: (name: string, values: ReadonlyMap<string, Buffer>) => KubeObject,
): readonly KubeObject[] {
  return [...data].map(([name, values]) => make(name, values));
}

/**
 * What was fetched from a cluster says which namespace it came from, and the workflow may name none: an object that a
 * workflow needs and that was given for another namespace is also put where it is looked for.
 */
function copiesWhereNeeded(
  others: readonly KubeObject[],
  workflows: readonly PreparedWorkflow[],
): readonly KubeObject[] {
  const all = [...others];
  for (const { workflow, reach: found } of workflows) {
    const namespace = workflow.metadata.namespace ?? "default";
    for (const { kind, name } of found.needs) {
      const isIt = (object: KubeObject): boolean => object.kind === kind && object.metadata.name === name;
      if (isClusterScoped(kind) || all.some((object) => isIt(object) && object.metadata.namespace === namespace))
        continue;
      const elsewhere = all.find(isIt);
      if (elsewhere !== undefined) all.push({ ...elsewhere, metadata: { ...elsewhere.metadata, namespace } });
    }
  }
  return all;
}

interface ParameterInput {
  readonly resources: readonly LoadedResource[];
  readonly existing: PrepareOptions["existing"];
}

function checkParameters(
  workflows: readonly PreparedWorkflow[],
  input: ParameterInput,
  flags: PrepareFlags,
): readonly Problem[] {
  const places = workflows.map(({ home, workflow }) => {
    const namespace = workflow.metadata.namespace ?? "default";
    const find: FindTemplate = (kind, name) =>
      lookupSpec(input.resources, kind, name)?.spec ?? specOfObject(input.existing(kind, namespace, name));
    return { home, place: parameterPlace(specsOf(home.spec, find), workflow.spec.entrypoint) };
  });
  const missing = places.flatMap(({ home, place }) =>
    missingParameters(place, flags.parameters).map((parameter): Problem => {
      const index = (home.spec.arguments?.parameters ?? []).findIndex(({ name }) => name === parameter.name);
      const position =
        index === -1 ? undefined : home.document?.positionOf(`${home.path}.arguments.parameters[${index}].name`);
      return missingParameterProblem(parameter, position);
    }),
  );
  const unused = unusedParameters(
    flags.parameters,
    places.map(({ place }) => place),
  );
  return [...missing, ...unused];
}

export interface MissingInput {
  /** Given with the workflow. */
  readonly others: readonly KubeObject[];
  readonly options: Pick<PrepareOptions, "existing" | "command">;
}

async function checkMissing(
  context: Context,
  workflows: readonly PreparedWorkflow[],
  input: MissingInput,
): Promise<readonly Problem[]> {
  const problems = await Promise.all(workflows.map((workflow) => missingOf(context, workflow, input)));
  return problems.flat();
}

/** What the workflow needs and nobody gave. */
export async function missingOf(
  context: Context,
  { workflow, home, reach: found }: PreparedWorkflow,
  { others, options }: MissingInput,
): Promise<readonly Problem[]> {
  const namespace = workflow.metadata.namespace ?? "default";
  const given = (kind: Need["kind"], name: string): KubeObject | undefined =>
    others.find((object) => object.kind === kind && object.metadata.name === name) ??
    options.existing(kind, namespace, name);
  const file = home.document?.file ?? "";
  const folder = file.startsWith("/") ? dirname(file) : context.ports.cwd;
  const nearby = await findInCheckout(folder, missingTemplates({ reach: found, given }));
  const nameOf = (name: string): string => displayName(name, context.ports.cwd);
  return missingProblems({ reach: found, given, namespace, nearby, nameOf, command: options.command });
}

/** The command as the user may repeat it with one more flag. */
export function repeatable(command: string, files: readonly string[], context: Context): string {
  return shellLine(["tiphys", command, ...files.map((file) => displayName(file, context.ports.cwd))]);
}

const LABEL = /^([^=]*)=([\s\S]*)$/;

/** `k=v,k=v` (Argo 4.1 behaviour 8.3). */
export function parseLabels(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined || text === "") return {};
  const wrap = (reason: string): Error =>
    badInput(`expected labels of the form: NAME1=VALUE2,NAME2=VALUE2. Received: ${text}: ${reason}`);
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [, key, value] = LABEL.exec(part) ?? [];
      if (key === undefined || value === undefined) throw wrap(`unexpected label spec: ${part}`);
      if (key === "") throw wrap("unexpected empty label key");
      return [key, value] as const;
    }),
  );
}
