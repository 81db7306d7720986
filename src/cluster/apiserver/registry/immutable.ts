/** `immutable: true` of ConfigMaps and Secrets. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import { jsonEqual } from "../../../kube/patch/equal.js";
import { fieldOf } from "./fields.js";

/** It holds for `fields` and for itself. */
export function immutableFaults(
  object: KubeObject,
  before: KubeObject | undefined,
  fields: readonly string[],
): readonly string[] {
  if (before === undefined || fieldOf(before, "immutable") !== true) return [];
  const changed = fields.filter((field) => !jsonEqual(fieldOf(object, field), fieldOf(before, field)));
  if (fieldOf(object, "immutable") !== true) changed.unshift("immutable");
  return changed.map((field) => `${field}: Forbidden: field is immutable when \`immutable\` is set`);
}
