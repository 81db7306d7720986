/** Files that could not be read whole: all that is wrong with them, not only what was met first. */

import { locateProblems, reachableTemplates, unsupportedFieldsOf } from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import { specOf } from "./given-artifacts.js";
import type { Loaded, LoadedResource } from "./resources.js";
import { fileProblems } from "./validity.js";

/** What reading found, and what else is wrong with the same documents: nobody likes to hear of their faults one by one. */
export function allProblems(loaded: Loaded, stubs: readonly string[]): readonly Problem[] {
  const given = loaded.resources.filter(({ toRun }) => toRun);
  const workflows = given.filter(({ resource }) => resource.kind === "Workflow");
  const toRun = workflows.length > 0 ? workflows : given;
  const checked = given.filter((one) => toRun.includes(one) || one.unread.length > 0);
  return [...loaded.problems, ...fileProblems(checked, loaded.resources), ...refusals(toRun, stubs)];
}

/** What cannot be done here yet, of documents that may not be read whole. */
function refusals(resources: readonly LoadedResource[], stubs: readonly string[]): readonly Problem[] {
  return resources.flatMap(({ resource, document }) => {
    const home = specOf(resource);
    if (home === undefined) return [];
    const isReached = reachableTemplates(home);
    const reachable = (name: string): boolean => isReached(name) && !stubs.includes(name);
    const problems = unsupportedFieldsOf(resource, { reachable }).filter(({ severity }) => severity === "error");
    return locateProblems(problems, document);
  });
}
