/** Outputs of steps and DAG templates, taken from what their parts left (Argo 4.1 behaviour 4.5). */

import { type ExprContext, type ExprValue, printValue, type Scope, valueOfJson } from "../expr/index.js";
import type { Artifact } from "../model/argo/artifact.js";
import type { Outputs, Parameter, Template, ValueFrom } from "../model/argo/template.js";
import { err, ok, type Result } from "../std/result.js";
import { resolveArtifact, resolveVariable } from "./artifact-reference.js";
import { evaluateIn } from "./expression.js";
import type { Variables } from "./scope.js";

/** Undefined when the template declares none. */
export function compositeOutputs(
  template: Template,
  variables: Variables,
  context: ExprContext,
): Result<Outputs | undefined> {
  const declared = template.outputs;
  if ((declared?.parameters?.length ?? 0) === 0 && (declared?.artifacts?.length ?? 0) === 0) return ok(undefined);
  const parameters: Parameter[] = [];
  for (const parameter of declared?.parameters ?? []) {
    const value = parameterValue(parameter, variables.texts, context);
    if (!value.ok) return value;
    const { valueFrom: _from, ...rest } = parameter;
    parameters.push({ ...rest, value: value.value });
  }
  const artifacts: Artifact[] = [];
  for (const artifact of declared?.artifacts ?? []) {
    const resolved = outputArtifact(artifact, variables, context);
    if (!resolved.ok) return resolved;
    if (resolved.value !== undefined) artifacts.push({ ...resolved.value, name: artifact.name });
  }
  return ok({
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
  });
}

function parameterValue(parameter: Parameter, scope: Scope, context: ExprContext): Result<string> {
  const from = parameter.valueFrom;
  if (from === undefined) return err("output parameters must have a valueFrom specified");
  const value = sourceValue(parameter.name, from, scope, context);
  if (value.ok) return ok(printValue(value.value));
  return from.default === undefined ? value : ok(from.default);
}

function sourceValue(name: string, from: ValueFrom, scope: Scope, context: ExprContext): Result<ExprValue> {
  if ((from.expression ?? "") !== "") return evaluateIn(from.expression ?? "", scope, context);
  if ((from.parameter ?? "") === "") return ok(null);
  const value = resolveVariable(from.parameter ?? "", scope);
  if (!value.ok) return value;
  if (value.value !== null) return ok(valueOfJson(value.value));
  const reason = "is an absent optional (skipped/omitted node output with no default)";
  return err(`output parameter "${name}": "${from.parameter ?? ""}" ${reason}`);
}

function outputArtifact(artifact: Artifact, variables: Variables, context: ExprContext): Result<Artifact | undefined> {
  if ((artifact.from ?? "") === "" && (artifact.fromExpression ?? "") === "") return ok(undefined);
  const resolved = resolveArtifact(artifact, variables, context);
  if (resolved.ok) return resolved;
  if (artifact.optional === true && resolved.error.includes("Unable to resolve")) return ok(undefined);
  return err(`unable to resolve outputs from scope: ${resolved.error}`);
}
