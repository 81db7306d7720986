/** What is wrong with the workflows themselves, with the positions of the files they were written in. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { type KnownResource, locateProblems } from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import { type ValidateMode, validateResource, validateWorkflow } from "../../core/validate/index.js";
import { nameProblems } from "./object-names.js";
import type { PreparedWorkflow } from "./prepare.js";
import type { SpecHome } from "./references.js";
import type { LoadedResource } from "./resources.js";
import { timeZones } from "./time-zones.js";

/**
 * Of files as they stand: values of parameters may still come. What only follows from a part that could not be read is
 * left out, and so is what a template resource says of itself where others refer to it.
 */
export function fileProblems(checked: readonly LoadedResource[], all: readonly LoadedResource[]): readonly Problem[] {
  const found = checked.map(({ resource, document, unread }) => {
    const { problems } = validateResource(resource, { facts: factsOf(all), mode: "lint", timeZones, unread });
    return { resource, document, problems };
  });
  const told = new Set(
    found.flatMap(({ resource, problems }) =>
      problems.map(({ path, message }) => `${resource.kind} "${resource.metadata.name ?? ""}": ${path}: ${message}`),
    ),
  );
  return found.flatMap(({ resource, document, problems }) =>
    locateProblems(
      [...nameProblems(resource.metadata, wordOf(resource)), ...problems.filter(({ message }) => !told.has(message))],
      document,
    ),
  );
}

/** `WorkflowTemplate` -> `workflow template` */
function wordOf({ kind }: KnownResource): string {
  return kind.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Of workflows as they will run, with all that was asked for: what their files alone do not show. */
export function runProblems(
  workflows: readonly PreparedWorkflow[],
  all: readonly LoadedResource[],
): readonly Problem[] {
  const mode: ValidateMode = "run";
  return workflows.flatMap(({ workflow, home }) => {
    const { problems: found } = validateWorkflow(workflow, { facts: factsOf(all), mode });
    const own = found.map((problem) => (isOfEntrypoint(problem, workflow, home) ? ofFlag(problem, workflow) : problem));
    const problems = [...nameProblems(workflow.metadata, "workflow"), ...own];
    if (home.document === undefined || home.document.kind !== "Workflow") return problems;
    // Parameters given on the command line stand first: their paths are no longer those of the file. What the file's own
    // metadata had wrong was told before: this is of flags.
    const inFile = problems.filter((problem) => !isAsked(problem));
    const asked = problems.filter(isAsked);
    return [...locateProblems(inFile, home.document), ...asked];
  });
}

/** Of `--entrypoint`, where the file says another. */
function isOfEntrypoint({ path }: Problem, workflow: Workflow, home: SpecHome): boolean {
  return path === "spec.entrypoint" && workflow.spec.entrypoint !== home.spec.entrypoint;
}

function ofFlag({ position: _, ...problem }: Problem, { spec }: Workflow): Problem {
  return { ...problem, path: "--entrypoint", message: `--entrypoint ${spec.entrypoint ?? ""}: ${problem.message}` };
}

function isAsked({ path }: Problem): boolean {
  return /^(spec\.arguments|metadata\.|--)/.test(path);
}

/** Of a value or name that a flag gives; that one is missing is told in other words elsewhere. */
export function isOfCommand(problem: Problem): boolean {
  return isAsked(problem) && problem.position === undefined && problem.code !== "no-parameter";
}

type Facts = Parameters<typeof validateResource>[1]["facts"];

/** What was not given is not known to be absent: others tell that it is missing, with the flag that gives it. */
function factsOf(all: readonly LoadedResource[]): Facts {
  const find = (kind: KnownResource["kind"], name: string): KnownResource | undefined => {
    const found = all.find(({ resource }) => resource.kind === kind && resource.metadata.name === name);
    // Of one that was not read whole nobody knows what it lacks.
    return found === undefined || found.unread.length > 0 ? undefined : found.resource;
  };
  return {
    get: (need) => find(need.kind === "workflow-template" ? "WorkflowTemplate" : "ClusterWorkflowTemplate", need.name),
  };
}
