/** Variables that Argo's check lets pass, though they will never have a value where they stand. */

import type { Severity } from "../std/problem.js";
import { after, offers } from "./argo-accepts.js";
import { type KnownNames, type OwnNode, splitNode } from "./known-names.js";

export interface NameFault {
  readonly severity: Severity;
  readonly hint: string;
}

/** Undefined for a name that is all right, or that only a run can tell. */
export function faultBeyondArgo(name: string, names: KnownNames): NameFault | undefined {
  const { own } = names;
  if (own === undefined) return undefined;
  if (name !== "item" && !name.startsWith("item.")) return faultOfNode(name, names, own);
  return own.loop ? undefined : { severity: "warning", hint: "there is no loop: it will stand there as it is" };
}

/** Outputs are known to those that run later, and to nobody else. */
function faultOfNode(name: string, names: KnownNames, own: OwnNode): NameFault | undefined {
  const found = nodeNamed(name, names);
  if (found === undefined || found.node.name === own.name || !offers(found.node, found.of)) return undefined;
  const other = found.node;
  if (other.group !== undefined && other.group === own.group) {
    return { severity: "error", hint: `${other.name} runs at the same time: put this step into a later group` };
  }
  if (own.follows === undefined || own.follows(other.name)) return undefined;
  return { severity: "error", hint: `add ${other.name} to the dependencies of ${own.name}` };
}

function nodeNamed(name: string, { nodes }: KnownNames): ReturnType<typeof splitNode> {
  const rest = nodes === undefined ? undefined : after(`${nodes.word}.`, name);
  return nodes === undefined || rest === undefined ? undefined : splitNode(rest, nodes);
}
