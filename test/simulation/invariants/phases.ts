/** I7: what has ended stays as it ended, but for a retry by hand: a workflow, and each of its nodes. */

import { annotations } from "../../../src/core/model/argo/names.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { workflows } from "../../../src/core/model/resources.js";
import type { ChangedNode } from "../world/changed-nodes.js";
import type { Fail, MakeInvariant } from "./invariant.js";

const final: readonly (string | undefined)[] = ["Succeeded", "Failed", "Error"];

export const phasesStay: MakeInvariant = (_world, fail) => ({
  event: ({ type, before, after, nodes }) => {
    if (type !== workflows || before === undefined || after === undefined) return;
    const [was, is] = [before as Workflow, after as Workflow];
    if (generationOf(was) === generationOf(is)) comparePhases({ was, is, nodes }, fail);
  },
});

/** One run of a workflow in two states, and how its nodes differ. */
export interface Difference {
  readonly was: Workflow;
  readonly is: Workflow;
  readonly nodes: readonly ChangedNode[];
}

export function comparePhases({ was, is, nodes }: Difference, fail: Fail): void {
  const { name } = is.metadata;
  if (final.includes(was.status?.phase) && was.status?.phase !== is.status?.phase)
    fail(`workflow ${name} went from ${was.status?.phase} to ${is.status?.phase}`);
  for (const { was: node, is: now } of nodes) {
    if (node === undefined || !final.includes(node.phase) || node.daemoned === true) continue;
    if (now?.phase !== node.phase && !isHookFault(is, now))
      fail(`node ${node.name} of ${name} went from ${node.phase} to ${now?.phase}`);
  }
}

/** A hook that cannot even begin makes an Error of the step that it belongs to, as it does in Argo. */
function isHookFault({ status }: Workflow, node: NodeStatus | undefined): boolean {
  if (node?.phase !== "Error") return false;
  const hooks = (node.children ?? []).map((id) => status?.nodes?.[id]).filter((one) => one?.nodeFlag?.hooked === true);
  return hooks.some((hook) => hook?.phase === "Error");
}

function generationOf({ metadata }: Workflow): string {
  return metadata.annotations?.[annotations.retryGeneration] ?? "0";
}
