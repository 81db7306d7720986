/** Limits on how much runs at once, and templates that stop at the first failure (Argo 4.1 behaviour 3.14). */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Template } from "../model/argo/template.js";
import type { Frame } from "./frames.js";
import { settleBelow } from "./leftovers.js";
import { markNode } from "./nodes/change.js";
import { isSettled } from "./nodes/phases.js";
import { type At, type Executed, isSuspended, type Pass } from "./pass.js";

const FAIL_FAST = "template has failed or errored children and failFast enabled";

/** Why the call cannot begin now; undefined when it can, or when it has begun. */
export function reachedLimit({ pass, frame }: At, node: NodeStatus | undefined): Executed | undefined {
  if (node !== undefined || frame.isAttempt || mayBegin(pass, frame)) return undefined;
  return { node: undefined, stop: { kind: "parallelism" } };
}

/** Room for one more, by the workflow's limit and that of the template around it. */
export function mayBegin(pass: Pass, frame: Frame): boolean {
  const { parallelism } = pass.spec;
  const { boundaryId } = frame.call;
  if (!pass.begins || isSuspended(pass)) return false;
  if (parallelism !== undefined && pass.nodes.activePods >= parallelism) return false;
  return boundaryId === undefined || hasRoom(pass, frame, boundaryId);
}

function hasRoom(pass: Pass, frame: Frame, boundaryId: NodeId): boolean {
  const { failFast: failsFast, parallelism: limit } = boundaryTemplateOf(frame) ?? {};
  if (failsFast === true && pass.nodes.unsuccessfulChildrenOf(boundaryId) > 0) return false;
  if (limit === undefined || pass.nodes.activeChildrenOf(boundaryId) < limit) return true;
  return pass.nodes.activeChildrenOf(boundaryId) - waitingBehind(pass, frame) < limit;
}

/**
 * How many composites of later groups of steps are open. They wait for the group that the call stands in, and hold no place
 * meanwhile: else neither could go on. A retried workflow is left so, when the exit hook of an earlier step is to run again.
 */
function waitingBehind(pass: Pass, frame: Frame): number {
  const boundary = boundaryFrameOf(frame);
  if (boundary?.state?.kind !== "steps") return 0;
  const { index } = boundary.state;
  const groups = `${boundary.call.nodeName}[`;
  if (pass.nodes.named(`${groups}${index + 1}]`) === undefined) return 0;
  let count = 0;
  for (const id of pass.nodes.open) {
    const node = pass.nodes.get(id);
    if (node === undefined || node.boundaryID !== frame.call.boundaryId || !isComposite(node)) continue;
    if (node.name.startsWith(groups) && Number.parseInt(node.name.slice(groups.length), 10) > index) count++;
  }
  return count;
}

function isComposite({ type }: NodeStatus): boolean {
  return type === "Steps" || type === "DAG";
}

/** The Steps or DAG template that a call stands in. */
export function boundaryTemplateOf(frame: Frame): Template | undefined {
  return boundaryFrameOf(frame)?.bound;
}

export function boundaryFrameOf(frame: Frame): Frame | undefined {
  for (let one = frame.owner; one !== undefined; one = one.owner) {
    if (one.state !== undefined) return one;
  }
  return undefined;
}

/**
 * Settles a failFast template once a child failed and no pod of it is active any more. Argo looks before it carries
 * children on: a composite child that fails only now makes its parent fail in the plain way, if it does so at once;
 * else Argo's next look ends it, for which nothing need come, as nothing new begins in it.
 */
export function failFast({ pass, frame, template }: At, node: NodeStatus): Executed | undefined {
  if (template.failFast !== true || isSettled(node)) return undefined;
  const failedNow = pass.begins ? 0 : pass.nodes.newlyFailedComposites(node.id);
  if (failedNow > 0) pass.frames.block(frame);
  if (pass.nodes.unsuccessfulChildrenOf(node.id) - failedNow === 0) return undefined;
  if (pass.nodes.activePodsOf(node.id) > 0) return undefined;
  if (node.type === "Steps") failOpenGroups(pass, node);
  const failed = markNode(pass, node, "Failed", FAIL_FAST);
  settleBelow(pass, failed);
  return { node: failed };
}

function failOpenGroups(pass: Pass, steps: NodeStatus): void {
  for (const id of [...pass.nodes.open]) {
    const node = pass.nodes.get(id);
    if (node?.type === "StepGroup" && node.boundaryID === steps.id) markNode(pass, node, "Failed", FAIL_FAST);
  }
}
