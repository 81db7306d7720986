/** Two pods that claim to be one node's: only one of them can be (lessons A-21). */

import type { PodView } from "./view.js";

/**
 * Whether `view` is rather the node's than `other`, both of one node and one run of the workflow. Names are unique, so
 * two that live at once bear different ones: ours is the one that was named for the node, else the one that came first.
 */
export function isRatherOf(view: PodView, other: PodView): boolean {
  const [isNamed, isOtherNamed] = [isNamedForNode(view), isNamedForNode(other)];
  if (isNamed !== isOtherNamed) return isNamed;
  const [createdAt, otherCreatedAt] = [view.createdAt ?? "", other.createdAt ?? ""];
  // The successor of a pod of that name: the other's end has not been told yet.
  if (view.name === other.name) return createdAt > otherCreatedAt;
  return createdAt === otherCreatedAt ? view.uid < other.uid : createdAt < otherCreatedAt;
}

/** A pod's name is the node's ID, or ends in the same hash (Argo 4.1 behaviour 5.1). */
function isNamedForNode({ name, nodeId }: PodView): boolean {
  return name === nodeId || name.endsWith(nodeId.slice(nodeId.lastIndexOf("-")));
}
