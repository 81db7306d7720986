/** What the engine remembers of each call it made, so that a change touches only what it concerns. Derived: it can be dropped at any time. */

import type { NodeId, NodeStatus } from "../model/argo/node.js";
import type { Arguments, DAGTask, Invocation, Template } from "../model/argo/template.js";
import type { LocalScope, ResolvedTemplate, TemplateSource } from "../template/index.js";

/** One call of a template: what to run, with what, on whose behalf. */
export interface Call {
  readonly nodeName: string;
  readonly invocation: Invocation;
  /** Entry, hooks and exit handlers count as steps without a name, as in Argo. */
  readonly invokedAs: "step" | "task";
  /** Where the invocation's template is looked up. */
  readonly source: TemplateSource;
  readonly args: Arguments;
  /** The Steps or DAG node around it; undefined for the entry and the workflow's hooks. */
  readonly boundaryId: NodeId | undefined;
  readonly nodeFlag: NodeStatus["nodeFlag"];
  /** Part of an exit handler: Stop and the workflow's deadline do not concern it. */
  readonly onExit: boolean;
}

export interface Frame {
  readonly call: Call;
  /** Who must look again when this changes: a composite, a retry; undefined at the top. */
  readonly owner: Frame | undefined;
  /** How many templates are around it. */
  readonly depth: number;
  /** The owner's member that this is the node, a hook or the exit handler of. */
  member: Member | undefined;
  isDirty: boolean;
  readonly dirtyChildren: Set<Frame>;
  resolved: ResolvedTemplate | undefined;
  bound: Template | undefined;
  /** Version of the workflow's variables that `bound` was made with. */
  boundVersion: number;
  state: StepsState | DagState | undefined;
  /** One attempt of a retry: bound already, never retried itself. */
  readonly isAttempt: boolean;
  wakeAt: number | undefined;
  /** Of a composite: the steps or tasks whose result its template reads (Argo 4.1 behaviour 3.4.6). */
  resultReaders: ReadonlySet<string> | undefined;
}

/** A step or task as it runs: one item of a group, with its node, hooks and exit handler. */
export interface Member {
  readonly nodeName: string;
  /** References replaced, the loop's item put in. */
  readonly invocation: Invocation;
  /** The task that this is an item of, or the step's name. */
  readonly name: string;
  /** Its place among the members of its group or task. */
  readonly index: number;
  frame: Frame | undefined;
  /** The node is fulfilled, its hooks and exit handler too. */
  isDone: boolean;
  /** A hook or the exit handler was triggered and is not fulfilled, or waits for a place. */
  hasOpenHooks: boolean;
}

/** What a steps node remembers between passes. */
export interface StepsState {
  readonly kind: "steps";
  /** Inputs, and what the finished groups left. */
  readonly scope: LocalScope;
  /** The group at work. */
  index: number;
  group: GroupState | undefined;
  /** Of a daemon of an earlier group. */
  fault: Fault | undefined;
}

export interface GroupState {
  readonly members: readonly Member[];
  /** Not begun yet, in order; they wait for a place. */
  waiting: readonly Member[];
  openCount: number;
  /** Each `when` was judged; what still waits is to run. */
  isSwept: boolean;
  /** What the group ends with as soon as nothing of it is at work any more. */
  fault: Fault | undefined;
}

export interface Fault {
  readonly phase: "Failed" | "Error";
  readonly message: string;
  /** What is at work is ended too, instead of waited for. */
  readonly isAtOnce?: true;
}

/** What a DAG node remembers between passes. */
export interface DagState {
  readonly kind: "dag";
  readonly targets: readonly string[];
  /** Targets and all they depend on, dependencies first. */
  readonly order: readonly TaskState[];
  readonly tasks: ReadonlyMap<string, TaskState>;
  /** As written, also those that no target needs. */
  readonly all: ReadonlyMap<string, DAGTask>;
  /** What the DAG ends with as soon as nothing of it is at work any more. */
  fault: Fault | undefined;
}

export interface TaskState {
  readonly task: DAGTask;
  readonly nodeName: string;
  /** Names that `depends` or `dependencies` mention. */
  readonly dependencies: readonly string[];
  /** All it depends on, directly or not. */
  readonly ancestors: readonly string[];
  phase: "waiting" | "begun" | "done";
  members: readonly Member[];
  waiting: readonly Member[];
  /** Members that are not done. */
  openCount: number;
  /** Items' nodes that are still to become children of the group. */
  readonly made: NodeId[];
  /** Of a loop: the task's own node, the group, with its hooks. */
  group: Member | undefined;
}

export class Frames {
  private readonly byName = new Map<string, Frame>();
  private readonly sleeping = new Set<Frame>();
  /** Could not begin because a limit was reached. */
  private readonly blocked = new Set<Frame>();
  private isPastDeadline = false;

  get(nodeName: string): Frame | undefined {
    return this.byName.get(nodeName);
  }

  /** The frame of a call; a known one keeps what it remembers. */
  open(call: Call, owner: Frame | undefined): Frame {
    return this.add(call, owner, { depth: owner === undefined ? 0 : owner.depth + 1, isAttempt: false });
  }

  /** The frame of an attempt; its template is bound by the retry. */
  openAttempt(call: Call, retry: Frame): Frame {
    return this.add(call, retry, { depth: retry.depth, isAttempt: true });
  }

  private add(call: Call, owner: Frame | undefined, { depth, isAttempt }: Pick<Frame, "depth" | "isAttempt">): Frame {
    const known = this.byName.get(call.nodeName);
    if (known !== undefined) return known;
    const frame: Frame = {
      call,
      owner,
      depth,
      member: undefined,
      isDirty: true,
      dirtyChildren: new Set(),
      resolved: undefined,
      bound: undefined,
      boundVersion: -1,
      state: undefined,
      isAttempt,
      wakeAt: undefined,
      resultReaders: undefined,
    };
    this.byName.set(call.nodeName, frame);
    return frame;
  }

  /** This frame and all around it have news. */
  mark(frame: Frame): void {
    for (let one: Frame | undefined = frame; one !== undefined; one = one.owner) {
      one.owner?.dirtyChildren.add(one);
      one.isDirty = true;
    }
  }

  markAll(): void {
    for (const frame of this.byName.values()) {
      frame.isDirty = true;
      frame.owner?.dirtyChildren.add(frame);
    }
  }

  /** The workflow's deadline has come: it concerns everything, once. */
  passDeadline(): void {
    if (this.isPastDeadline) return;
    this.isPastDeadline = true;
    this.markAll();
  }

  sleepUntil(frame: Frame, time: number): void {
    frame.wakeAt = frame.wakeAt === undefined ? time : Math.min(frame.wakeAt, time);
    this.sleeping.add(frame);
  }

  /** Marks whom the time has come for. */
  wake(now: number): void {
    for (const frame of this.sleeping) {
      if (frame.wakeAt === undefined || frame.wakeAt > now) continue;
      frame.wakeAt = undefined;
      this.sleeping.delete(frame);
      this.mark(frame);
    }
  }

  nextWake(): number | undefined {
    let next: number | undefined;
    for (const { wakeAt } of this.sleeping) {
      if (wakeAt !== undefined && (next === undefined || wakeAt < next)) next = wakeAt;
    }
    return next;
  }

  block(frame: Frame): void {
    this.blocked.add(frame);
  }

  /** Marks all that wait for a place; true if there were any. */
  unblock(): boolean {
    if (this.blocked.size === 0) return false;
    for (const frame of this.blocked) this.mark(frame);
    this.blocked.clear();
    return true;
  }
}
