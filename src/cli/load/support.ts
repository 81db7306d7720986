/** What of the given resources this machine does not obey: refusals where a run could reach it, notices otherwise. */

import { type KnownResource, locateProblems, unsupportedFieldsOf } from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import type { RuntimeName } from "../ports.js";
import { specOf } from "./given-artifacts.js";
import type { PreparedWorkflow } from "./prepare.js";
import type { LoadedResource } from "./resources.js";

/** `runtime` undefined: not chosen yet. */
export function unsupportedProblems(
  workflows: readonly PreparedWorkflow[],
  resources: readonly LoadedResource[],
  { stubs, runtime }: { readonly stubs: readonly string[]; readonly runtime: RuntimeName | undefined },
): readonly Problem[] {
  const reached = new Set(workflows.flatMap(({ reach }) => [...reach.templates]));
  for (const stub of stubs) reached.delete(stub);
  return resources.flatMap(({ resource, document, toRun }) => {
    if (!isRun(resource)) return [];
    // The schedule of one that only stands by says nothing to this run.
    if (resource.kind === "CronWorkflow" && !workflows.some(({ home }) => home.document === document)) return [];
    const part =
      toRun && resource.kind !== "WorkflowTemplate" && resource.kind !== "ClusterWorkflowTemplate"
        ? "whole"
        : "templates";
    const scope = {
      part,
      reachable: (name: string) => reached.has(name),
      ...(runtime === undefined ? {} : { runtime }),
    } as const;
    const problems = unsupportedFieldsOf(resource, scope).map((problem) => withNames(problem, resource));
    return locateProblems(problems, document);
  });
}

/** The flag as it can be copied: `--artifact main.source=PATH`. */
function withNames(problem: Problem, resource: KnownResource): Problem {
  const [, template, artifact] = /templates\[(\d+)\]\.inputs\.artifacts\[(\d+)\]/.exec(problem.path) ?? [];
  const found = specOf(resource)?.templates?.[Number(template)];
  const name = found?.inputs?.artifacts?.[Number(artifact)]?.name;
  if (problem.hint === undefined || found?.name === undefined || name === undefined) return problem;
  return { ...problem, hint: problem.hint.replace("TEMPLATE.NAME", () => `${found.name}.${name}`) };
}

const RUN_KINDS: ReadonlySet<string> = new Set([
  "Workflow",
  "WorkflowTemplate",
  "ClusterWorkflowTemplate",
  "CronWorkflow",
]);

function isRun(resource: KnownResource): boolean {
  return RUN_KINDS.has(resource.kind);
}
