/** Template references that the given files do not resolve. */

import type { KnownResource } from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import { reach, type SpecHome } from "./references.js";
import type { LoadedResource } from "./resources.js";
import { homeOf } from "./select.js";

export function lintReferences(all: readonly LoadedResource[], linted: readonly LoadedResource[]): readonly Problem[] {
  const homes = new Map<string, SpecHome>();
  for (const { resource, document } of all) {
    if (resource.kind !== "WorkflowTemplate" && resource.kind !== "ClusterWorkflowTemplate") continue;
    homes.set(`${resource.kind}/${resource.metadata.name ?? ""}`, homeOf(resource, document));
  }
  return linted.flatMap(({ resource, document }) => {
    const home = specHome(resource, document);
    if (home === undefined) return [];
    const found = reach({
      home,
      entrypoint: undefined,
      stubs: new Set(),
      lookup: (kind, name) => homes.get(`${kind}/${name}`),
    });
    const missing = found.needs.filter((need) => isTemplate(need) && !homes.has(`${need.kind}/${need.name}`));
    return missing.map(({ kind, name, position }): Problem => {
      const what = kind === "WorkflowTemplate" ? "workflow template" : "cluster workflow template";
      const problem = {
        code: "no-template",
        severity: "error",
        path: "",
        message: `couldn't find ${what} "${name}"`,
        hint: "add --with FILE that defines it",
      } as const;
      return position === undefined ? problem : { ...problem, position };
    });
  });
}

function isTemplate({ kind }: { readonly kind: string }): boolean {
  return kind === "WorkflowTemplate" || kind === "ClusterWorkflowTemplate";
}

function specHome(resource: KnownResource, document: LoadedResource["document"]): SpecHome | undefined {
  switch (resource.kind) {
    case "Workflow":
      return { spec: resource.spec, document, path: "spec" };
    case "WorkflowTemplate":
    case "ClusterWorkflowTemplate":
    case "CronWorkflow":
      return homeOf(resource, document);
    default:
      return undefined;
  }
}
