/** Rules for a template's outputs (Argo 4.1 behaviour 10.3, 10.5). */

import type { Parameter, Template, TemplateKind, ValueFrom } from "../model/argo/template.js";
import { fieldPath, itemPath } from "../model/path.js";
import { plain } from "../std/plain.js";
import { kindOf } from "../template/kind.js";
import { argoAccepts } from "./argo-accepts.js";
import { checkLeafPath, checkNoPath } from "./artifact-path.js";
import { checkTags } from "./check-tags.js";
import type { FoundTemplate } from "./context.js";
import { explainName } from "./explain-name.js";
import { checkExpression } from "./expressions.js";
import { kindWord } from "./kind-word.js";
import type { KnownNames } from "./known-names.js";
import { checkNames, nameFaults, nameHint } from "./names.js";
import { holdsVariable, isLeaf } from "./offers.js";
import type { Spot } from "./report.js";
import { tagsIn } from "./tags.js";

export function checkOutputs({ template, path, spot }: FoundTemplate, names: KnownNames): void {
  const { parameters = [], artifacts = [] } = template.outputs ?? {};
  const name = template.name ?? "";
  const outputs = fieldPath(path, "outputs");
  const parametersPath = fieldPath(outputs, "parameters");
  const artifactsPath = fieldPath(outputs, "artifacts");
  const argo = `templates.${name}.outputs`;
  checkNames(
    parameters,
    { kind: "parameter", word: "parameter", path: parametersPath, argo: `${argo}.parameters ` },
    spot,
  );
  checkNames(artifacts, { kind: "parameter", word: "artifact", path: artifactsPath, argo: `${argo}.artifacts ` }, spot);
  checkTags(tagsIn(template.outputs, outputs), names, `${argo} `, spot);
  for (const [index, artifact] of artifacts.entries()) {
    const place = { path: itemPath(artifactsPath, index), argo: `${argo}.artifacts.${artifact.name}` };
    if (isLeaf(template)) checkLeafPath(artifact, place, spot);
    else checkNoPath(artifact, place, spot);
    checkGlobalName(artifact.globalName, place, spot);
    checkField(artifact.fromExpression, fieldPath(place.path, "fromExpression"), names, spot);
    checkBareName(artifact.from, fieldPath(place.path, "from"), names, spot);
  }
  for (const [index, parameter] of parameters.entries()) {
    const place = { path: itemPath(parametersPath, index), argo: `${argo}.parameters.${parameter.name}` };
    checkParameter(parameter, template, place, spot);
    checkGlobalName(parameter.globalName, place, spot);
    const from = fieldPath(place.path, "valueFrom");
    checkField(parameter.valueFrom?.expression, fieldPath(from, "expression"), names, spot);
    checkBareName(parameter.valueFrom?.parameter, fieldPath(from, "parameter"), names, spot);
  }
}

interface OutputPlace {
  readonly path: string;
  readonly argo: string;
}

function checkField(source: string | undefined, path: string, names: KnownNames, spot: Spot): void {
  if (source === undefined || source === "" || source.includes("{{")) return;
  checkExpression({ source, path, place: "field" }, names, spot);
}

/** A reference may stand without its braces; Argo looks at those only when it resolves them. */
function checkBareName(reference: string | undefined, path: string, names: KnownNames, spot: Spot): void {
  if (reference === undefined || reference === "" || reference.includes("{{")) return;
  const name = reference.trim();
  if (!argoAccepts(name, names)) {
    spot.tell({ code: "unresolved", path, message: name, hint: () => explainName(name, names) });
  }
}

function checkGlobalName(name: string | undefined, place: OutputPlace, spot: Spot): void {
  if (name === undefined || name === "" || holdsVariable(name)) return;
  const [reason] = nameFaults(name, "parameter");
  if (reason === undefined) return;
  const message = `"${name}" cannot be a global name`;
  const path = fieldPath(place.path, "globalName");
  spot.tell({
    code: "bad-name",
    path,
    message,
    hint: nameHint("parameter"),
    argo: `${place.argo}.globalName: ${reason}`,
  });
}

