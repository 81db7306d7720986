/** What comes of a demand: done, refused for now, or refused for good. */

import type { CreateResult, Demand, DemandOutcome } from "../../../src/core/engine/contract.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Outside } from "./outside.js";

/** Without chance everything is done. */
export function answer(outside: Outside, demand: Demand, chance: SeededChance | undefined): DemandOutcome {
  const refusal = refusalBy(chance);
  switch (demand.kind) {
    case "create-pod": {
      const { nodeId, pod } = demand;
      const result = refusal ?? outside.create(demand);
      return { demand: "create-pod", nodeId, podName: pod.metadata.name ?? "", result };
    }
    case "create-pvc": {
      const name = demand.claim.metadata.name ?? "";
      if (refusal === undefined) outside.claims.add(name);
      return { demand: "create-pvc", name, result: refusal ?? { kind: "created" } };
    }
    case "delete-pvc": {
      const { name } = demand;
      if (refusal?.kind === "refused-for-now") return { demand: "delete-pvc", name, result: refusal };
      outside.claims.delete(name);
      return { demand: "delete-pvc", name, result: { kind: "gone" } };
    }
  }
}

type Refusal = Exclude<CreateResult, { readonly kind: "created" }>;

function refusalBy(chance: SeededChance | undefined): Refusal | undefined {
  switch (chance?.below(14)) {
    case 0:
      return { kind: "refused", message: "denied by a webhook" };
    case 1:
      return { kind: "refused-for-now", message: "exceeded quota" };
    default:
      return undefined;
  }
}
