/** What kind of work a template names, and what each kind is (Argo 4.1 behaviour 2.1). */

import { type Template, type TemplateKind, templateKinds } from "../model/argo/template.js";

const POD_KINDS: readonly TemplateKind[] = ["container", "containerSet", "script", "resource", "data"];

/** Undefined for a template that names no work; the first of several, which validation refuses. */
export function kindOf(template: Template): TemplateKind | undefined {
  return templateKinds.find((kind) => template[kind] !== undefined);
}

/** A pod is made for it. */
export function isPodKind(kind: TemplateKind | undefined): boolean {
  return kind !== undefined && POD_KINDS.includes(kind);
}

/** `defaults` below `template`; the type fields of other kinds are dropped (Argo 4.1 behaviour 2.1, templateDefaults). */
export function withoutOtherKinds(defaults: Template, kind: TemplateKind | undefined): Template {
  const kept: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(defaults)) {
    if (isTemplateKind(field) && field !== kind) continue;
    kept[field] = value;
  }
  return kept;
}

function isTemplateKind(field: string): boolean {
  return templateKinds.some((kind) => kind === field);
}
