/** The engine played without a shell: told what there is, its decisions saved and carried out, or lost. */

import type { Decision, Demand, Facts, Need } from "../../../src/core/engine/contract.js";
import type { Change, EngineOptions, openRun, Run } from "../../../src/core/engine/index.js";
import type { NodeId, NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow, WorkflowStatus } from "../../../src/core/model/argo/workflow.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import { retryGenerationOf } from "../../../src/core/podlife/index.js";
import { rfc3339OfMs } from "../../../src/core/std/time.js";
import { invalidSpecOrNeed } from "../../../src/core/validate/index.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { decidedTwice } from "../invariants/engine-twice.js";
import type { Broken } from "../invariants/watchdog.js";
import { History } from "../world/history.js";
import { answer } from "./answers.js";
import { checks } from "./checks.js";
import { sharedName } from "./meaner.js";
import { Outside } from "./outside.js";
import type { EnginePlan } from "./plan.js";
import { changedTexts, changeText } from "./texts.js";

const NEED_ROUNDS_MAX = 100;
const START_MS = 1_767_225_600_000;

export type Open = typeof openRun;

/** Whether what the engine decided is saved, or its process ends before. */
export type Fate = "saved" | "lost";

export class Game {
  now = START_MS;
  /** Of the last decision. */
  wakeAt: number | undefined;
  /** As it is saved. */
  workflow: Workflow;
  readonly outside = new Outside(() => this.now);
  readonly history = new History(() => this.now - START_MS);
  readonly broken: Broken[] = [];
  /** What was told, by kind. */
  readonly told: Record<string, number> = {};
  /** Saved, and not carried out yet. */
  #wanted: Demand[] = [];
  /** Pods that were asked for, until it is told what became of it. */
  readonly #asked = new Set<NodeId>();
  readonly #open: Open;
  readonly #options: EngineOptions;
  #run: Run;

