/** Whether a call gives a template what it needs, and nothing that it does not take (Argo 4.1 behaviour 3.5, 10.5). */

import { type Artifact, hasLocation } from "../model/argo/artifact.js";
import type { Arguments, Parameter } from "../model/argo/template.js";
import { fieldPath, itemPath } from "../model/path.js";
import type { FoundTemplate } from "./context.js";
import { meantOf } from "./explain-name.js";
import { parameterFlag, remarkOn } from "./parameter-text.js";
import type { Spot } from "./report.js";

export interface GivenArguments {
  readonly arguments: Arguments;
  /** Of the step, task or hook that gives them; undefined for those of the workflow itself. */
  readonly path: string | undefined;
  readonly argumentsPath: string;
  /** Where the giver stands. */
  readonly spot: Spot;
}

/** Argo's ProcessArgs: what is missing. */
export function checkGiven(found: FoundTemplate, given: GivenArguments): void {
  if (given.spot.unread.within(given.argumentsPath)) return;
  const argo = `templates.${found.template.name ?? ""} `;
  const { parameters = [], artifacts = [] } = found.template.inputs ?? {};
  for (const [index, input] of parameters.entries()) {
    const path = itemPath(fieldPath(fieldPath(found.path, "inputs"), "parameters"), index);
    if (isSupplied(input, given.arguments) || found.spot.unread.within(path)) continue;
    tellMissing(input, path, { argo, found, given });
  }
  const list = fieldPath(fieldPath(found.path, "inputs"), "artifacts");
  for (const [index, input] of artifacts.entries()) {
    if (found.spot.unread.within(itemPath(list, index))) continue;
    checkArtifact(input, { argo, found, given });
  }
}

function checkArtifact(input: Artifact, { argo, found, given }: MissingAt): void {
  const { name } = input;
  if (hasLocation(input) || input.optional === true) return;
  if (given.arguments.artifacts?.some((one) => one.name === name) === true) return;
  const message = `${nameOf(found)} needs the artifact "${name}"`;
  const hint =
    given.path === undefined
      ? `add it to arguments.artifacts, make the input optional, or give a file: --artifact ${name}=PATH`
      : "add it to arguments.artifacts, or make the input optional";
  given.spot.tell({
    code: "no-parameter",
    path: given.path ?? given.argumentsPath,
    message,
    hint,
    argo: `${argo}inputs.artifacts.${name} was not supplied`,
  });
}

function isSupplied(input: Parameter, args: Arguments): boolean {
  const given = args.parameters?.find(({ name }) => name === input.name);
  const from = given !== undefined && given.value === undefined ? given.valueFrom : input.valueFrom;
  if (from?.configMapKeyRef !== undefined) return true;
  return given === undefined
    ? (input.value ?? input.default) !== undefined
    : given.value !== undefined || hasOwn(input);
}

function hasOwn(input: Parameter): boolean {
  return (input.value ?? input.default) !== undefined;
}

interface MissingAt {
  readonly argo: string;
  readonly found: FoundTemplate;
  readonly given: GivenArguments;
}

function tellMissing(input: Parameter, inputPath: string, { argo, found, given }: MissingAt): void {
  const text = `${argo}inputs.parameters.${input.name} was not supplied`;
  if (given.path === undefined) {
    const message = `"${input.name}"${remarkOn(input)} has no value: add ${parameterFlag(input)}`;
    const path = found.spot.foreign?.via ?? fieldPath(inputPath, "name");
    given.spot.tell({ code: "no-parameter", path, message, argo: text });
    return;
  }
  const message = `${nameOf(found)} needs "${input.name}"${remarkOn(input)}`;
  const hint = `add to its arguments.parameters: {name: ${input.name}, value: …}`;
  given.spot.tell({ code: "no-parameter", path: given.path, message, hint, argo: text });
}

function nameOf(found: FoundTemplate): string {
  const { name = "" } = found.template;
  return name === "" ? "the inline template" : `template "${name}"`;
}

/** Argo passes over arguments that the template does not take. */
export function tellUnused(found: FoundTemplate, given: GivenArguments): void {
  if (given.path === undefined || found.spot.unread.within(fieldPath(found.path, "inputs"))) return;
  const { inputs } = found.template;
  for (const field of ["parameters", "artifacts"] as const) {
    const known = new Set((inputs?.[field] ?? []).map(({ name }) => name));
    for (const [index, { name }] of (given.arguments[field] ?? []).entries()) {
      if (known.has(name) || name === "") continue;
      const path = fieldPath(itemPath(fieldPath(fieldPath(given.path, "arguments"), field), index), "name");
      const message = `${nameOf(found)} does not take "${name}"`;
      const hint = (): string => meantOf(name, known, "it has no inputs", "its inputs are");
      given.spot.tell({ code: "unused", severity: "warning", path, message, hint });
    }
  }
}
