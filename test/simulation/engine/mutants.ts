/** The engine with one thing forgotten each: the game has to find every one. */

import type { Demand } from "../../../src/core/engine/contract.js";
import type { AdvanceInput, Change, Decision, Run } from "../../../src/core/engine/index.js";
import { openRun } from "../../../src/core/engine/index.js";
import type { NodeId } from "../../../src/core/model/argo/node.js";
import type { Open } from "./game.js";

export interface EngineMutant {
  readonly name: string;
  readonly open: Open;
}

type Wrap = (run: Run) => Partial<Pick<Run, "advance" | "commit" | "rollback">>;

function mutant(name: string, wrap: Wrap): EngineMutant {
  return { name, open: (workflow, options) => wrapped(openRun(workflow, options), wrap) };
}

function wrapped(run: Run, wrap: Wrap): Run {
  const changed = wrap(run);
  return {
    advance: changed.advance ?? ((input) => run.advance(input)),
    commit: changed.commit ?? ((version) => run.commit(version)),
    rollback: changed.rollback ?? (() => run.rollback()),
    node: (id) => run.node(id),
    nodes: () => run.nodes(),
    get workflow() {
      return run.workflow;
    },
  };
}

function deaf(name: string, hears: (change: Change, index: number, all: readonly Change[]) => boolean): EngineMutant {
  return mutant(name, (run) => ({
    advance: (input: AdvanceInput) => run.advance({ ...input, changes: input.changes.filter(hears) }),
  }));
}

function silent(name: string, says: (decision: Decision) => Decision): EngineMutant {
  return mutant(name, (run) => ({ advance: (input: AdvanceInput) => says(run.advance(input)) }));
}

export const engineMutants: readonly EngineMutant[] = [
  deaf("of changes that come together only the last is taken up", (_change, index, all) => index === all.length - 1),
  deaf(
    "a shutdown is not heard",
    (change) => change.kind !== "workflow" || change.workflow.spec.shutdown === undefined,
  ),
  deaf("a refusal is not heard", (change) => change.kind !== "outcome" || change.outcome.result.kind === "created"),
  silent("nothing is to be waited for", (decision) => ({ ...decision, wakeAt: undefined })),
  silent("of nodes that fail nobody hears", (decision) => ({
    ...decision,
    changedNodes: new Map([...decision.changedNodes].filter(([, { phase }]) => phase !== "Failed")),
  })),
  mutant("a pod is asked for as long as its node is Pending", askingAgain),
  mutant("a decision that is taken back stays", (run) => ({ rollback: () => run.commit("") })),
];

function askingAgain(run: Run): ReturnType<Wrap> {
  const asked = new Map<NodeId, Demand>();
  const isOpen = ([id]: readonly [NodeId, Demand]): boolean => run.node(id)?.phase === "Pending";
  return {
    advance: (input) => {
      const decision = run.advance(input);
      for (const demand of decision.demands) if (demand.kind === "create-pod") asked.set(demand.nodeId, demand);
      const again = [...asked].filter(isOpen).map(([, demand]) => demand);
      return { ...decision, demands: [...new Set([...decision.demands, ...again])] };
    },
  };
}
