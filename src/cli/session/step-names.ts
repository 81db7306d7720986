/** What steps are called where lines of several are mixed: the name people know, with what leads there where two share it. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflowKey } from "../workflow-key.js";

/** What is needed of a node; a pod may be known before its node. */
export type NamedNode = Pick<NodeStatus, "name" | "displayName" | "boundaryID">;

export class StepNames {
  /** Workflow and name -> the step that has it. */
  readonly #taken = new Map<string, string>();
  /** Workflow and step -> its name. */
  readonly #names = new Map<string, string>();

  /** The same each time, without the number of the attempt; no two steps of a workflow have one. */
  of(workflow: Workflow, node: NamedNode): string {
    const scope = workflowKey(workflow);
    const step = `${scope} ${withoutAttempts(node.name)}`;
    const known = this.#names.get(step);
    if (known !== undefined) return known;
    const names = namesOf(workflow, node);
    const name = names.find((one) => !this.#taken.has(`${scope} ${one}`)) ?? names.at(-1) ?? node.name;
    this.#taken.set(`${scope} ${name}`, step);
    this.#names.set(step, name);
    return name;
  }
}

/** All it may be called, from the short to the long: `inner(0:x)` stands in an item of a loop, so it is `outer(1:b)/inner(0:x)` at least. */
export function namesOf(workflow: Workflow, node: NamedNode): readonly string[] {
  const own = shownName(withoutAttempt(node.displayName));
  if (withoutAttempts(node.name) === workflow.metadata.name) {
    return [(workflow.status?.storedWorkflowTemplateSpec ?? workflow.spec).entrypoint ?? own];
  }
  const around = boundaries(workflow, node);
  const firstItem = around.findIndex(isLoopItem);
  const least = firstItem === -1 ? own : [...around.filter(isLoopItem), own].join("/");
  const longer = around.map((_, index) => [...around.slice(around.length - index - 1), own].join("/"));
  return [least, ...longer.filter((name) => name.length > least.length)];
}

/** Attempts of what is around a step do not make it another one. */
function withoutAttempts(name: string): string {
  return name.replace(/\(\d+\)(?=[.[]|$)/g, "");
}

/** Of what encloses it, outermost first; the workflow itself is no news. */
function boundaries({ metadata, status }: Workflow, node: NamedNode): readonly string[] {
  const names: string[] = [];
  let next = node.boundaryID;
  for (let depth = 0; next !== undefined && depth < DEPTH_MAX; depth++) {
    const boundary: NodeStatus | undefined = status?.nodes?.[next];
    if (boundary === undefined || withoutAttempts(boundary.name) === metadata.name) break;
    names.unshift(withoutAttempt(boundary.displayName));
    next = boundary.boundaryID;
  }
  return names;
}

/** Recursive templates may go deep: nobody reads a name of a thousand parts. */
const DEPTH_MAX = 20;

function isLoopItem(displayName: string): boolean {
  return /\(\d+:.*\)$/s.test(displayName);
}

function withoutAttempt(displayName: string): string {
  return displayName.replace(/\(\d+\)$/, "");
}

/** The exit handler of `nightly` is `nightly.onExit` to Argo, and `onExit` to people. */
function shownName(displayName: string): string {
  return displayName.endsWith(".onExit") ? "onExit" : displayName;
}
