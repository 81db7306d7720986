/** A run as the user sees it: from the created workflows to the last of them that ends. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { sleep } from "../../kube/clock.js";
import { type Context, notice, warn } from "../context.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import type { SpecHome } from "../load/references.js";
import { upFolder } from "../places/folders.js";
import type { IndexWriter } from "../places/index-writer.js";
import { goOnCommand } from "../places/places.js";
import type { PlaceHandle } from "../ports.js";
import { eventLine } from "../print/events.js";
import { changesBetween } from "../print/node-changes.js";
import type { EndedBy } from "../print/summary.js";
import { stepKey, workflowKey } from "../workflow-key.js";
import type { EventSink } from "./events-file.js";
import { Interrupts } from "./interrupts.js";
import { lastWords } from "./last-words.js";
import { type OwnerWatch, watchOwner } from "./owner-watch.js";
import { PendingWatch } from "./pending.js";
import { LiveTree, PlainProgress, type Progress, type ProgressFacts, silentProgress } from "./progress.js";
import { RunState } from "./state.js";
import { type StepLog, StepLogs } from "./step-logs.js";
import { noSteps, type StepOutput, stepsInGroups, stepsInPipe, stepsOnScreen } from "./step-output.js";
import { startWatching } from "./watch.js";

export interface SessionOptions {
  /** "steps": their lines. "none": nothing. "events": only those. */
  readonly stdout: "steps" | "none" | "events";
  /** Failures and the last line only. */
  readonly quiet: boolean;
  /** Hears each change; undefined without `--events`. */
  readonly events: EventSink | undefined;
  readonly runtimeLabel: string;
  readonly maxPods: number | null;
  /** What failed steps leave can be looked at afterwards. */
  readonly keepsFailed: boolean;
  /** How long to wait for what is missing; undefined: for ever, it is the owner's business. */
  readonly pendingTimeoutMs: number | undefined;
  /** Told of every workflow of the place; undefined when somebody else keeps the index. */
  readonly index: IndexWriter | undefined;
  /** Absolute path for `retry --spec`; empty when there is none. */
  readonly specFile: string;
  /** Where each workflow's spec was written, by its key. */
  readonly homes: ReadonlyMap<string, SpecHome>;
  /** What Ctrl-C does: "stop" the workflows, or only "leave" them to their owner. */
  readonly onSignal: "stop" | "leave";
}

export interface SessionEnd {
  readonly exitCode: number;
  readonly workflows: readonly Workflow[];
  /** The third signal: whatever still runs must be ended by force. */
  readonly abandoned: boolean;
}

/** Resolves when all of `created` have ended, or the user left. */
export async function followRun(
  context: Context,
  handle: PlaceHandle,
  created: readonly Workflow[],
  options: SessionOptions,
): Promise<SessionEnd> {
  const session = new Session(context, handle, { created, options });
  return session.run();
}

class Session {
  readonly #context: Context;
  readonly #handle: PlaceHandle;
  readonly #options: SessionOptions;
  readonly #state: RunState;
  readonly #begun: ReadonlyMap<string, Workflow>;
  readonly #logs: StepLogs;
  readonly #interrupts: Interrupts;
  readonly #progress: Progress;
  readonly #steps: StepOutput;
  readonly #pending: PendingWatch;
  readonly #owner: OwnerWatch;
  #isOwnerGone = false;
  readonly #abort = new AbortController();
  /** Step -> what it waited for in vain; empty unless the run gave up. */
  #neverStarted: ReadonlyMap<string, string> = new Map();
  #finish: () => void = () => undefined;
  readonly #finished: Promise<void>;
  #leave: () => void = () => undefined;
  /** Resolves when the user leaves what another process runs: whatever is waited for, the first look too. */
  readonly #left: Promise<void>;

