/** Requirements on labels, and whether labels meet them (Kubernetes' rules for missing keys and numbers). */

import type { LabelSelector, LabelSelectorRequirement } from "../../core/model/kube/meta.js";
import { err, ok, type Result } from "../../core/std/result.js";
import { labelKeyFault, labelValueFault } from "./syntax.js";

export type LabelOperator = LabelSelectorRequirement["operator"] | "Gt" | "Lt";

/** One term; `=` and `==` are `In` with one value, `!=` is `NotIn` with one value. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Whether every requirement holds; an empty list matches everything. */
export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return requirements.every((requirement) => matches(requirement, labelOf(labels, requirement.key)));
}

function labelOf(labels: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function matches(requirement: LabelRequirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "In":
      return value !== undefined && requirement.values.includes(value);
    case "NotIn":
      return value === undefined || !requirement.values.includes(value);
    case "Gt":
    case "Lt":
      return compares(requirement, value);
  }
}

function compares(requirement: LabelRequirement, value: string | undefined): boolean {
  const bound = integerOf(requirement.values[0]);
  const actual = integerOf(value);
  if (bound === undefined || actual === undefined) return false;
  return requirement.operator === "Gt" ? actual > bound : actual < bound;
}

function integerOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[+-]?[0-9]{1,19}$/.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
}

/** A requirement, or why it cannot be one, in the API server's words. */
export function newRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): Result<LabelRequirement> {
  const keyFault = labelKeyFault(key);
  if (keyFault !== undefined) return err(`key: Invalid value: ${JSON.stringify(key)}: ${keyFault}`);
  const fault = valuesFault(operator, values);
  if (fault !== undefined) return err(fault);
  for (const [index, value] of values.entries()) {
    const valueFault = labelValueFault(value);
    if (valueFault !== undefined)
      return err(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${valueFault}`);
  }
  return ok({ key, operator, values });
}

function valuesFault(operator: LabelOperator, values: readonly string[]): string | undefined {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length === 0
        ? "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"
        : undefined;
    case "Exists":
    case "DoesNotExist":
      return values.length > 0
        ? `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`
        : undefined;
    case "Gt":
    case "Lt":
      return integerOf(values[0]) === undefined
        ? `values[0]: Invalid value: ${JSON.stringify(values[0] ?? "")}: for 'Gt', 'Lt' operators, the value must be an integer`
        : undefined;
  }
}

/** The requirements of a `matchLabels`/`matchExpressions` selector (podGC, PVC); an empty one matches everything. */
export function labelRequirementsOf(selector: LabelSelector): Result<readonly LabelRequirement[]> {
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const requirement = newRequirement(key, "In", [value]);
    if (!requirement.ok) return requirement;
    requirements.push(requirement.value);
  }
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    if (!operators.has(operator)) return err(`"${operator}" is not a valid label selector operator`);
    const requirement = newRequirement(key, operator, values ?? []);
    if (!requirement.ok) return requirement;
    requirements.push(requirement.value);
  }
  return ok(requirements);
}

/** The input may come from YAML, so the type alone proves nothing. */
const operators: ReadonlySet<string> = new Set(["In", "NotIn", "Exists", "DoesNotExist"]);
