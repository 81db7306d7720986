/** Binds arguments to a template's inputs and replaces what is known by then (Argo 4.1 behaviour 3.5, ProcessArgs). */

import { type ExprContext, type Scope, substitute, substituteText } from "../expr/index.js";
import { type Artifact, hasLocation } from "../model/argo/artifact.js";
import type { Arguments, Inputs, Parameter, Template } from "../model/argo/template.js";
import { configMapValue } from "./config-map.js";
import { found, type Lookup, problem, type ResourceFacts } from "./lookup.js";
import { goJsonText } from "./raw-json.js";
import { extendScope } from "./scope.js";

export interface BindContext {
  /** The workflow's variables. */
  readonly globals: Scope;
  /** `pod.name`, `node.name`, `steps.name`, `retries` and the like. */
  readonly locals: ReadonlyMap<string, string>;
  readonly namespace: string;
  readonly facts: ResourceFacts;
  readonly context: ExprContext;
}

/** An argument that is only a reference to an absent output; the consumer's default applies, else it is an error. */
export const absentArgument = "__argo-internal.absent-optional-output__";

/** The template with its inputs filled and its tags replaced; tags nobody knows yet stay. */
export function bindArguments(template: Template, args: Arguments, context: BindContext): Lookup<Template> {
  const parameters: Parameter[] = [];
  for (const input of template.inputs?.parameters ?? []) {
    const bound = bindParameter(input, args, context);
    if (bound.kind !== "found") return bound;
    parameters.push(bound.value);
  }
  const artifacts: Artifact[] = [];
  for (const input of template.inputs?.artifacts ?? []) {
    const bound = bindArtifact(input, args);
    if (bound.kind !== "found") return bound;
    artifacts.push(bound.value);
  }
  const inputs: Inputs = {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(artifacts.length > 0 ? { artifacts } : {}),
  };
  const { inputs: _unbound, ...rest } = template;
  return substituteTemplate(template.inputs === undefined ? rest : { inputs, ...rest }, context);
}

/** The workflow's and local variables first, then the template's own inputs and paths. */
export function substituteTemplate(
  template: Template,
  { globals, locals, context }: Pick<BindContext, "globals" | "locals" | "context">,
): Lookup<Template> {
  const outer = extendScope(globals, locals);
  const options = { mode: "allow-unresolved", context } as const;
  const first = substitute(template, outer, options);
  if (!first.ok) return problem(first.error.message);
  const own = extendScope(outer, inputVariables(first.value));
  const second = substitute(first.value, own, options);
  return second.ok ? found(second.value) : problem(second.error.message);
}

function* inputVariables(template: Template): Generator<readonly [string, string]> {
  const parameters = template.inputs?.parameters ?? [];
  for (const { name, value } of parameters) {
    if (value !== undefined) yield [`inputs.parameters.${name}`, value];
  }
  yield ["inputs.parameters", goJsonText(parameters)];
  yield* pathVariables("inputs.artifacts", template.inputs?.artifacts);
  yield* pathVariables("outputs.artifacts", template.outputs?.artifacts);
  const outputs = template.outputs?.parameters ?? [];
  yield* pathVariables(
    "outputs.parameters",
    outputs.map(({ name, valueFrom }) => ({
      name,
      ...(valueFrom?.path === undefined ? {} : { path: valueFrom.path }),
    })),
  );
}

function* pathVariables(
  prefix: string,
  items: readonly { readonly name: string; readonly path?: string }[] | undefined,
): Generator<readonly [string, string]> {
  for (const { name, path } of items ?? []) {
    if (path !== undefined && path !== "") yield [`${prefix}.${name}.path`, path];
  }
}

function bindParameter(input: Parameter, args: Arguments, context: BindContext): Lookup<Parameter> {
  const given = args.parameters?.find(({ name }) => name === input.name);
  const bound = withArgument(input, given);
  if (bound === undefined) {
    const reason = "argument references an absent optional (skipped/omitted node output with no default)";
    return problem(`inputs.parameters.${input.name}: ${reason}`);
  }
  if (bound.valueFrom?.configMapKeyRef !== undefined) return fromConfigMap(bound, context);
  if (bound.value === undefined) return problem(`inputs.parameters.${input.name} was not supplied`);
  return found(bound);
}

/** Undefined when the argument is absent and there is no default. */
function withArgument(input: Parameter, given: Parameter | undefined): Parameter | undefined {
  const value = input.value ?? input.default;
  const own = value === undefined ? input : { ...input, value };
  if (given === undefined) return own;
  if (given.value === absentArgument)
    return input.default === undefined ? undefined : { ...input, value: input.default };
  if (given.value !== undefined) return { ...own, value: given.value };
  const { value: _value, valueFrom: _valueFrom, ...rest } = own;
  return given.valueFrom === undefined ? rest : { ...rest, valueFrom: given.valueFrom };
}

function fromConfigMap(parameter: Parameter, bind: BindContext): Lookup<Parameter> {
  const ref = parameter.valueFrom?.configMapKeyRef;
  if (ref === undefined) return found(parameter);
  const options = { mode: "no-unresolved", context: bind.context } as const;
  const name = substituteText(ref.name ?? "", bind.globals, options);
  if (!name.ok) return problem(`unable to substitute configmap name: ${name.error.message}`);
  const key = substituteText(ref.key, bind.globals, options);
  if (!key.ok) return problem(`unable to substitute configmap key: ${key.error.message}`);
  const value = configMapValue({ namespace: bind.namespace, name: name.value, key: key.value }, bind.facts);
  if (value.kind === "need") return value;
  if (value.kind === "found") return found({ ...parameter, value: value.value });
  const fallback = parameter.valueFrom?.default;
  if (fallback !== undefined) return found({ ...parameter, value: fallback });
  return problem(`unable to retrieve inputs.parameters.${parameter.name} from ConfigMap: ${value.message}`);
}

function bindArtifact(input: Artifact, args: Arguments): Lookup<Artifact> {
  if (hasLocation(input)) return found(input);
  const given = args.artifacts?.find(({ name }) => name === input.name);
  if (input.optional !== true) {
    if (given === undefined) return problem(`inputs.artifacts.${input.name} was not supplied`);
    if (!hasLocation(given)) return problem(`inputs.artifacts.${input.name} missing location information`);
  }
  if (given === undefined) return found(input);
  const { path: _path, mode: _mode, recurseMode: _recurse, ...location } = given;
  return found({
    ...location,
    ...(input.path === undefined ? {} : { path: input.path }),
    ...(input.mode === undefined ? {} : { mode: input.mode }),
    ...(input.recurseMode === undefined ? {} : { recurseMode: input.recurseMode }),
  });
}
