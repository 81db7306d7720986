/** Tasks that have no node yet: what they wait for, or why they cannot run any more. */

import type { Call } from "../templates.js";
import type { Boundary } from "./boundary.js";
import type { TreeItem } from "./item.js";

/** One item; none when the boundary itself is settled well (a task outside the targets never begins). */
export function notBegun(boundary: Boundary, call: Call): readonly TreeItem[] {
  const { phase } = boundary.node;
  if (phase === "Succeeded" || phase === "Skipped" || phase === "Omitted") return [];
  const failed = boundary.blocking(call);
  const stopped = phase === "Failed" || phase === "Error";
  const item = { id: "", label: call.name, lastLine: "", startedAt: undefined, finishedAt: undefined };
  const whole = { ...item, kind: "leaf" as const, children: [] };
  if (failed !== undefined) return [{ ...whole, state: "cannotRun", note: `cannot run: ${failed} failed` }];
  if (stopped) return [{ ...whole, state: "cannotRun", note: "did not run" }];
  return [{ ...whole, state: "waiting", note: waitNote(boundary, call) }];
}

function waitNote(boundary: Boundary, call: Call): string {
  const open = call.waitsFor.filter((name) => {
    const nodes = boundary.nodesOf(name);
    return nodes.length === 0 || nodes.some((node) => node.finishedAt === undefined);
  });
  if (open.length === 0) return "waits for its turn";
  if (open.length <= 3) return `waits for ${open.join(", ")}`;
  return `waits for ${open.slice(0, 2).join(", ")} and ${open.length - 2} more`;
}
