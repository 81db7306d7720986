/** Which templates of given template resources are not what a place has: those that a retry must look up anew. */

import type { Template } from "../../core/model/argo/template.js";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { jsonEquals } from "../../core/std/json.js";
import type { PrepareOptions } from "./prepare.js";

/** As status.storedTemplates names them: `namespaced/NAME/TEMPLATE`, `cluster/NAME/TEMPLATE`. */
export function changedTemplates(
  given: readonly KubeObject[],
  existing: PrepareOptions["existing"],
  namespace: string,
): ReadonlySet<string> {
  const keys = given.flatMap((object) => {
    const { kind } = object;
    if (kind !== "WorkflowTemplate" && kind !== "ClusterWorkflowTemplate") return [];
    const name = object.metadata.name ?? "";
    const before = specOf(existing(kind, namespace, name));
    const after = specOf(object);
    const prefix = `${kind === "WorkflowTemplate" ? "namespaced" : "cluster"}/${name}/`;
    return changedNames(before, after).map((template) => prefix + template);
  });
  return new Set(keys);
}

function specOf(object: KubeObject | undefined): WorkflowSpec {
  // Decoded by the model, or admitted by the place.
  return object !== undefined && "spec" in object ? (object.spec as WorkflowSpec) : {};
}

function changedNames(before: WorkflowSpec, after: WorkflowSpec): readonly string[] {
  const own = templatesOf(after);
  const old = templatesOf(before);
  const isOther = !jsonEquals(common(before), common(after));
  return [...old.keys()].filter((name) => isOther || !jsonEquals(old.get(name), own.get(name)));
}

/** What counts for all templates of a resource. */
function common({ templates: _templates, ...rest }: WorkflowSpec): WorkflowSpec {
  return rest;
}

function templatesOf({ templates = [] }: WorkflowSpec): ReadonlyMap<string, Template> {
  return new Map(templates.map((template) => [template.name ?? "", template]));
}
