/** Drives the engine through one recording: its pods, its actions and its clock, all in virtual time. */

import type { Change, Decision, Facts, Need, Run } from "../../../src/core/engine/contract.js";
import { openRun } from "../../../src/core/engine/index.js";
import type { EngineOptions } from "../../../src/core/engine/options.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow, WorkflowStatus } from "../../../src/core/model/argo/workflow.js";
import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { ActionDriver } from "./actions.js";
import { PodPlayer, type Sight, timeText } from "./player.js";
import type { Recording } from "./recording.js";

/** How the replay ended. */
export interface Outcome {
  readonly workflow: Workflow;
  readonly podNames: readonly string[];
  /** Defects seen on the way: a pass that was not repeatable, a restart that decided otherwise. */
  readonly defects: readonly string[];
  readonly timedOut: boolean;
}

export interface StageOptions {
  readonly engine: EngineOptions;
  readonly world: readonly KubeObject[];
  readonly hostName: string | undefined;
  readonly actions: ActionDriver;
}

const START = Date.parse("2026-01-01T00:00:00Z");
/** As long as the recording driver waited. */
const LIMIT_MS = 60_000;
const PASSES_MAX = 20_000;

export class Stage {
  private now = START;
  private readonly player: PodPlayer;
  private readonly facts: WorldFacts;
  private workflow: Workflow;
  private run: Run;
  private wakeAt: number | undefined;
  private readonly defects: string[] = [];
  private passes = 0;

  constructor(
    recording: Recording,
    private readonly options: StageOptions,
  ) {
    this.player = new PodPlayer(recording.podOutcomes, options.hostName);
    this.facts = new WorldFacts(options.world);
    this.workflow = submitted(recording.submitted);
    this.run = openRun(this.workflow, options.engine);
  }

  play(): Outcome {
    let pending: Change[] = [{ kind: "observed" }];
    for (let passes = 0; passes < PASSES_MAX; passes++) {
      pending = this.pass(pending);
      if (pending.length > 0) continue;
      if (this.isOver() || !this.advanceClock()) break;
      pending = [...this.arrivals()];
    }
    return {
      workflow: this.workflow,
      podNames: this.player.podNames(),
      defects: this.defects,
      timedOut: !this.isOver(),
    };
  }

  /** One pass; answers what came of it and has to be told next. */
  private pass(changes: readonly Change[]): Change[] {
    const decision = this.decide(this.run, changes);
    // By turns: taking back and deciding again makes the run forget what it worked out, and that too must be tried.
    this.passes++;
    if (this.passes % 3 === 0) this.assertRepeatable(changes, decision);
    if (this.passes % 3 === 1) this.assertRestartable(changes, decision);
    this.workflow = applied(this.workflow, decision);
    this.run.commit(this.workflow.metadata.resourceVersion ?? "");
    this.wakeAt = decision.wakeAt;
    const next: Change[] = [];
    for (const demand of decision.demands) {
      const result = { kind: "created" } as const;
      if (demand.kind === "create-pvc") {
        const name = demand.claim.metadata.name ?? "";
        next.push({ kind: "outcome", outcome: { demand: "create-pvc", name, result } });
      }
      if (demand.kind !== "create-pod") continue;
      const podName = demand.pod.metadata.name ?? "";
      next.push({ kind: "outcome", outcome: { demand: "create-pod", nodeId: demand.nodeId, podName, result } });
      next.push(...this.player.create(demand.nodeId, demand.pod, this.now).flatMap(told));
    }
    this.player.endSettled((id) => this.run.node(id), this.now);
    next.push(...this.player.due(this.now).flatMap(told));
    if (next.length === 0) this.assertAtRest();
    return next;
  }

  private decide(run: Run, changes: readonly Change[]): Decision {
    for (;;) {
      const decision = run.advance({ changes, now: this.now, facts: this.facts });
      if (decision.needs.length === 0) return decision;
      run.rollback();
      this.facts.answer(decision.needs);
    }
  }

  /** The same question twice has one answer. */
  private assertRepeatable(changes: readonly Change[], decision: Decision): void {
    this.run.rollback();
    this.assertSame("a repeated pass", decision, this.decide(this.run, changes));
  }

  /** A process that opens the workflow as it is saved, and looks at all there is, decides as this one did. */
  private assertRestartable(changes: readonly Change[], decision: Decision): void {
    const fresh = openRun(this.workflow, this.options.engine);
    const seen = this.player.everything(this.now).flatMap(told);
    this.assertSame("a restarted pass", decision, this.decide(fresh, [...seen, ...changes, { kind: "observed" }]));
  }

