/** What `from`, `fromExpression` and `subPath` of an artifact point at (Argo 4.1 behaviour 4.5). */

import { type ExprContext, jsonOfValue, type Scope, substituteText } from "../expr/index.js";
import type { Artifact } from "../model/argo/artifact.js";
import type { Json } from "../std/json.js";
import { err, ok, type Result } from "../std/result.js";
import { evaluateIn } from "./expression.js";
import { isArtifact, type Variables, withArtifacts } from "./scope.js";

/** The value of a reference such as `{{steps.a.outputs.parameters.x}}`, with or without braces. */
export function resolveVariable(reference: string, scope: Scope): Result<Json> {
  const name = reference.replace(/^\{\{/, "").replace(/\}\}$/, "").trim();
  const value = scope.get(name);
  return value === undefined ? err(`Unable to resolve: "${name}"`) : ok(value);
}

/** Undefined when there is nothing: an expression that gives nil, or a reference to an absent output. */
export function resolveArtifact(
  artifact: Artifact,
  variables: Variables,
  context: ExprContext,
): Result<Artifact | undefined> {
  const scope = withArtifacts(variables);
  const expression = artifact.fromExpression ?? "";
  const value = expression === "" ? resolveVariable(artifact.from ?? "", scope) : computed(expression, scope, context);
  if (!value.ok) return value;
  if (value.value === null) return ok(undefined);
  if (!isArtifact(value.value)) return err(`unable to resolve artifact: ${artifact.from ?? expression} is no artifact`);
  if ((artifact.subPath ?? "") === "") return ok(value.value);
  const subPath = substituteText(artifact.subPath ?? "", variables.texts, { mode: "no-unresolved", context });
  return subPath.ok ? ok(appendToKey(value.value, subPath.value)) : err(subPath.error.message);
}

function computed(expression: string, scope: Scope, context: ExprContext): Result<Json> {
  const value = evaluateIn(expression, scope, context);
  return value.ok ? ok(jsonOfValue(value.value)) : value;
}

/** The same artifact, a path further down. */
function appendToKey(artifact: Artifact, subPath: string): Artifact {
  const join = (key: string | undefined): string => `${(key ?? "").replace(/\/+$/, "")}/${subPath.replace(/^\/+/, "")}`;
  if (artifact.s3 !== undefined) return { ...artifact, s3: { ...artifact.s3, key: join(artifact.s3.key) } };
  if (artifact.gcs !== undefined) return { ...artifact, gcs: { ...artifact.gcs, key: join(artifact.gcs.key) } };
  if (artifact.oss !== undefined) return { ...artifact, oss: { ...artifact.oss, key: join(artifact.oss.key) } };
  if (artifact.azure !== undefined)
    return { ...artifact, azure: { ...artifact.azure, blob: join(artifact.azure.blob) } };
  if (artifact.hdfs !== undefined) return { ...artifact, hdfs: { ...artifact.hdfs, path: join(artifact.hdfs.path) } };
  if (artifact.http !== undefined) return { ...artifact, http: { ...artifact.http, url: join(artifact.http.url) } };
  if (artifact.artifactory !== undefined) {
    return { ...artifact, artifactory: { ...artifact.artifactory, url: join(artifact.artifactory.url) } };
  }
  return artifact;
}