  constructor(plan: EnginePlan, open: Open) {
    const { metadata } = plan.workflow;
    const created = { namespace: "argo", uid: "uid", creationTimestamp: rfc3339OfMs(START_MS) };
    this.workflow = { ...plan.workflow, metadata: { ...metadata, ...created } };
    this.#open = open;
    this.#options = {
      ...plan.options,
      pod: { layout: "local", images: new Map(), statusFinalizer: true },
      validate: invalidSpecOrNeed,
      onDefect: (message) => this.fail("defect", message),
    };
    this.#run = this.#opened();
  }

  fail(invariant: string, message: string): void {
    this.broken.push({ invariant, message });
    this.history.add("BROKEN", () => `${invariant}: ${message}`);
  }

  get isBroken(): boolean {
    return this.broken.length > 0;
  }

  get hasEnded(): boolean {
    return hasEnded(this.workflow.status?.phase);
  }

  nodes(): readonly NodeStatus[] {
    return Object.values(this.workflow.status?.nodes ?? {});
  }

  node(id: NodeId): NodeStatus | undefined {
    return this.workflow.status?.nodes?.[id];
  }

  /** The engine hears a part of what happened. */
  turn(chance: SeededChance): void {
    this.#carryOut(chance);
    const changes = this.#heard(this.outside.mail.take(chance));
    const results = chance.below(2) === 0 ? this.outside.finalResults(chance) : [];
    this.tell([...changes, ...results]);
    if (chance.below(4) === 0) this.tell([]);
  }

  /** It hears all of it, and what it wants is done. */
  calmTurn(): void {
    this.#carryOut(undefined);
    this.tell([...this.#heard(this.outside.mail.takeAll()), ...this.outside.finalResults(undefined)]);
  }

  /** Someone changes the spec or the metadata. */
  edit(workflow: Workflow, what: string): void {
    this.history.add("user", () => what);
    this.workflow = workflow;
    this.tell([{ kind: "workflow", workflow }]);
  }

  /** Someone changes the status, which no open run survives. */
  replace(workflow: Workflow, what: string): void {
    this.history.add("user", () => what);
    this.workflow = workflow;
    this.reopen();
  }

  /** Another process opens what is saved, and looks at everything. */
  reopen(): void {
    this.history.add("process", () => "opened anew");
    this.#wanted = [];
    this.#asked.clear();
    this.#run = this.#opened();
    this.tell(this.outside.firstLook(this.nodes(), retryGenerationOf(this.workflow)));
  }

  tell(changes: readonly Change[], fate: Fate = "saved"): void {
    if (this.isBroken) return;
    for (const change of changes) this.#hear(change);
    const before = this.workflow;
    const { now } = this;
    const decision = this.#decide(changes);
    this.#run.commit("1");
    if (fate === "lost") return;
    const wakeAt = this.wakeAt;
    this.wakeAt = decision.wakeAt;
    this.workflow = savedAs(before, decision);
    for (const text of changedTexts(before, this.workflow)) this.history.add("engine", () => text);
    const step = { before, after: this.workflow, decision, run: this.#run, now, asked: this.#asked };
    const waited = changes.length === 0 ? { wakeAt } : {};
    for (const { invariant, message } of checks({ ...step, ...waited })) this.fail(invariant, message);
    for (const demand of decision.demands) if (demand.kind === "create-pod") this.#asked.add(demand.nodeId);
    this.#wanted.push(...decision.demands);
  }

  /** As a shell does: what the engine lacks is asked for, and it decides again. */
  #decide(changes: readonly Change[]): Decision {
    const known = new Map<string, KubeObject | null>();
    const facts: Facts = { get: (need) => known.get(JSON.stringify(need)) };
    for (let round = 0; round < NEED_ROUNDS_MAX; round++) {
      const decision = this.#run.advance({ changes, now: this.now, facts });
      if (decision.needs.length === 0) return decision;
      this.#run.rollback();
      for (const need of decision.needs) known.set(JSON.stringify(need), this.#fact(need));
    }
    throw new Error("it asks for facts without end");
  }

  #fact(need: Need): KubeObject | null {
    if (need.kind !== "workflow-template" || need.name !== sharedName) return null;
    const { templates = [] } = this.workflow.spec;
    const spec = { arguments: this.workflow.spec.arguments ?? {}, templates };
    const shared = { apiVersion: "argoproj.io/v1alpha1", kind: "WorkflowTemplate", metadata: { name: sharedName } };
    return { ...shared, spec } as KubeObject;
  }

  #opened(): Run {
    const run = this.#open(this.workflow, this.#options);
    return decidedTwice(run, this.workflow, this.#options, (message) => this.fail("engine", message));
  }

  #hear(change: Change): void {
    this.history.add("told", () => changeText(change, this.workflow));
    this.told[change.kind] = (this.told[change.kind] ?? 0) + 1;
    if (change.kind === "pod-gone") this.#asked.delete(change.nodeId);
    if (change.kind === "outcome" && change.outcome.demand === "create-pod")
      if (change.outcome.result.kind === "refused-for-now") this.#asked.delete(change.outcome.nodeId);
  }

  #heard(changes: readonly Change[]): readonly Change[] {
    const generation = retryGenerationOf(this.workflow);
    for (const change of changes) this.outside.heard(change, generation);
    return changes;
  }

  /** Of a node that was settled meanwhile no pod is made; without chance everything is done. */
  #carryOut(chance: SeededChance | undefined): void {
    const later: Demand[] = [];
    for (const demand of this.#wanted) {
      if (chance !== undefined && chance.below(4) === 0) later.push(demand);
      else if (demand.kind !== "create-pod" || this.node(demand.nodeId)?.phase === "Pending")
        this.outside.mail.add("outcomes", { kind: "outcome", outcome: answer(this.outside, demand, chance) });
    }
    this.#wanted = later;
  }
}

export function hasEnded(phase: WorkflowStatus["phase"] | NodeStatus["phase"]): boolean {
  return phase === "Succeeded" || phase === "Failed" || phase === "Error";
}

/** The decision as a save puts it: changed nodes, fields, labels and annotations, over what was there. */
function savedAs(before: Workflow, { changedNodes, statusFields, ...decision }: Decision): Workflow {
  const { metadata, status = {} } = before;
  const labels = patched(metadata.labels ?? {}, decision.labels);
  const annotations = patched(metadata.annotations ?? {}, decision.annotations);
  const nodes = { ...status.nodes, ...Object.fromEntries(changedNodes) };
  return {
    ...before,
    metadata: { ...metadata, labels, annotations },
    status: { ...patched<unknown>(status as Record<string, unknown>, statusFields), nodes },
  };
}

/** As a merge patch does: `null` takes a member away. */
function patched<T>(
  before: Readonly<Record<string, T>>,
  change: Readonly<Record<string, T | null>>,
): Record<string, T> {
  const after: Record<string, T> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name];
    else after[name] = value;
  }
  return after;
}
