/** A workflow held open: takes changes in, decides, and keeps what is committed and what is only staged apart. */

import { isFinal } from "../model/argo/final-phase.js";
import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Workflow } from "../model/argo/workflow.js";
import { currentRunOf } from "../podlife/index.js";
import { jsonEquals } from "../std/json.js";
import { plain } from "../std/plain.js";
import { rfc3339OfMs } from "../std/time.js";
import { readSpec } from "../template/index.js";
import type { AdvanceInput, Change, Decision, Run } from "./contract.js";
import { execute, runKind } from "./execute.js";
import { Frames } from "./frames.js";
import { NodeTable } from "./nodes/table.js";
import { Observations } from "./observations.js";
import type { EngineOptions } from "./options.js";
import type { Globals, Pass, StatusFields } from "./pass.js";
import {
  deadlineOf,
  isFirst,
  type Preparation,
  type Prepared,
  prepare,
  startMetadata,
  templateRefLabel,
} from "./start.js";
import { finishWorkflow, markRunning, sumUp } from "./status.js";
import { passWorkflow } from "./workflow-pass.js";

/** Opens a workflow as it stands; to be told next: everything there is of it, and then that this was all. */
export function openRun(workflow: Workflow, options: EngineOptions): Run {
  return new WorkflowRun(workflow, options);
}

class WorkflowRun implements Run {
  workflow: Workflow;
  private readonly table: NodeTable;
  private readonly observations: Observations;
  private frames = new Frames();
  private globals: Globals | undefined;
  private prepared: Prepared | undefined;
  private status: StatusFields;
  private staged: Pass | undefined;
  private readonly valid = new WeakSet<Workflow>();

  constructor(
    workflow: Workflow,
    private readonly options: EngineOptions,
  ) {
    this.workflow = workflow;
    const { nodes, ...status } = workflow.status ?? {};
    this.status = status;
    this.observations = new Observations(currentRunOf(workflow));
    this.table = new NodeTable(workflow.metadata.name ?? "", Object.values(nodes ?? {}));
  }

  advance(input: AdvanceInput): Decision {
    this.rollback();
    for (const change of input.changes) this.take(change, input.now);
    const preparation = this.prepareFor(input);
    if (preparation.kind === "need") return { ...nothing(), needs: [preparation.need] };
    const pass = this.openPass(input, preparation);
    this.staged = pass;
    if (preparation.kind !== "ready") {
      Object.assign(pass.labels, templateRefLabel(this.readable));
      finishWorkflow(pass, preparation.phase, preparation.message);
      sumUp(pass);
    } else if (!this.startIn(pass, preparation.prepared)) {
      passWorkflow(pass);
    }
    return this.decision(pass);
  }

  commit(resourceVersion: string): void {
    const pass = this.staged;
    this.staged = undefined;
    this.table.commit();
    const { metadata } = this.workflow;
    this.workflow = {
      ...plain,
      ...this.workflow,
      metadata: {
        ...plain,
        ...metadata,
        resourceVersion,
        labels: merged(metadata.labels, pass?.labels),
        annotations: merged(metadata.annotations, pass?.annotations),
      },
    };
    if (pass === undefined) return;
    this.status = pass.status;
    this.observations.asked(pass.demands.values());
  }

  rollback(): void {
    if (this.staged === undefined) return;
    this.staged = undefined;
    this.table.rollback();
    // What was remembered on the way may rest on what is taken back: it is worked out again.
    this.frames = new Frames();
    this.globals = undefined;
    this.prepared = undefined;
  }

  node(id: NodeId): NodeStatus | undefined {
    return this.table.committed(id);
  }

  nodes(): IterableIterator<NodeStatus> {
    return this.table.allCommitted();
  }

  private take(change: Change, now: number): void {
    if (change.kind === "workflow") {
      const { status: _status, ...rest } = change.workflow;
      this.workflow = rest;
      this.prepared = undefined;
      this.globals = undefined;
      this.frames = new Frames();
      return;
    }
    if (!this.observations.take(change, now)) return;
    if (change.kind === "observed") this.frames.markAll();
  }

  /** Its spec without what cannot be read, so that nothing in the engine need doubt its types. */
  private get readable(): Workflow {
    const { spec } = readSpec(this.workflow.spec);
    return spec === this.workflow.spec ? this.workflow : { ...this.workflow, spec };
  }

