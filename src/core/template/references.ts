/** Fills an invocation's arguments from the scope: parameters as text, artifacts as values (Argo 4.1 behaviour 3.6, 4.2). */

import { type ExprContext, evaluateWhen, type Scope, type SubstituteError, substitute } from "../expr/index.js";
import type { Artifact } from "../model/argo/artifact.js";
import type { Arguments, Invocation, Parameter } from "../model/argo/template.js";
import { err, ok, type Result } from "../std/result.js";
import { absentArgument } from "./arguments.js";
import { resolveArtifact } from "./artifact-reference.js";
import { isLoop } from "./expand.js";
import type { Variables } from "./scope.js";

/** `missing`: something may still come, look again; otherwise for good. */
export type ReferenceError = Pick<SubstituteError, "message" | "kind">;

/**
 * The invocation with its references replaced. `when` goes first: if it is false the rest stays as it is. Hooks are
 * left alone, they have their own time.
 */
export function resolveReferences<T extends Invocation>(
  invocation: T,
  variables: Variables,
  context: ExprContext,
): Result<T, ReferenceError> {
  const scope = variables.texts;
  const { hooks } = invocation;
  const body = withoutHooks(invocation);
  const early = earlyWhen(body.when, scope, context);
  if (!early.ok) return early;
  if (early.value !== undefined) return ok({ ...invocation, when: early.value });
  const marked = markAbsentArguments(body, scope);
  const replaced = substitute(marked, scope, { mode: "strict-steps", context });
  if (!replaced.ok) return replaced;
  const resolved: T = hooks === undefined ? replaced.value : { hooks, ...replaced.value };
  const proceeds = evaluateWhen(resolved.when ?? "");
  // In a loop `when` may still hold {{item}}: it is judged for each item.
  if (!proceeds.ok && !isLoop(resolved)) return err({ message: proceeds.error, kind: "failed" });
  if (proceeds.ok && !proceeds.value) return ok(resolved);
  return withResolvedArtifacts(resolved, variables, context);
}

function withoutHooks<T extends Invocation>(invocation: T): T;
function withoutHooks({ hooks: _hooks, ...body }: Invocation): Invocation {
  return body;
}

/** The replaced `when` if it is false without a doubt. */
function earlyWhen(
  when: string | undefined,
  scope: Scope,
  context: ExprContext,
): Result<string | undefined, ReferenceError> {
  if (when === undefined || when === "") return ok(undefined);
  const replaced = substitute(when, scope, { mode: "strict-steps", context });
  if (!replaced.ok) return replaced;
  const result = evaluateWhen(replaced.value);
  return ok(result.ok && !result.value ? replaced.value : undefined);
}

const WHOLE_TAG = /^\{\{\s*([^{}=][^{}]*?)\s*\}\}$/;

/** An argument that is nothing but a reference to an absent output is marked: its consumer may have a default. */
function markAbsentArguments<T extends Invocation>(invocation: T, scope: Scope): T {
  const parameters = invocation.arguments?.parameters;
  if (parameters === undefined) return invocation;
  const marked = parameters.map((parameter): Parameter => {
    const name = WHOLE_TAG.exec(parameter.value ?? "")?.[1];
    return name !== undefined && scope.get(name) === null ? { ...parameter, value: absentArgument } : parameter;
  });
  return { ...invocation, arguments: { ...invocation.arguments, parameters: marked } };
}

function withResolvedArtifacts<T extends Invocation>(
  invocation: T,
  variables: Variables,
  context: ExprContext,
): Result<T, ReferenceError> {
  const args = resolveArgumentArtifacts(invocation.arguments, variables, context);
  if (!args.ok) return args;
  return ok(args.value === undefined ? invocation : { ...invocation, arguments: args.value });
}

/** Replaces `from` and `fromExpression` of argument artifacts by what they point at. */
export function resolveArgumentArtifacts(
  args: Arguments | undefined,
  variables: Variables,
  context: ExprContext,
): Result<Arguments | undefined, ReferenceError> {
  if (args?.artifacts === undefined) return ok(args);
  const artifacts: Artifact[] = [];
  for (const artifact of args.artifacts) {
    if ((artifact.from ?? "") === "" && (artifact.fromExpression ?? "") === "") {
      artifacts.push(artifact);
      continue;
    }
    const resolved = resolveArtifact(artifact, variables, context);
    if (resolved.ok && resolved.value !== undefined) {
      artifacts.push({ ...resolved.value, name: artifact.name });
    } else if (!resolved.ok && artifact.optional !== true) {
      return err({ message: `unable to resolve references: ${resolved.error}`, kind: "failed" });
    } else if (!resolved.ok) {
      artifacts.push(artifact);
    }
  }
  return ok({ ...args, artifacts });
}
