/** Tasks that have no node yet: what they wait for, or why they cannot run any more. */

import type { NodeStatus } from "../../../core/model/argo/node.js";
import type { Call } from "../templates.js";
import type { TreeItem } from "./item.js";
import { loopItem } from "./node-index.js";

export interface NotBegun {
  readonly boundary: NodeStatus;
  readonly calls: readonly Call[];
  readonly call: Call;
  /** The nodes that the boundary has so far. */
  readonly inside: readonly NodeStatus[];
}

/** One item; none when the boundary itself is settled well (a task outside the targets never begins). */
export function notBegun(facts: NotBegun): readonly TreeItem[] {
  const { boundary, call } = facts;
  if (boundary.phase === "Succeeded" || boundary.phase === "Skipped" || boundary.phase === "Omitted") return [];
  const failed = blocking(facts, call, new Set());
  const stopped = boundary.phase === "Failed" || boundary.phase === "Error";
  const item = { id: "", label: call.name, lastLine: "", startedAt: undefined, finishedAt: undefined };
  const whole = { ...item, kind: "leaf" as const, children: [] };
  if (failed !== undefined) return [{ ...whole, state: "cannotRun", note: `cannot run: ${failed} failed` }];
  if (stopped) return [{ ...whole, state: "cannotRun", note: "did not run" }];
  return [{ ...whole, state: "waiting", note: waitNote(facts) }];
}

/** The failed task that makes this one impossible, through any number of others; undefined when there is none. */
function blocking(facts: NotBegun, call: Call, seen: Set<string>): string | undefined {
  if (/\.(Failed|Errored|Skipped|Omitted|Daemoned|AnySucceeded|AllFailed)|!|\|\|/.test(call.depends)) return undefined;
  seen.add(call.name);
  for (const name of call.waitsFor) {
    const dependency = facts.calls.find((candidate) => candidate.name === name);
    if (dependency === undefined || seen.has(name)) continue;
    const nodes = nodesOf(facts.inside, name);
    if (nodes.some(hasFailed) && !mayFail(dependency)) return name;
    if (nodes.length > 0) continue;
    const deeper = blocking(facts, dependency, seen);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function mayFail(call: Call): boolean {
  return call.invocation.continueOn?.failed === true || call.invocation.continueOn?.error === true;
}

function hasFailed(node: NodeStatus): boolean {
  return node.phase === "Failed" || node.phase === "Error";
}

function nodesOf(inside: readonly NodeStatus[], name: string): readonly NodeStatus[] {
  return inside.filter((node) => node.displayName === name || loopItem(node.displayName)?.base === name);
}

function waitNote({ call, inside }: NotBegun): string {
  const open = call.waitsFor.filter((name) => {
    const nodes = nodesOf(inside, name);
    return nodes.length === 0 || nodes.some((node) => node.finishedAt === undefined);
  });
  if (open.length === 0) return "waits for its turn";
  if (open.length <= 3) return `waits for ${open.join(", ")}`;
  return `waits for ${open.slice(0, 2).join(", ")} and ${open.length - 2} more`;
}
