/** I6: no more pods of a workflow are at work than its parallelism allows; locks come with their kinds. */

import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { workflows } from "../../../src/core/model/resources.js";
import { readSpec } from "../../../src/core/template/index.js";
import type { MakeInvariant } from "./invariant.js";

export const limitsHold: MakeInvariant = (_world, fail) => {
  /** By UID; undefined: it has none, or one that attempts of a retry may go beyond, as in Argo. */
  const limits = new Map<string, number | undefined>();

  function limitOf({ metadata: { uid = "" }, spec }: Workflow): number | undefined {
    if (limits.has(uid)) return limits.get(uid);
    const read = readSpec(spec).spec;
    const limit = hasRetries(read) ? undefined : read.parallelism;
    limits.set(uid, limit);
    return limit;
  }

  return {
    event: ({ type, after }) => {
      if (type !== workflows || after === undefined) return;
      const workflow = after as Workflow;
      const limit = limitOf(workflow);
      if (limit === undefined) return;
      const active = Object.values(workflow.status?.nodes ?? {}).filter(isActivePod);
      if (active.length > limit)
        fail(`${active.length} pods of ${workflow.metadata.name} are at work, and its parallelism is ${limit}`);
    },
  };
};

function hasRetries({ templates = [], retryStrategy }: Workflow["spec"]): boolean {
  return retryStrategy !== undefined || templates.some((template) => template.retryStrategy !== undefined);
}

function isActivePod({ type, phase }: NodeStatus): boolean {
  return type === "Pod" && (phase === "Pending" || phase === "Running");
}
