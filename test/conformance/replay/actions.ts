/** What the recording's driver did to the workflow from outside: resume, node set, stop, terminate. */

import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { resume, set, stop, terminate } from "../../../src/core/operations/index.js";
import type { Result } from "../../../src/core/std/result.js";
import type { RecordedAction } from "./recording.js";

/** The driver resumed a suspended node this long after it saw it. */
const RESUME_AFTER_MS = 1500;
/** Where the recording names stop or terminate, it came so long after the start. */
const SHUTDOWN_AFTER_MS = 3000;

export class ActionDriver {
  private readonly waiting: RecordedAction[];
  private readonly firstSeen = new Map<string, number>();
  private startedAt: number | undefined;

  constructor(actions: readonly RecordedAction[]) {
    this.waiting = actions.filter((action) => action.rc === 0);
  }

  /** When the next action is due, if one is. */
  next(nodes: readonly NodeStatus[], now: number): number | undefined {
    this.startedAt ??= now;
    const [action] = this.waiting;
    if (action === undefined) return undefined;
    if (isShutdown(action)) return this.startedAt + SHUTDOWN_AFTER_MS;
    const seen = nodes.filter(isSuspended).map((node) => this.seen(node.id, now));
    return seen.length === 0 ? undefined : Math.min(...seen) + RESUME_AFTER_MS;
  }

  /** Does what is due now; undefined when nothing is. */
  act(workflow: Workflow, nodes: readonly NodeStatus[], now: number): Workflow | undefined {
    const due = this.next(nodes, now);
    if (due === undefined || due > now) return undefined;
    let acted = workflow;
    for (;;) {
      const action = this.waiting.shift();
      if (action === undefined) return acted;
      acted = perform(acted, action.cmd, now);
      if (!action.cmd.startsWith("argo node set")) return acted;
    }
  }

  private seen(nodeId: string, now: number): number {
    const first = this.firstSeen.get(nodeId) ?? now;
    this.firstSeen.set(nodeId, first);
    return first;
  }
}

function isShutdown(action: RecordedAction): boolean {
  return /^argo (stop|terminate) /.test(action.cmd);
}

function isSuspended(node: NodeStatus): boolean {
  return node.type === "Suspend" && node.phase === "Running";
}

function perform(workflow: Workflow, command: string, now: number): Workflow {
  const selector = /--node-field-selector (\S+)/.exec(command)?.[1];
  const result = operate(workflow, command, selector, now);
  if (!result.ok) throw new Error(`${command}: ${result.error}`);
  return result.value;
}

function operate(workflow: Workflow, command: string, selector: string | undefined, now: number): Result<Workflow> {
  const [, verb] = command.split(" ");
  switch (verb) {
    case "resume":
      return resume(workflow, { now, ...(selector !== undefined && { nodeFieldSelector: selector }) });
    case "stop":
      return stop(workflow, { now });
    case "terminate":
      return terminate(workflow);
    case "node":
      return set(workflow, { nodeFieldSelector: selector ?? "", change: { outputParameters: outputOf(command) }, now });
    default:
      throw new Error(`unknown action: ${command}`);
  }
}

function outputOf(command: string): Record<string, string> {
  const pairs = [...command.matchAll(/--output-parameter ([^=\s]+)=(\S*)/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
}
