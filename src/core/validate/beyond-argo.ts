/** Variables that Argo's check lets pass, though they will never have a value where they stand. */

import type { Severity } from "../std/problem.js";
import { after, offers } from "./argo-accepts.js";
import { type KnownNames, splitNode } from "./known-names.js";

export interface NameFault {
  readonly severity: Severity;
  readonly hint: string;
}

/** Undefined for a name that is all right, or that only a run can tell. */
export function faultBeyondArgo(name: string, names: KnownNames): NameFault | undefined {
  const { own, nodes } = names;
  if (name === "item" || name.startsWith("item.")) {
    if (own === undefined || own.loop) return undefined;
    return { severity: "warning", hint: "there is no loop: it will stand there as it is" };
  }
  if (own === undefined || nodes === undefined) return undefined;
  const rest = after(`${nodes.word}.`, name);
  const found = rest === undefined ? undefined : splitNode(rest, nodes);
  if (found === undefined || found.node.name === own.name || !offers(found.node, found.of)) return undefined;
  const other = found.node;
  if (nodes.word === "steps" && other.group !== undefined && other.group === own.group) {
    return { severity: "error", hint: `${other.name} runs at the same time: put this step into a later group` };
  }
  if (nodes.word === "tasks" && own.follows !== undefined && !own.follows(other.name)) {
    return { severity: "error", hint: `add ${other.name} to the dependencies of ${own.name}` };
  }
  return undefined;
}