  constructor(
    context: Context,
    handle: PlaceHandle,
    { created, options }: { readonly created: readonly Workflow[]; readonly options: SessionOptions },
  ) {
    this.#context = context;
    this.#handle = handle;
    this.#options = options;
    this.#state = new RunState(created);
    this.#owner = watchOwner(context, handle);
    this.#begun = new Map(created.map((workflow) => [workflowKey(workflow), workflow]));
    this.#logs = new StepLogs(handle, {
      lineMax: () => this.#steps.lineMax,
      lines: (log, lines) => this.#lines(log, lines),
      ended: (log) => this.#steps.ended(log),
    });
    const { clock } = context.ports;
    this.#interrupts = new Interrupts(
      { signals: context.signals, client: handle.client, clock },
      // Not those that have been seen: a signal may come before the first look.
      options.onSignal === "stop" ? created : [],
      () => this.#signalled(),
    );
    this.#pending = new PendingWatch(clock, options.pendingTimeoutMs, {
      waits: (reason, pod) => this.#progress.waits(`${this.#state.labelOf(pod)} waits for what is missing: ${reason}`),
      expired: (reason, waiting) => this.#giveUp(reason, waiting),
    });
    this.#progress = makeProgress(context, options, {
      state: this.#state,
      lastLine: (step) => this.#logs.lastLine(step),
      stopping: () => this.#interrupts.stopping,
      runtimeLabel: options.runtimeLabel,
      maxPods: options.maxPods,
    });
    this.#steps = makeSteps(context, options, this.#progress);
    this.#finished = new Promise((resolveFinished) => {
      this.#finish = resolveFinished;
    });
    this.#left = new Promise((resolveLeft) => {
      this.#leave = resolveLeft;
    });
  }

  async run(): Promise<SessionEnd> {
    const stopListening = this.#interrupts.listen();
    try {
      const ended = this.#watch().then(() => this.#finished);
      await Promise.race([ended, this.#left, this.#interrupts.leaving, this.#ownerGone()]);
      if (this.#interrupts.stopping === "leaving") await this.#lookOnceMore();
      else if (this.#state.finished) await this.#drainLogs();
    } finally {
      this.#abort.abort();
      await this.#logs.stop(this.#endedBy() === "by itself" ? "read their ends" : "as they are");
      this.#pending.stop();
      await this.#options.events?.settled();
      this.#progress.close();
      stopListening();
    }
    return this.#end();
  }

  async #watch(): Promise<void> {
    const logs = this.#wantsLogs() ? this.#logs : undefined;
    const { ports } = this.#context;
    await startWatching(
      { ports, handle: this.#handle, state: this.#state, logs, observer: this.#owner.observer },
      {
        workflow: (workflow, before) => this.#changed(workflow, before),
        anyWorkflow: (workflow, change) => this.#indexed(workflow, change),
        pods: () => {
          this.#pending.look(this.#state.pods);
          this.#progress.refresh();
        },
      },
      this.#abort.signal,
    );
    if (this.#state.finished) this.#finish();
  }

  async #ownerGone(): Promise<void> {
    await this.#owner.gone;
    this.#isOwnerGone = !this.#state.finished;
  }

  /** The controller may still end a workflow while the user leaves: the last words are about what stays. */
  async #lookOnceMore(): Promise<void> {
    this.#abort.abort();
    await this.#handle.endWork();
    for (const seen of this.#state.workflows) {
      const { name = "", namespace = "" } = seen.metadata;
      // Of one that was deleted, what was seen of it stays.
      const now = await this.#handle.client.get<Workflow>(workflows, { namespace, name }).catch(() => seen);
      if (now.metadata.uid !== seen.metadata.uid) continue;
      this.#indexed(now, "changed");
      this.#state.setWorkflow(now);
      this.#changed(now, seen);
    }
  }

  /** Also where the lines are not shown: the tree shows the last one, the last words show the last twenty. */
  #wantsLogs(): boolean {
    return this.#options.onSignal === "stop" || this.#options.stdout === "steps";
  }

  #changed(workflow: Workflow, before: Workflow | undefined): void {
    const changes = changesBetween(before ?? this.#knownBefore(workflow), workflow);
    if (this.#options.events !== undefined && changes.length > 0) {
      const now = this.#context.ports.clock.now();
      const name = workflow.metadata.name ?? "";
      const lines = changes.map((change) => `${JSON.stringify(eventLine(change, name, now))}\n`);
      this.#options.events.write(lines.join(""), (why) => this.#warn(why));
    }
    for (const change of changes) {
      if (change.kind === "node" && change.node.phase === "Succeeded")
        this.#logs.forget(stepKey(workflow.metadata.namespace ?? "", change.node.id));
    }
    this.#progress.changed(workflow, changes);
    if (this.#state.finished) this.#finish();
  }

  /** Of a workflow that goes on, what had ended before is no news. */
  #knownBefore(workflow: Workflow): Workflow | undefined {
    const begun = this.#begun.get(workflowKey(workflow));
    return begun?.status?.nodes === undefined ? undefined : begun;
  }

  #indexed(workflow: Workflow, change: "changed" | "deleted"): void {
    if (change === "changed") this.#options.index?.update(workflow);
    else this.#options.index?.remove(workflow.metadata.uid ?? "");
  }

  /** Also where nothing else is told: what was asked for is not whole. */
  #warn(text: string): void {
    if (this.#options.quiet) warn(this.#context, text);
    else this.#progress.notice(`warning: ${text}`);
  }

  #lines(log: StepLog, lines: readonly string[]): Promise<void> | undefined {
    this.#progress.refresh();
    return this.#steps.lines(log, lines);
  }

  #signalled(): void {
    const { stopping } = this.#interrupts;
    if (this.#options.onSignal === "leave") {
      this.#leave();
      return;
    }
    if (!this.#context.ports.stderr.isTTY && stopping !== "leaving")
      notice(this.#context, `${stopping}; a further signal does more`);
    this.#progress.refresh();
  }

  #giveUp(reason: string, waiting: ReadonlyMap<string, string>): void {
    if (this.#neverStarted.size > 0) return;
    this.#neverStarted = waiting;
    const seconds = Math.round((this.#options.pendingTimeoutMs ?? 0) / 1000);
    this.#progress.notice(`waited ${seconds} s for what is missing, giving up: ${reason}`);
    void this.#interrupts.terminate();
  }

  /**
   * What was written before the end still comes. A pipe gets all of it, as long as it flows; on a screen, where most of
   * a flood is skipped anyway, nobody waits for the rest.
   */
  async #drainLogs(): Promise<void> {
    const { clock } = this.#context.ports;
    let settled = false;
    const all = this.#logs.settled().then(() => {
      settled = true;
    });
    const wantsAll = this.#steps.wantsAll;
    for (let before = -1; !settled && (wantsAll || before === -1) && before !== this.#logs.linesTaken; ) {
      before = this.#logs.linesTaken;
      await Promise.race([all, sleep(clock, wantsAll ? STALLED_MS : SCREEN_DRAIN_MS, this.#abort.signal)]);
    }
  }

  async #end(): Promise<SessionEnd> {
    const seen = this.#state.workflows;
    const workflows = seen.length === 0 ? [...this.#begun.values()] : seen;
    const abandoned = this.#interrupts.stopping === "leaving";
    await lastWords(this.#context, {
      ...this.#options,
      workflows,
      pods: this.#state.pods,
      podNotes: (workflow) => this.#state.podNotes(workflow),
      stepName: (workflow, node) => this.#state.stepName(workflow, node),
      tail: (step) => this.#logs.tail(step),
      neverStarted: this.#neverStarted,
      ended: this.#endedBy(),
    });
    if (this.#interrupts.failure !== undefined) throw this.#interrupts.failure;
    if (this.#isOwnerGone) throw ownerGone(this.#context, this.#handle, workflows);
    return { exitCode: this.#exitCode(workflows), workflows, abandoned };
  }

  #endedBy(): EndedBy {
    if (this.#isOwnerGone) return "lost";
    if (this.#interrupts.exitCode === undefined) return "by itself";
    return this.#options.onSignal === "leave" ? "left" : "signal";
  }

  #exitCode(workflows: readonly Workflow[]): number {
    const allWell = workflows.length > 0 && workflows.every((workflow) => workflow.status?.phase === "Succeeded");
    if (allWell) return exitCodes.succeeded;
    return this.#interrupts.exitCode ?? exitCodes.failed;
  }
}

/** The process that ran the steps has ended before they did. */
export function ownerGone({ home }: Context, { folder }: PlaceHandle, workflows: readonly Workflow[]): CliError {
  const place = { kind: folder === upFolder(home) ? "up" : "run" } as const;
  const commands = workflows.map(({ metadata }) => goOnCommand(place, metadata.name ?? ""));
  return new CliError(exitCodes.failed, `the process that owned ${folder} is gone`, [...new Set(commands)].join("\n"));
}

const STALLED_MS = 5000;
const SCREEN_DRAIN_MS = 2000;

function makeProgress(context: Context, options: SessionOptions, facts: ProgressFacts): Progress {
  if (options.quiet) return silentProgress;
  const { stderr, env } = context.ports;
  const live = stderr.isTTY && env.get("TERM") !== "dumb" && !isCi(env) && stderr.columns !== undefined;
  return live ? new LiveTree(context, facts) : new PlainProgress(context, facts);
}

function makeSteps(context: Context, options: SessionOptions, progress: Progress): StepOutput {
  if (options.stdout !== "steps" || options.quiet) return noSteps;
  const { stdout, env } = context.ports;
  if (env.get("GITHUB_ACTIONS") === "true") return stepsInGroups(context);
  if (stdout.isTTY && progress instanceof LiveTree) return stepsOnScreen(context, progress.screen);
  return stepsInPipe(context);
}

/** Any CI: its log is no screen, even where it looks like a terminal. */
function isCi(env: ReadonlyMap<string, string>): boolean {
  return env.get("GITHUB_ACTIONS") === "true" || (env.get("CI") ?? "") !== "";
}
