/** `-p` and `--parameter-file`, what of them is used, and what is still missing. */

import type { Parameter } from "../../core/model/argo/template.js";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { nearestName, readDocuments } from "../../core/model/index.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { isJsonObject, type Json } from "../../core/std/json.js";
import type { Position, Problem } from "../../core/std/problem.js";
import { hasSpec } from "../../core/template/source.js";
import { badInput, ProblemsError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { Ports } from "../ports.js";
import { shellWord } from "../print/shell-words.js";
import { hasErrors } from "./resources.js";
import { readSingle } from "./sources.js";

export interface ParameterValue {
  readonly name: string;
  readonly value: string;
}

/** `NAME=VALUE`; the value may hold further `=`. */
export function parseParameter(word: string): ParameterValue {
  const equals = word.indexOf("=");
  if (equals <= 0) throw badInput(`expected parameter of the form: NAME=VALUE. Received: ${word}`);
  return { name: word.slice(0, equals), value: word.slice(equals + 1) };
}

/** A map in YAML or JSON; other values than text are taken as their JSON text (Argo 4.1 behaviour 8.3). */
export async function readParameterFile(ports: Ports, file: string): Promise<readonly ParameterValue[]> {
  const { source, problem } = await readSingle(ports, file);
  if (problem !== undefined) throw badInput(`--parameter-file ${problem.message}`, problem.hint);
  const { text = "", file: path = file } = source ?? {};
  const read = readDocuments(text, path);
  if (hasErrors(read.problems)) throw new ProblemsError(exitCodes.badInput, read.problems, new Map([[path, text]]));
  const value = read.documents[0]?.value;
  if (isJsonObject(value) && typeof value["kind"] === "string" && "apiVersion" in value) {
    throw badInput(`${file} is a ${value["kind"]}, and -f is for a file of parameters`, "leave out -f");
  }
  if (!isJsonObject(value)) throw badInput(`${file}: expected a map of parameters, one NAME: VALUE a line`);
  return Object.entries(value).map(([name, one]) => ({ name, value: parameterText(one) }));
}

export function parameterText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Where parameters may go: the workflow's own, merged with those of the template that it is made from. */
export interface ParameterPlace {
  /** The effective arguments. */
  readonly parameters: readonly Parameter[];
  /** Inputs of the entry template: what the arguments do not hold is missing. */
  readonly entryInputs: readonly Parameter[];
  /** Names that the spec reads as `workflow.parameters.NAME`. */
  readonly read: ReadonlySet<string>;
}

/** The spec of a template resource; undefined where there is none of that name. */
export type FindTemplate = (
  kind: "WorkflowTemplate" | "ClusterWorkflowTemplate",
  name: string,
) => WorkflowSpec | undefined;

/** A spec, and that of the template resource which it names. */
export function specsOf(spec: WorkflowSpec, find: FindTemplate): readonly WorkflowSpec[] {
  const ref = spec.workflowTemplateRef;
  if (ref?.name === undefined) return [spec];
  const outer = find(ref.clusterScope === true ? "ClusterWorkflowTemplate" : "WorkflowTemplate", ref.name);
  return outer === undefined ? [spec] : [spec, outer];
}

export function specOfObject(object: KubeObject | undefined): WorkflowSpec | undefined {
  return object !== undefined && hasSpec(object) ? object.spec : undefined;
}

export function parameterPlace(specs: readonly WorkflowSpec[], entrypoint: string | undefined): ParameterPlace {
  const parameters = new Map<string, Parameter>();
  for (const spec of [...specs].reverse()) {
    for (const parameter of spec.arguments?.parameters ?? []) parameters.set(parameter.name, parameter);
  }
  const name = entrypoint ?? specs.find((spec) => spec.entrypoint)?.entrypoint;
  const entry = specs.flatMap((spec) => spec.templates ?? []).find((template) => template.name === name);
  const text = JSON.stringify(specs);
  const read = [...text.matchAll(/workflow\.parameters\.([\w-]+)/g)].map((match) => match[1] ?? "");
  return { parameters: [...parameters.values()], entryInputs: entry?.inputs?.parameters ?? [], read: new Set(read) };
}

/** A warning for each `-p` that nothing takes. */
export function unusedParameters(
  given: readonly ParameterValue[],
  places: readonly ParameterPlace[],
): readonly Problem[] {
  const known = new Set(
    places.flatMap((place) =>
      [...place.parameters, ...place.entryInputs].map(({ name }) => name).concat([...place.read]),
    ),
  );
  return given
    .filter(({ name }) => !known.has(name))
    .map(({ name, value }): Problem => {
      const near = nearestName(name, known);
      const hint = near === undefined ? {} : { hint: `did you mean "${near}"?` };
      return {
        code: "unused",
        severity: "warning",
        path: "",
        message: `-p ${name}=${value}: nothing takes it`,
        ...hint,
      };
    });
}

/** Parameters without a value, in the order written. */
export function missingParameters(place: ParameterPlace, given: readonly ParameterValue[]): readonly Parameter[] {
  const values = new Set(given.map(({ name }) => name));
  const own = place.parameters.filter(
    (parameter) => parameter.value === undefined && parameter.valueFrom === undefined && !values.has(parameter.name),
  );
  const held = new Set([...place.parameters.map(({ name }) => name), ...values]);
  const inputs = place.entryInputs.filter(
    ({ name, value, default: fallback, valueFrom }) =>
      value === undefined && fallback === undefined && valueFrom === undefined && !held.has(name),
  );
  return [...own, ...inputs];
}

export function missingParameterProblem(parameter: Parameter, position?: Position): Problem {
  const message = missingParameterText(parameter);
  const problem = { code: "no-parameter", severity: "error", path: "", message } as const;
  return position === undefined ? problem : { ...problem, position };
}

/** `"env" (which cluster; dev or prod) has no value: add -p env=dev` */
export function missingParameterText(parameter: Parameter): string {
  const { name, description, enum: choices = [] } = parameter;
  const about = [description?.replace(/\s+/g, " ").trim() ?? "", choices.join(" or ")].filter((text) => text !== "");
  const remark = about.length === 0 ? "" : ` (${about.join("; ")})`;
  return `"${name}"${remark} has no value: add ${parameterFlag(parameter)}`;
}

/** `-p env=dev`, ready to copy. */
export function parameterFlag({ name, enum: choices = [], default: fallback }: Parameter): string {
  return `-p ${shellWord(`${name}=${choices[0] ?? fallback ?? "VALUE"}`)}`;
}
