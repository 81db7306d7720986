/** Where a pod may run: the template's own word, else its boundary template's, else the workflow's (Argo 4.1 5.5). */

import type { Template } from "../../model/argo/template.js";
import type { WorkflowSpec } from "../../model/argo/workflow.js";
import { isJsonObject, type Json, type JsonObject } from "../../std/json.js";
import { type PodContext, type PodPart, specField, withSpec } from "../context.js";

const HOST_NAME_LABEL = "kubernetes.io/hostname";

/** In the order of precedence. */
function levels({ request }: PodContext): readonly (Template | WorkflowSpec | undefined)[] {
  return [request.template, request.boundaryTemplate, request.spec];
}

function first<T>(context: PodContext, field: (level: Template | WorkflowSpec) => T | undefined): T | undefined {
  for (const level of levels(context)) {
    const value = level === undefined ? undefined : field(level);
    if (value !== undefined) return value;
  }
  return undefined;
}

const nodeSelector = specField(
  (context) => first(context, (level) => level.nodeSelector),
  (value) => ({ nodeSelector: value }),
);

const affinity = specField(
  (context) => first(context, (level) => level.affinity),
  (value) => ({ affinity: value }),
);

const tolerations = specField(
  (context) => first(context, (level) => level.tolerations),
  (value) => ({ tolerations: value }),
);

/** retryStrategy.affinity.nodeAntiAffinity: not again where an earlier attempt failed (Argo 4.1 behaviour 3.10). */
const antiAffinity: PodPart = (pod, { request: { template, excludedHosts, config } }) => {
  const wanted = template.retryStrategy?.affinity?.nodeAntiAffinity !== undefined;
  if (!wanted || excludedHosts === undefined || excludedHosts.length === 0) return pod;
  const key = config.hostNameLabel ?? HOST_NAME_LABEL;
  const expression = { key, operator: "NotIn", values: excludedHosts };
  return withSpec(pod, { affinity: withNodeExpression(pod.spec.affinity ?? {}, expression) });
};

/** The terms of a node affinity are alternatives: the expression goes into each of them. */
function withNodeExpression(affinityValue: JsonObject, expression: JsonObject): JsonObject {
  const node = objectAt(affinityValue, "nodeAffinity");
  const required = objectAt(node, "requiredDuringSchedulingIgnoredDuringExecution");
  const terms = listAt(required, "nodeSelectorTerms");
  const changed = (terms.length === 0 ? [{}] : terms).map((term) => {
    if (!isJsonObject(term)) return term;
    return { ...term, matchExpressions: [...listAt(term, "matchExpressions"), expression] };
  });
  const requiredNode = { ...required, nodeSelectorTerms: changed };
  return {
    ...affinityValue,
    nodeAffinity: { ...node, requiredDuringSchedulingIgnoredDuringExecution: requiredNode },
  };
}

function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return value !== undefined && isJsonObject(value) ? value : {};
}

function listAt(parent: JsonObject, key: string): readonly Json[] {
  const value = parent[key];
  return Array.isArray(value) ? value : [];
}

const schedulerName = specField(
  ({ request: { template, spec } }) => nonEmpty(template.schedulerName) ?? nonEmpty(spec.schedulerName),
  (value) => ({ schedulerName: value }),
);

const priorityClass = specField(
  ({ request: { template, spec } }) => nonEmpty(template.priorityClassName) ?? nonEmpty(spec.podPriorityClassName),
  (value) => ({ priorityClassName: value }),
);

const binding = specField(
  ({ request: { config } }) => config.boundTo,
  (value) => ({ nodeName: value }),
);

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

export const schedulingParts: readonly PodPart[] = [
  nodeSelector,
  affinity,
  antiAffinity,
  tolerations,
  schedulerName,
  priorityClass,
  binding,
];