const SOURCES = ["path", "jqFilter", "jsonPath", "parameter", "expression"] as const;

function checkParameter(parameter: Parameter, template: Template, place: OutputPlace, spot: Spot): void {
  const { value, valueFrom } = parameter;
  const from = fieldPath(place.path, "valueFrom");
  if (valueFrom !== undefined && value !== undefined) {
    const message = "value and valueFrom: one of them is enough";
    spot.tell({
      code: "conflict",
      path: from,
      message,
      argo: `${place.argo} has both valueFrom and value specified, choose one`,
    });
  }
  if (value !== undefined) return;
  if (valueFrom === undefined) {
    const message = `the output "${parameter.name}" has no value`;
    const hint = `add valueFrom: {${sourceFor(template)}: …}`;
    const argo = `${place.argo} does not have valueFrom or value specified`;
    spot.tell({ code: "missing-field", path: place.path, message, hint, argo });
    return;
  }
  const given: string[] = SOURCES.filter((field) => (valueFrom[field] ?? "") !== "");
  if (valueFrom.supplied !== undefined) given.push("supplied");
  if (given.length === 0) {
    const message = `the output "${parameter.name}" does not say where its value comes from`;
    const argo = "valueFrom type unspecified. choose one of: path, jqFilter, jsonPath, parameter, raw, expression";
    spot.tell({ code: "missing-field", path: from, message, hint: `add ${sourceFor(template)}: …`, argo });
  } else if (given.length > 1) {
    const argo = "multiple valueFrom types specified. choose one of: path, jqFilter, jsonPath, parameter, raw";
    spot.tell({ code: "conflict", path: from, message: `${given.join(" and ")}: one of them is enough`, argo });
  }
  checkSourceOfKind(valueFrom, template, { ...plain, ...place, path: from }, spot);
}

function sourceFor(template: Template): string {
  const kind = kindOf(template);
  if (kind === "steps" || kind === "dag") return "parameter";
  if (kind === "resource") return "jsonPath";
  return kind === "suspend" ? "supplied" : "path";
}

type Source = (typeof SOURCES)[number];

/** Of these one must be there, and Argo's words for it. */
const SOURCES_OF: Partial<Record<TemplateKind, { readonly fields: readonly Source[]; readonly argo: string }>> = {
  container: { fields: ["path"], argo: ".path must be specified for" },
  containerSet: { fields: ["path"], argo: ".path must be specified for" },
  script: { fields: ["path"], argo: ".path must be specified for" },
  resource: { fields: ["jqFilter", "jsonPath"], argo: " .jqFilter or jsonPath must be specified for" },
  steps: { fields: ["parameter", "expression"], argo: ".parameter or expression must be specified for" },
  dag: { fields: ["parameter", "expression"], argo: ".parameter or expression must be specified for" },
};

/** Each kind of work leaves its outputs in its own way. */
function checkSourceOfKind(from: ValueFrom, template: Template, place: OutputPlace, spot: Spot): void {
  const kind = kindOf(template);
  const wanted = kind === undefined ? undefined : SOURCES_OF[kind];
  if (kind === undefined || wanted === undefined) return;
  const given = wanted.fields.filter((field) => (from[field] ?? "") !== "");
  const type = `${kindWord(template)} templates`;
  if (given.length === 0) {
    const message = `a ${kind} template gives its outputs otherwise`;
    const argo = `${place.argo}${wanted.argo} ${type}`;
    spot.tell({ code: "conflict", path: place.path, message, hint: `write ${sourceFor(template)}: …`, argo });
  } else if (given.length > 1 && isComposite(kind)) {
    const argo = `${place.argo} shouldn't have both \`from\` and \`expression\` specified in \`ValueFrom\` for ${type}`;
    const message = "parameter and expression: one of them is enough";
    spot.tell({ code: "conflict", path: place.path, message, argo });
  }
}

function isComposite(kind: TemplateKind): boolean {
  return kind === "steps" || kind === "dag";
}
