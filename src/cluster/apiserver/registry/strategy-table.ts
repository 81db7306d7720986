/** The strategy of each type. */

import type { ResourceType } from "../../../core/model/resources.js";
import { immutableFaults } from "./immutable.js";
import { namespaceStrategy } from "./strategies/namespace.js";
import { podStrategy } from "./strategies/pod.js";
import { secretStrategy } from "./strategies/secret.js";
import type { Strategy } from "./strategies/strategy.js";

const eventFields = [
  ...["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map(
    (field) => `involvedObject.${field}`,
  ),
  ...["reason", "reportingComponent", "source", "type"],
];

const strategies: Readonly<Record<string, Strategy>> = {
  pods: podStrategy,
  secrets: secretStrategy,
  namespaces: namespaceStrategy,
  configmaps: { faults: (object, before) => immutableFaults(object, before, ["data", "binaryData"]) },
  events: { selectable: eventFields },
};

export function strategyOf(type: Pick<ResourceType, "group" | "plural">): Strategy {
  return (type.group === "" && Object.hasOwn(strategies, type.plural) ? strategies[type.plural] : undefined) ?? {};
}

/** Whether an update may leave resourceVersion out: only the core group's types allow it. */
export function allowsUnconditionalUpdate(type: ResourceType): boolean {
  return type.group === "";
}

/** Whether metadata.generation counts the changes of the type's objects. */
export function hasGeneration(type: ResourceType): boolean {
  return type.group.includes(".") ? !type.group.endsWith(".k8s.io") : type.plural === "pods";
}
