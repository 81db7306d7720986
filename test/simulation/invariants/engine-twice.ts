/** The engine decides the same two ways: step by step in an open run, and at once in a fresh one (design 2). */

import type { ControllerParts } from "../../../src/controller/index.js";
import type { AdvanceInput, Change, Decision, EngineOptions, Run } from "../../../src/core/engine/index.js";
import { openRun } from "../../../src/core/engine/index.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow, WorkflowStatus } from "../../../src/core/model/argo/workflow.js";
import type { World } from "../world/world.js";

export function checkedEngine(world: World): Partial<ControllerParts> {
  if (world.options.engineCheck === "off") return {};
  const fail = (message: string): void => world.watchdog.fail("engine", message);
  return { openRun: (workflow, options) => new CheckedRun(workflow, options, fail) };
}

class CheckedRun implements Run {
  readonly #run: Run;
  readonly #options: EngineOptions;
  readonly #fail: (message: string) => void;
  readonly #seen = new Map<string, Change>();
  /** Nodes and claims that were asked for: what became of it is not saved, so a fresh run asks again. */
  readonly #asked = new Set<string>();
  #status: Record<string, unknown>;
  #staged: Decision | undefined;

  constructor(workflow: Workflow, options: EngineOptions, fail: (message: string) => void) {
    this.#run = openRun(workflow, options);
    this.#options = options;
    this.#fail = fail;
    const { nodes: _, ...fields } = workflow.status ?? {};
    this.#status = { ...fields };
  }

  get workflow(): Workflow {
    return this.#run.workflow;
  }

  node(id: string): NodeStatus | undefined {
    return this.#run.node(id);
  }

  nodes(): IterableIterator<NodeStatus> {
    return this.#run.nodes();
  }

  advance(input: AdvanceInput): Decision {
    for (const change of input.changes) this.#see(change);
    const decision = this.#run.advance(input);
    this.#staged = decision;
    if (decision.needs.length === 0) this.#compare(input, decision);
    return decision;
  }

  commit(resourceVersion: string): void {
    const decision = this.#staged;
    this.#staged = undefined;
    this.#run.commit(resourceVersion);
    for (const [field, value] of Object.entries(decision?.statusFields ?? {})) {
      if (value === null) delete this.#status[field];
      else this.#status[field] = value;
    }
    for (const demand of decision?.demands ?? []) if (demand.kind === "create-pod") this.#asked.add(demand.nodeId);
  }

  rollback(): void {
    this.#staged = undefined;
    this.#run.rollback();
  }

  /** The last word about each thing is all that a fresh run could observe. */
  #see(change: Change): void {
    switch (change.kind) {
      case "pod":
        this.#seen.set(`pod ${change.view.nodeId}`, change);
        break;
      case "pod-gone":
        this.#seeGone(change);
        break;
      case "host-lost":
        this.#seen.set(`host ${change.uid}`, change);
        break;
      case "task-result":
        this.#seen.set(`result ${change.result.nodeId}`, change);
        break;
      case "outcome":
        this.#seen.set(
          `outcome ${change.outcome.demand === "create-pod" ? change.outcome.nodeId : change.outcome.name}`,
          change,
        );
        break;
      case "observed":
      case "workflow":
        break;
    }
  }

  #seeGone(change: Extract<Change, { kind: "pod-gone" }>): void {
    const known = this.#seen.get(`pod ${change.nodeId}`);
    if (known?.kind === "pod" && known.view.uid !== change.uid) return;
    this.#seen.set(`pod ${change.nodeId}`, change);
  }

  #compare({ now, facts }: AdvanceInput, decision: Decision): void {
    const nodes = Object.fromEntries([...this.#run.nodes()].map((node) => [node.id, node]));
    const status = { ...this.#status, nodes } as WorkflowStatus;
    const fresh = openRun({ ...this.#run.workflow, status }, { ...this.#options, onDefect: () => undefined });
    const changes: readonly Change[] = [...this.#seen.values(), { kind: "observed" }];
    const other = fresh.advance({ changes, now, facts });
    if (other.needs.length > 0) return;
    const [step, whole] = [this.#essence(decision), this.#essence(other)];
    if (step !== whole) this.#fail(`${this.workflow.metadata.name}: step by step ${step}\n    at once ${whole}`);
  }

  /** What both ways must agree on. Nodes asked for already, and their wake-ups, are known to one of them only. */
  #essence(decision: Decision): string {
    const demands = decision.demands
      .filter((demand) => demand.kind !== "create-pod" || !this.#asked.has(demand.nodeId))
      .map((demand) => (demand.kind === "create-pod" ? demand.nodeId : demand.kind))
      .sort();
    const nodes = [...decision.changedNodes.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    const { statusFields, labels, annotations } = decision;
    return canonical({ nodes, statusFields, labels, annotations, demands });
  }
}

/** Members in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
