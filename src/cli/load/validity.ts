/** What is wrong with the workflows themselves, with the positions of the files they were written in. */

import { type KnownResource, locateProblems } from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import { type ValidateMode, validateResource, validateWorkflow } from "../../core/validate/index.js";
import { nameProblems } from "./object-names.js";
import type { PreparedWorkflow } from "./prepare.js";
import type { LoadedResource } from "./resources.js";
import { timeZones } from "./time-zones.js";

/** Of files as they stand: values of parameters may still come. */
export function fileProblems(checked: readonly LoadedResource[], all: readonly LoadedResource[]): readonly Problem[] {
  return checked.flatMap(({ resource, document }) => {
    const { problems } = validateResource(resource, { facts: factsOf(all), mode: "lint", timeZones });
    return locateProblems([...nameProblems(resource.metadata, wordOf(resource)), ...problems], document);
  });
}

/** Of a document that was not read whole: what stands by itself, and cannot follow from the parts at fault. */
export function certainProblems(
  checked: readonly LoadedResource[],
  all: readonly LoadedResource[],
): readonly Problem[] {
  return fileProblems(checked, all).filter(({ code }) => CERTAIN.has(code));
}

const CERTAIN: ReadonlySet<Problem["code"]> = new Set<Problem["code"]>([
  "bad-value",
  "bad-name",
  "bad-expression",
  "duplicate-name",
  "cycle",
]);

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
    const { problems: own } = validateWorkflow(workflow, { facts: factsOf(all), mode });
    const problems = [...nameProblems(workflow.metadata, "workflow"), ...own];
    if (home.document === undefined || home.document.kind !== "Workflow") return problems;
    // Parameters given on the command line stand first: their paths are no longer those of the file. What the file's own
    // metadata had wrong was told before: this is of flags.
    const isAsked = ({ path }: Problem): boolean => /^(spec\.arguments|metadata\.)/.test(path);
    const inFile = problems.filter((problem) => !isAsked(problem));
    const asked = problems.filter(isAsked);
    return [...locateProblems(inFile, home.document), ...asked];
  });
}

type Facts = Parameters<typeof validateResource>[1]["facts"];

/** What was not given is not known to be absent: others tell that it is missing, with the flag that gives it. */
function factsOf(all: readonly LoadedResource[]): Facts {
  const find = (kind: KnownResource["kind"], name: string): KnownResource | undefined =>
    all.find(({ resource }) => resource.kind === kind && resource.metadata.name === name)?.resource;
  return {
    get: (need) => find(need.kind === "workflow-template" ? "WorkflowTemplate" : "ClusterWorkflowTemplate", need.name),
  };
}
