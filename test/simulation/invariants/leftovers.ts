/** What has ended has nothing in it that is at work: nobody would hear of its end (lessons G.2, 4). */

import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { workflows } from "../../../src/core/model/resources.js";
import { type ChangedNode, type Nodes, nodesOf } from "../world/changed-nodes.js";
import type { MakeInvariant } from "./invariant.js";

export const nothingLeft: MakeInvariant = (_world, fail) => ({
  event: ({ type, after, nodes }) => {
    if (type !== workflows || after === undefined) return;
    for (const fault of leftIn(nodes, nodesOf(after as Workflow))) fail(`in ${after.metadata.name} ${fault}`);
  },
});

/** What a step from one state of the nodes to the next left at work in what has ended. */
export function* leftIn(changed: readonly ChangedNode[], all: Nodes): Generator<string> {
  for (const { was, is } of changed) {
    const fault = is === undefined ? undefined : (begunTooLate(is, all) ?? endedTooEarly(is, was, all));
    if (fault !== undefined) yield fault;
  }
}

function begunTooLate(node: NodeStatus, all: Nodes): string | undefined {
  const boundary = all[node.boundaryID ?? ""];
  return boundary !== undefined && hasEnded(boundary) && isAtWork(node) ? textOf(node, boundary) : undefined;
}

function endedTooEarly(whole: NodeStatus, before: NodeStatus | undefined, all: Nodes): string | undefined {
  if (!hasEnded(whole) || (before !== undefined && hasEnded(before))) return undefined;
  const part = Object.values(all).find((node) => isAtWork(node) && isPartOf(node, whole));
  return part === undefined ? undefined : textOf(part, whole);
}

/** A daemon that is up ends in its own time. */
function isAtWork({ phase, daemoned }: NodeStatus): boolean {
  return (phase === "Pending" || phase === "Running") && daemoned !== true;
}

function hasEnded({ phase }: NodeStatus): boolean {
  return phase === "Succeeded" || phase === "Failed" || phase === "Error";
}

/** Inside it, or one of its attempts or items. */
function isPartOf({ name, boundaryID }: NodeStatus, whole: NodeStatus): boolean {
  return boundaryID === whole.id || (boundaryID === whole.boundaryID && name.startsWith(`${whole.name}(`));
}

function textOf(part: NodeStatus, whole: NodeStatus): string {
  return `${part.name} is ${part.phase}, and ${whole.name} around it is ${whole.phase}`;
}
