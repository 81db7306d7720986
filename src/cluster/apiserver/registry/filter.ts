/** Which objects a list or watch shows: namespace, labels, fields. */

import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { ResourceType } from "../../../core/model/resources.js";
import { apiVersionOf } from "../../../core/model/resources.js";
import {
  type FieldRequirement,
  fieldValueOf,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from "../../../kube/selectors.js";
import { badRequest } from "./refusals.js";
import { strategyOf } from "./strategy-table.js";

export interface Selection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** `object` may be given without its row field. */
export type Filter = (object: KubeObject) => boolean;

/** Throws BadRequest for a selector that cannot be read, or a field that the type does not offer. */
export function filterOf(type: ResourceType, selection: Selection): Filter {
  const { namespace, labelSelector = "", fieldSelector = "" } = selection;
  const labels = parseLabelSelector(labelSelector);
  if (!labels.ok) throw badRequest(`unable to parse requirement: ${labels.error}`);
  const fields = parseFieldSelector(fieldSelector);
  if (!fields.ok) throw badRequest(fields.error);
  for (const { field } of fields.value) checkField(type, field, selection);
  return (object) =>
    (namespace === undefined || namespace === "" || object.metadata.namespace === namespace) &&
    (labels.value.length === 0 || matchesLabels(labels.value, object.metadata.labels)) &&
    (fields.value.length === 0 || matches(fields.value, object));
}

function matches(requirements: readonly FieldRequirement[], object: KubeObject): boolean {
  return matchesFields(requirements, (field) => fieldValueOf(object, field));
}

function checkField(type: ResourceType, field: string, { labelSelector = "", fieldSelector = "" }: Selection): void {
  if (field === "metadata.name" || field === "metadata.namespace") return;
  if (strategyOf(type).selectable?.includes(field) === true) return;
  const resource = `${apiVersionOf(type).includes("/") ? apiVersionOf(type) : `/${apiVersionOf(type)}`}, Resource=${type.plural}`;
  throw badRequest(
    `Unable to find "${resource}" that match label selector "${labelSelector}", field selector "${fieldSelector}": ` +
      `field label not supported: ${field}`,
  );
}
