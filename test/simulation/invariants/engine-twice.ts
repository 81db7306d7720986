/** The engine decides the same two ways: step by step in an open run, and at once in a fresh one (design 2). */

import type { ControllerParts } from "../../../src/controller/index.js";
import type { Demand } from "../../../src/core/engine/contract.js";
import type { AdvanceInput, Change, Decision, EngineOptions, Run } from "../../../src/core/engine/index.js";
import { openRun } from "../../../src/core/engine/index.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow, WorkflowStatus } from "../../../src/core/model/argo/workflow.js";
import type { World } from "../world/world.js";
import type { Fail } from "./invariant.js";

export function checkedEngine(world: World): Partial<ControllerParts> {
  if (world.options.engineCheck === "off") return {};
  const fail = (message: string): void => world.watchdog.fail("engine", message);
  return { openRun: (workflow, options) => decidedTwice(openRun(workflow, options), workflow, options, fail) };
}

/** `run` was opened just now on `workflow`; each of its decisions is made a second time from nothing, and compared. */
export function decidedTwice(run: Run, workflow: Workflow, options: EngineOptions, fail: Fail): Run {
  return new CheckedRun(run, workflow, options, fail);
}

class CheckedRun implements Run {
  readonly #run: Run;
  readonly #options: EngineOptions;
  readonly #fail: Fail;
  readonly #seen = new Map<string, Change>();
  /** Nodes and claims that were asked for: what became of it is not saved, so a fresh run asks again. */
  readonly #asked = new Set<string>();
  #status: Record<string, unknown>;
  #staged: Decision | undefined;

  constructor(run: Run, workflow: Workflow, options: EngineOptions, fail: Fail) {
    this.#run = run;
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
    for (const demand of decision?.demands ?? []) {
      const wanted = wantedBy(demand);
      this.#asked.add(wanted);
      // What was said before is of an earlier one.
      this.#seen.delete(`outcome ${wanted}`);
      if (demand.kind !== "create-pod") continue;
      this.#seen.delete(`pod ${demand.nodeId}`);
      this.#seen.delete(`gone ${demand.nodeId}`);
    }
  }

  rollback(): void {
    this.#staged = undefined;
    this.#run.rollback();
  }

  /** The last word about each thing is all that a fresh run could observe; in the order in which they were said. */
  #see(change: Change): void {
    const thing = thingOf(change);
    if (thing === undefined) return;
    if (!this.#isNews(change)) return;
    if (change.kind === "pod") this.#seen.delete(`gone ${change.view.nodeId}`);
    this.#seen.delete(thing);
    this.#seen.set(thing, change);
  }

  /** Of another pod's end it is no news that this one is gone, and of one that is gone nothing else is. */
  #isNews(change: Change): boolean {
    if (change.kind === "pod-gone") {
      const known = this.#seen.get(`pod ${change.nodeId}`);
      return known?.kind !== "pod" || known.view.uid === change.uid;
    }
    if (change.kind !== "pod") return true;
    const gone = this.#seen.get(`gone ${change.view.nodeId}`);
    return gone?.kind !== "pod-gone" || gone.uid !== change.view.uid;
  }

  #compare({ now, facts }: AdvanceInput, decision: Decision): void {
    const nodes = Object.fromEntries([...this.#run.nodes()].map((node) => [node.id, node]));
    const status = { ...this.#status, nodes } as WorkflowStatus;
    const fresh = openRun({ ...this.#run.workflow, status }, { ...this.#options, onDefect: () => undefined });
    const changes = [...this.#seen.values()].sort(hostsLast);
    changes.push({ kind: "observed" });
    const other = fresh.advance({ changes, now, facts });
    if (other.needs.length > 0) return;
    const difference = differenceOf(this.#essence(decision), this.#essence(other));
    if (difference !== "") this.#fail(`${this.workflow.metadata.name}: ${difference}`);
  }

  /** What both ways must agree on. Nodes asked for already, and their wake-ups, are known to one of them only. */
  #essence(decision: Decision): Essence {
    const demands = decision.demands.map(wantedBy).filter((wanted) => !this.#asked.has(wanted));
    const { statusFields, labels, annotations } = decision;
    const nodes = [...decision.changedNodes.values()].map((node) => [`node ${node.name}`, node] as const);
    return new Map<string, unknown>([
      ["demands", demands.sort()],
      ...nodes,
      ...Object.entries({ statusFields, labels, annotations }),
    ]);
  }
}

type Essence = ReadonlyMap<string, unknown>;

/** A line for each thing of which they say other than the same; empty when they agree. */
function differenceOf(step: Essence, whole: Essence): string {
  const lines: string[] = [];
  for (const thing of new Set([...step.keys(), ...whole.keys()])) {
    const [one, other] = [step, whole].map((essence) => canonical(essence.get(thing)) ?? "nothing");
    if (one !== other) lines.push(`${thing}: step by step ${one}\n    at once ${other}`);
  }
  return lines.join("\n  ");
}

/** What a change tells of; undefined: of nothing that would have to be told again. */
function thingOf(change: Change): string | undefined {
  switch (change.kind) {
    case "pod":
      return `pod ${change.view.nodeId}`;
    case "pod-gone":
      return `gone ${change.nodeId}`;
    case "host-lost":
      return `host ${change.uid}`;
    case "task-result":
      return `result ${change.result.nodeId}`;
    case "outcome": {
      const { outcome } = change;
      return `outcome ${outcome.demand} ${outcome.demand === "create-pod" ? outcome.nodeId : outcome.name}`;
    }
    case "observed":
    case "workflow":
      return undefined;
  }
}

/** That a machine is lost means something only of a pod that is known. */
function hostsLast(one: Change, other: Change): number {
  return Number(one.kind === "host-lost") - Number(other.kind === "host-lost");
}

function wantedBy(demand: Demand): string {
  switch (demand.kind) {
    case "create-pod":
      return `${demand.kind} ${demand.nodeId}`;
    case "create-pvc":
      return `${demand.kind} ${demand.claim.metadata.name ?? ""}`;
    case "delete-pvc":
      return `${demand.kind} ${demand.name}`;
  }
}

/** Members in the order of their names. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