  private assertSame(what: string, decision: Decision, other: Decision): void {
    const [first, second] = [textOf(decision), textOf(other)];
    if (first === second) return;
    const at = [...first].findIndex((letter, index) => letter !== second[index]);
    const around = (text: string): string => text.slice(Math.max(0, at - 150), at + 150);
    this.defects.push(`${what} decides otherwise at ${timeText(this.now)}: ${around(first)} / ${around(second)}`);
  }

  /** With nothing new there is nothing to do, and a fresh start sees it the same way. */
  private assertAtRest(): void {
    const idle = this.decide(this.run, []);
    this.run.rollback();
    if (!isNothing(idle))
      this.defects.push(`a pass on its own result decides something: ${textOf(idle).slice(0, 300)}`);
    const fresh = openRun(this.workflow, this.options.engine);
    const restarted = this.decide(fresh, [...this.player.everything(this.now).flatMap(told), { kind: "observed" }]);
    if (!isNothing(restarted)) {
      this.defects.push(
        `a restart decides something else at ${timeText(this.now)}: ${textOf(restarted).slice(0, 300)}`,
      );
    }
  }

  private isOver(): boolean {
    return this.workflow.metadata.labels?.["workflows.argoproj.io/completed"] === "true";
  }

  /** To the next moment at which something happens; false when nothing ever will, or the time is up. */
  private advanceClock(): boolean {
    const moments = [this.player.nextEnd(), this.wakeAt, this.options.actions.next(this.nodes(), this.now)];
    const future = moments.filter((moment): moment is number => moment !== undefined);
    if (future.length === 0) return false;
    this.now = Math.max(this.now, Math.min(...future));
    return this.now <= START + LIMIT_MS;
  }

  private arrivals(): readonly Change[] {
    const acted = this.options.actions.act(this.workflow, this.nodes(), this.now);
    if (acted !== undefined) {
      // A user's edit of the status: the run is opened anew, as the controller would.
      this.workflow = acted;
      this.run = openRun(this.workflow, this.options.engine);
      return [...this.player.everything(this.now).flatMap(told), { kind: "observed" }];
    }
    return this.player.due(this.now).flatMap(told);
  }

  private nodes(): readonly NodeStatus[] {
    return [...this.run.nodes()];
  }
}

function told(sight: Sight): readonly Change[] {
  const pod: Change = { kind: "pod", view: sight.view };
  return sight.result === undefined ? [pod] : [{ kind: "task-result", result: sight.result }, pod];
}

function submitted(workflow: Workflow): Workflow {
  const metadata = {
    namespace: "argo",
    ...workflow.metadata,
    uid: "workflow-uid",
    resourceVersion: "1",
    creationTimestamp: timeText(START),
  };
  return { ...workflow, metadata };
}

/** The object as it would stand after the save. */
function applied(workflow: Workflow, decision: Decision): Workflow {
  const nodes: Record<string, NodeStatus> = { ...workflow.status?.nodes };
  for (const [id, node] of decision.changedNodes) nodes[id] = node;
  const status = withoutNulls({ ...workflow.status, ...decision.statusFields, nodes }) as WorkflowStatus;
  const labels = withoutNulls({ ...workflow.metadata.labels, ...decision.labels }) as Record<string, string>;
  const annotations = withoutNulls({ ...workflow.metadata.annotations, ...decision.annotations }) as Record<
    string,
    string
  >;
  const resourceVersion = String(Number(workflow.metadata.resourceVersion) + 1);
  return { ...workflow, metadata: { ...workflow.metadata, resourceVersion, labels, annotations }, status };
}

function withoutNulls(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

function isNothing(decision: Decision): boolean {
  return (
    decision.changedNodes.size === 0 &&
    // Deleting a claim that is gone does no harm: a restart asks again.
    decision.demands.every((demand) => demand.kind === "delete-pvc") &&
    Object.keys(decision.statusFields).length === 0
  );
}

/** As text; in which order nodes and demands come means nothing. */
function textOf(decision: Decision): string {
  const changedNodes = [...decision.changedNodes.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const demands = decision.demands.map((demand) => JSON.stringify(demand)).sort();
  return JSON.stringify({ ...decision, changedNodes, demands });
}

/** Facts out of the objects that were there; asked for by need, as the controller does. */
class WorldFacts implements Facts {
  private readonly asked = new Set<string>();

  constructor(private readonly world: readonly KubeObject[]) {}

  answer(needs: readonly Need[]): void {
    for (const need of needs) this.asked.add(JSON.stringify(need));
  }

  get(need: Need): KubeObject | null | undefined {
    if (!this.asked.has(JSON.stringify(need))) return undefined;
    return this.world.find((object) => object.kind === kindOf[need.kind] && object.metadata.name === need.name) ?? null;
  }
}

const kindOf: Readonly<Record<Need["kind"], string>> = {
  "workflow-template": "WorkflowTemplate",
  "cluster-workflow-template": "ClusterWorkflowTemplate",
  "config-map": "ConfigMap",
};
