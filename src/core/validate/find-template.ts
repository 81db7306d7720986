/** Finds the template that a step, task or hook names, and tells why there is none (Argo 4.1 behaviour 10.6). */

import type { Template, TemplateRef } from "../model/argo/template.js";
import { fieldPath } from "../model/path.js";
import { plain } from "../std/plain.js";
import type { FoundTemplate, Validation } from "./context.js";
import { meantOf } from "./explain-name.js";
import { labelOf, needOf, resourceHome, type TemplateHome } from "./homes.js";
import type { Spot } from "./report.js";
import { withTags } from "./tags.js";

export interface TemplateName {
  readonly template?: string;
  readonly templateRef?: TemplateRef;
  readonly inline?: Template;
}

export interface Call {
  readonly names: TemplateName;
  /** Of the step, task or hook. */
  readonly path: string;
  /** Of the field that names the template, where it is not below `path`: `spec.entrypoint`. */
  readonly namePath?: string;
  readonly home: TemplateHome;
  readonly spot: Spot;
  /** The text that a variable has before anything runs; `laterText` where only a run gives it one. */
  readonly known: (variable: string) => string | undefined;
  readonly inLoop: boolean;
  /** Inputs that are replaced in a template written in place. */
  readonly outerParameters?: ReadonlySet<string>;
}

/** Stands for the text of a variable that Argo replaces early, by a placeholder. */
export const laterText = "\0";

/** `dynamic`: only a run can tell. `unknown`: there is none (told), or it is not known yet (a need). */
export type Finding = FoundTemplate | "dynamic" | "unknown";

export function findTemplate(validation: Validation, call: Call): Finding {
  const { template = "", templateRef, inline } = call.names;
  tellConflicts(call);
  if (templateRef !== undefined) {
    if (template !== "") return "unknown";
    const found = findReferenced(validation, templateRef, call);
    return inline === undefined ? found : inlineOf(inline, call);
  }
  if (inline !== undefined) return inlineOf(inline, call);
  if (template !== "") return findLocal(template, call);
  const message = "it names no template";
  const hint = "add template: NAME";
  call.spot.tell({ code: "missing-field", path: call.path, message, hint, argo: "template  not found" });
  return "unknown";
}

function tellConflicts({ names, path, spot }: Call): void {
  const { template = "", templateRef, inline } = names;
  if (templateRef !== undefined && template !== "") {
    const argo = "template name cannot be specified with templateRef";
    spot.tell({
      code: "conflict",
      path: fieldPath(path, "template"),
      message: "template and templateRef: one of them is enough",
      argo,
    });
  }
  if (inline !== undefined && (templateRef !== undefined || template !== "")) {
    const other = templateRef === undefined ? "template" : "templateRef";
    spot.tell({
      code: "conflict",
      path: fieldPath(path, "inline"),
      message: `inline and ${other}: one of them is enough`,
    });
  }
}

function inlineOf(template: Template, { path, home, spot, inLoop, outerParameters }: Call): FoundTemplate {
  const found = { template, path: fieldPath(path, "inline"), home, spot, inLoop };
  return outerParameters === undefined ? found : { outerParameters, ...found };
}

function findLocal(name: string, call: Call): Finding {
  const placed = call.home.templates.get(name);
  if (placed !== undefined) return { home: call.home, spot: call.spot, inLoop: false, ...placed };
  const dynamic = name.includes("{{");
  call.spot.tell({
    code: "no-template",
    path: call.namePath ?? fieldPath(call.path, "template"),
    message: `there is no template "${name}"`,
    hint: () =>
      dynamic
        ? "Argo takes a variable in templateRef only"
        : meantOf(name, named(call.home), "there are no templates", "the templates are"),
    argo: `template name '${name}' undefined`,
  });
  return "unknown";
}

function named(home: TemplateHome): string[] {
  return [...home.templates.keys()].filter((name) => name !== "");
}

function findReferenced(validation: Validation, ref: TemplateRef, call: Call): Finding {
  const { spot } = call;
  const path = call.namePath ?? fieldPath(call.path, "templateRef");
  if ((ref.name ?? "") === "") {
    spot.tell({
      code: "missing-field",
      path,
      message: "templateRef names no resource",
      hint: "add name: …",
      argo: "resource name is required",
    });
    return "unknown";
  }
  if ((ref.template ?? "") === "") {
    spot.tell({
      code: "missing-field",
      path,
      message: "templateRef names no template",
      hint: "add template: …",
      argo: "template name is required",
    });
    return "unknown";
  }
  const name = withTags(ref.name ?? "", call.known);
  const template = withTags(ref.template ?? "", call.known);
  if (name === undefined || template === undefined || template.includes(laterText)) return "dynamic";
  if (name.includes(laterText)) return tellEarlyName(ref, path, spot);
  return findInResource(validation, { ...ref, name, template }, { ...plain, ...call, namePath: path });
}

/** Argo looks for a resource that is called as its placeholder. */
function tellEarlyName(ref: TemplateRef, path: string, spot: Spot): Finding {
  const message = "the name of a resource cannot come from an input";
  const hint = "take it from {{item}}, or from the outputs of a step before";
  const argo = `template reference ${ref.name ?? ""}.${ref.template ?? ""} not found`;
  spot.tell({ code: "no-template", path: fieldPath(path, "name"), message, hint, argo });
  return "unknown";
}

function findInResource(validation: Validation, ref: TemplateRef, call: Call & { readonly namePath: string }): Finding {
  const home = homeOfReference(validation, ref);
  if (home === "unknown") return "unknown";
  const name = ref.template ?? "";
  const placed = home?.templates.get(name);
  if (home !== undefined && placed !== undefined) {
    const spot = call.spot.inside({ label: labelOf(ref), via: call.namePath });
    return { home, spot, inLoop: false, ...placed };
  }
  const argo = `template reference ${ref.name ?? ""}.${name} not found`;
  if (home === undefined) {
    const message = `${labelOf(ref)} was not given`;
    call.spot.tell({
      code: "no-template",
      path: call.namePath,
      message,
      hint: "add --with FILE, a file that defines it",
      argo,
    });
  } else {
    const hint = (): string => meantOf(name, named(home), "it has no templates", "its templates are");
    call.spot.tell({
      code: "no-template",
      path: call.namePath,
      message: `${labelOf(ref)} has no template "${name}"`,
      hint,
      argo,
    });
  }
  return "unknown";
}

/** Undefined: there is no such resource. */
export function homeOfReference(validation: Validation, ref: TemplateRef): TemplateHome | undefined | "unknown" {
  const need = needOf(ref, validation.namespace);
  const key = `${need.kind}/${need.name}`;
  if (validation.homes.has(key)) return validation.homes.get(key);
  const resource = validation.facts.get(need);
  if (resource === undefined) {
    validation.needs.set(key, need);
    return "unknown";
  }
  const home = resource === null ? undefined : resourceHome(ref, resource);
  validation.homes.set(key, home);
  return home;
}
