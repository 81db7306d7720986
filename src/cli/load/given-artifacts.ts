/** `--artifact` on what was read: an artifact that a person gives needs no location of its own in the file. */

import { type GivenName, givenLocation, type PlaceOf, withGivenArtifacts } from "../../artifacts/given.js";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { type KnownResource, nearestName } from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import type { LoadedResource } from "./resources.js";

/** `train.data=day.csv` -> what it names; the form itself is checked where the path is. */
export function givenName(word: string): GivenName {
  const flag = word.split("=", 1)[0] ?? word;
  const dot = flag.indexOf(".");
  return dot === -1 ? { template: null, name: flag } : { template: flag.slice(0, dot), name: flag.slice(dot + 1) };
}

export function withGiven(
  resources: readonly LoadedResource[],
  given: readonly GivenName[],
): readonly LoadedResource[] {
  if (given.length === 0) return resources;
  return resources.map((loaded) => ({ ...loaded, resource: located(loaded.resource, given, givenLocation) }));
}

/** The same for those who look for what is not obeyed: of a given artifact nothing is left to be said. */
export function withoutGiven(
  resources: readonly LoadedResource[],
  given: readonly GivenName[],
): readonly LoadedResource[] {
  if (given.length === 0) return resources;
  const plain: PlaceOf = () => ({ raw: { data: "" } });
  return resources.map((loaded) => ({ ...loaded, resource: located(loaded.resource, given, plain) }));
}

function located(resource: KnownResource, given: readonly GivenName[], placeOf: PlaceOf): KnownResource {
  switch (resource.kind) {
    case "Workflow":
    case "WorkflowTemplate":
    case "ClusterWorkflowTemplate":
      return { ...resource, spec: withGivenArtifacts(resource.spec, given, placeOf) };
    case "CronWorkflow": {
      const { spec } = resource;
      return { ...resource, spec: { ...spec, workflowSpec: withGivenArtifacts(spec.workflowSpec, given, placeOf) } };
    }
    default:
      return resource;
  }
}

/** A warning for each `--artifact` that no template and no argument takes. */
export function unusedGiven(resources: readonly LoadedResource[], given: readonly GivenName[]): readonly Problem[] {
  const known = new Set(resources.flatMap(({ resource }) => artifactNames(resource)));
  return given.map(flagOf).flatMap((flag) => {
    if (known.has(flag)) return [];
    const near = nearestName(flag, known);
    const hint = near === undefined ? {} : { hint: `did you mean "${near}"?` };
    const message = `--artifact ${flag}: nothing takes it`;
    return [{ code: "unused", severity: "warning", path: "", message, ...hint } as const];
  });
}

function flagOf({ template, name }: GivenName): string {
  return template === null ? name : `${template}.${name}`;
}

/** As the flag names them: inputs with and without their template. */
function artifactNames(resource: KnownResource): readonly string[] {
  const spec = specOf(resource);
  const args = (spec?.arguments?.artifacts ?? []).map(({ name }) => name);
  const inputs = (spec?.templates ?? []).flatMap((template) =>
    (template.inputs?.artifacts ?? []).flatMap(({ name }) => [name, `${template.name ?? ""}.${name}`]),
  );
  return [...args, ...inputs];
}

/** Of the kinds that hold a workflow's. */
export function specOf(resource: KnownResource): WorkflowSpec | undefined {
  switch (resource.kind) {
    case "Workflow":
    case "WorkflowTemplate":
    case "ClusterWorkflowTemplate":
      return resource.spec;
    case "CronWorkflow":
      return resource.spec.workflowSpec;
    default:
      return undefined;
  }
}