  private prepareFor({ facts, now }: AdvanceInput): Preparation {
    if (this.prepared !== undefined) return { kind: "ready", prepared: this.prepared };
    const { readable: workflow, status, options } = this;
    if (isFinal(status.phase)) return { kind: "ready", prepared: closedBook(workflow) };
    const { fault } = readSpec(this.workflow.spec);
    if (fault !== undefined) return { kind: "end", phase: "Failed", message: `cannot unmarshall spec: ${fault}` };
    const preparation = prepare({ workflow, status, options, facts, now, valid: this.valid });
    if (preparation.kind === "ready") this.prepared = preparation.prepared;
    return preparation;
  }

  private openPass({ now, facts }: AdvanceInput, preparation: Preparation): Pass {
    const prepared = preparation.kind === "ready" ? preparation.prepared : closedBook(this.readable);
    this.globals ??= { variables: prepared.variables, version: 0 };
    const pass: Pass = {
      workflow: this.readable,
      spec: prepared.spec,
      source: prepared.source,
      options: this.options,
      now,
      timestamp: rfc3339OfMs(now),
      facts,
      nodes: this.table,
      frames: this.frames,
      observations: this.observations,
      globals: this.globals,
      status: this.status,
      labels: {},
      annotations: {},
      needs: new Map(),
      demands: new Map(),
      wakes: [],
      deadline: deadlineOf(this.status, prepared.spec),
      begins: false,
      execute: (frame) => execute(pass, frame),
      runKind,
    };
    this.wake(pass);
    return pass;
  }

  /** Marks the frames that what is new concerns. */
  private wake(pass: Pass): void {
    this.frames.wake(pass.now);
    for (const id of this.observations.news) {
      const frame = this.frames.get(this.table.get(id)?.name ?? "");
      if (frame !== undefined) this.frames.mark(frame);
    }
    // The deadline concerns everything that runs, once.
    if (pass.deadline !== undefined && pass.now > pass.deadline) this.frames.passDeadline();
  }

  /** At first sight: running, with its labels. True when the workflow ended at that. */
  private startIn(pass: Pass, prepared: Prepared): boolean {
    if (isFinal(pass.status.phase) || !isFirst(pass.status)) return false;
    const metadata = startMetadata(this.readable, prepared, { options: this.options, now: pass.now });
    if (typeof metadata === "string") {
      finishWorkflow(pass, "Error", metadata);
      return true;
    }
    Object.assign(pass.labels, metadata.labels);
    Object.assign(pass.annotations, metadata.annotations);
    markRunning(pass);
    pass.deadline = deadlineOf(pass.status, prepared.spec);
    pass.status = {
      ...pass.status,
      ...(prepared.repository === undefined ? {} : { artifactRepositoryRef: prepared.repository }),
      ...(prepared.stored === undefined ? {} : { storedWorkflowTemplateSpec: prepared.stored }),
    };
    return false;
  }

  private decision(pass: Pass): Decision {
    return {
      changedNodes: this.table.changes(),
      statusFields: changedFields(this.status, pass.status),
      labels: pass.labels,
      annotations: pass.annotations,
      demands: [...pass.demands.values()],
      needs: [...pass.needs.values()],
      wakeAt: isFinal(pass.status.phase) ? undefined : earliest([...pass.wakes, this.frames.nextWake()]),
    };
  }
}

function nothing(): Decision {
  return {
    changedNodes: new Map(),
    statusFields: {},
    labels: {},
    annotations: {},
    demands: [],
    needs: [],
    wakeAt: undefined,
  };
}

/** For a workflow that has ended, or cannot begin: nothing in it will run. */
function closedBook(workflow: Workflow): Prepared {
  const variables = { texts: new Map(), artifacts: new Map() };
  const spec = workflow.status?.storedWorkflowTemplateSpec ?? workflow.spec;
  const source = {
    scope: "",
    storedPrefix: undefined,
    resourceName: undefined,
    templates: new Map(),
    podMetadata: undefined,
  };
  return { spec, source, variables, stored: undefined, repository: undefined };
}

function changedFields(before: StatusFields, after: StatusFields): Decision["statusFields"] {
  if (before === after) return {};
  const changed: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(after)) {
    if (!jsonEquals(Reflect.get(before, field), value)) changed[field] = value;
  }
  for (const field of Object.keys(before)) if (!Object.hasOwn(after, field)) changed[field] = null;
  return changed;
}

const NO_CHANGE: Readonly<Record<string, string | null>> = {};

function merged(
  before: Readonly<Record<string, string>> = {},
  change: Readonly<Record<string, string | null>> = NO_CHANGE,
): Readonly<Record<string, string>> {
  const changes = Object.entries(change);
  if (changes.length === 0) return before;
  const result: Record<string, string> = { ...before };
  for (const [key, value] of changes) {
    if (value === null) delete result[key];
    else result[key] = value;
  }
  return result;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
