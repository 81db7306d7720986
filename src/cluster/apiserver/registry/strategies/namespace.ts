/** Namespaces: Active until deleted; then Terminating until they are empty. */

import { fieldOf, objectField, withField } from "../fields.js";
import type { Strategy } from "./strategy.js";

/** Stands in spec.finalizers of a namespace until nothing is left in it. */
export const namespaceFinalizer = "kubernetes";

export const namespaceStrategy: Strategy = {
  create: (namespace) => {
    const labels = { ...namespace.metadata.labels, "kubernetes.io/metadata.name": namespace.metadata.name ?? "" };
    const labelled = { ...namespace, metadata: { ...namespace.metadata, labels } };
    const finalized = withField(labelled, "spec", {
      ...objectField(namespace, "spec"),
      finalizers: [namespaceFinalizer],
    });
    return withField(finalized, "status", { phase: "Active" });
  },
  // Only the collector takes the finalizer away.
  update: (namespace, before) => withField(namespace, "spec", fieldOf(before, "spec")),
  selectable: ["status.phase"],
};
