/** What must hold of every decision. */

import type { Decision } from "../../../src/core/engine/contract.js";
import type { Run } from "../../../src/core/engine/index.js";
import type { NodeId } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { leftIn } from "../invariants/leftovers.js";
import { comparePhases } from "../invariants/phases.js";
import type { Broken } from "../invariants/watchdog.js";
import { changedNodes, nodesOf } from "../world/changed-nodes.js";

export interface Decided {
  readonly before: Workflow;
  readonly after: Workflow;
  readonly decision: Decision;
  /** With the decision in force. */
  readonly run: Run;
  readonly now: number;
  /** Pods that were asked for, and of which no end was told. */
  readonly asked: ReadonlySet<NodeId>;
  /** Nothing but time passed: when the decision before said that it would matter. */
  readonly wakeAt?: number | undefined;
}

type Check = (step: Decided, fail: (message: string) => void) => void;

const all = {
  left: ({ before, after }, fail) => {
    for (const fault of leftIn(changedNodes(nodesOf(before), nodesOf(after)), nodesOf(after))) fail(fault);
    if (isFinal(after)) for (const text of openIn(after)) fail(`${text}, and the workflow is ${after.status?.phase}`);
  },
  I7: ({ before, after }, fail) =>
    comparePhases({ was: before, is: after, nodes: changedNodes(nodesOf(before), nodesOf(after)) }, fail),
  /** What is saved is what the run goes on with. */
  saved: ({ after, run }, fail) => {
    const nodes = after.status?.nodes ?? {};
    for (const node of run.nodes()) if (nodes[node.id] !== node) fail(`${node.name} is not saved as it is`);
  },
  demands: (step, fail) => {
    for (const demand of step.decision.demands) {
      const fault = demand.kind === "create-pod" ? podFault(step, demand.nodeId) : undefined;
      if (fault !== undefined)
        fail(
          `a pod for ${step.after.status?.nodes?.[demand.kind === "create-pod" ? demand.nodeId : ""]?.name}: ${fault}`,
        );
    }
  },
  wake: (step, fail) => {
    if (!("wakeAt" in step) || step.decision.needs.length > 0) return;
    const { decision, wakeAt = Number.POSITIVE_INFINITY, now } = step;
    if (now < wakeAt && changesSomething(decision)) fail(`time alone changed the answer ${wakeAt - now} ms early`);
  },
} satisfies Readonly<Record<string, Check>>;

export function* checks(step: Decided): Generator<Broken> {
  for (const [invariant, check] of Object.entries<Check>(all)) {
    const messages: string[] = [];
    check(step, (message) => messages.push(message));
    for (const message of messages) yield { invariant, message };
  }
}

function podFault({ after, asked }: Decided, id: NodeId): string | undefined {
  const node = after.status?.nodes?.[id];
  const { shutdown, suspend } = after.spec;
  if (node?.phase !== "Pending") return `it is ${node?.phase}`;
  if (asked.has(id)) return "it was asked for before";
  if (shutdown === "Terminate" || (shutdown === "Stop" && !node.name.includes(".onExit"))) return "it is shut down";
  return suspend === true && shutdown === undefined ? "the workflow is suspended" : undefined;
}

function isFinal({ status }: Workflow): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed" || status?.phase === "Error";
}

function* openIn({ status }: Workflow): Generator<string> {
  for (const { name, phase } of Object.values(status?.nodes ?? {}))
    if (phase === "Pending" || phase === "Running") yield `${name} is ${phase}`;
}

function changesSomething({ changedNodes, statusFields, demands }: Decision): boolean {
  return changedNodes.size > 0 || Object.keys(statusFields).length > 0 || demands.length > 0;
}
