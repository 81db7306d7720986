/** What stderr shows while workflows run: the live tree on a terminal, a line a change elsewhere, or nothing. */

import type { NodeStatus } from "../../core/model/argo/node.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Timer } from "../../kube/clock.js";
import type { Context } from "../context.js";
import { timeOf, twoUnits } from "../print/duration.js";
import type { WorkflowChange } from "../print/node-changes.js";
import { terminalLine } from "../print/step-output.js";
import { templateBook } from "../print/templates.js";
import { shortMessage } from "../print/tree/attempts.js";
import { buildTree, waitText } from "../print/tree/build.js";
import { countNotBegun, headerParts } from "../print/tree/header.js";
import type { TreeItem } from "../print/tree/item.js";
import { renderTree, type TreeRoom } from "../print/tree/render.js";
import { shares, treeLines } from "../print/tree/shares.js";
import { Screen } from "../terminal/screen.js";
import { stepKey } from "../workflow-key.js";
import type { Stopping } from "./interrupts.js";
import type { RunState } from "./state.js";

export interface Progress {
  changed(workflow: Workflow, changes: readonly WorkflowChange[]): void;
  /** Pods, logs or signals have news. */
  refresh(): void;
  notice(text: string): void;
  /** A step waits for something: said where no tree shows it. */
  waits(text: string): void;
  /** Before the last words. */
  close(): void;
}

export interface ProgressFacts {
  readonly state: RunState;
  /** By the step's key. */
  readonly lastLine: (step: string) => string;
  readonly stopping: () => Stopping;
  readonly runtimeLabel: string;
  readonly maxPods: number | null;
}

/** The tree, drawn anew each second too, for its clocks. */
export class LiveTree implements Progress {
  readonly screen: Screen;
  readonly #context: Context;
  readonly #facts: ProgressFacts;
  #timer: Timer | undefined;

  constructor(context: Context, facts: ProgressFacts) {
    this.#context = context;
    this.#facts = facts;
    const { stdout, stderr, clock } = context.ports;
    const lines = stdout.isTTY ? stdout : stderr;
    this.screen = new Screen(
      { stdout: lines, stderr, clock },
      () => this.#frame(),
      (count) => this.#skipped(count),
    );
    this.#tick();
  }

  changed(): void {
    this.screen.refresh();
  }

  refresh(): void {
    this.screen.refresh();
  }

  notice(text: string): void {
    this.screen.line(this.#context.err.paint.dim(text));
  }

  /** The tree says it. */
  waits(): void {
    this.screen.refresh();
  }

  close(): void {
    this.#timer?.cancel();
    this.screen.close("keep the tree");
  }

  #tick(): void {
    this.screen.refresh();
    this.#timer = this.#context.ports.clock.after(1000, () => this.#tick());
  }

  #skipped(count: number): string {
    const { err } = this.#context;
    return err.paint.dim(`${err.glyphs.ellipsis} ${count} lines are not shown here: tiphys logs`);
  }

  #frame(): readonly string[] {
    const { err, ports } = this.#context;
    const { columns = 80, rows = 24 } = ports.stderr;
    const workflows = this.#facts.state.workflows;
    const ended = workflows.map(({ status }) => timeOf(status?.finishedAt) !== undefined);
    const { lines, hidden } = shares(ended, treeLines(rows));
    const trees = workflows.flatMap((workflow, index) => {
      const own = lines[index] ?? 0;
      return own === 0 ? [] : this.#tree(workflow, { columns, lines: own });
    });
    return hidden === 0 ? trees : [...trees, err.paint.dim(`${err.glyphs.ellipsis} ${hidden} more workflows`)];
  }

  #tree(workflow: Workflow, room: TreeRoom): readonly string[] {
    const { state, runtimeLabel, maxPods } = this.#facts;
    const { err, ports } = this.#context;
    const now = ports.clock.now();
    const items = buildTree({ workflow, podNotes: state.podNotes(workflow), lastLines: this.#lastLines(workflow) });
    const stopping = this.#facts.stopping();
    const header = headerParts({
      workflow,
      runtime: runtimeLabel,
      slots: maxPods === null ? null : { used: state.slotsUsed, max: maxPods },
      now,
      notBegun: countNotBegun(items),
      stopping: stopping === "leaving" ? "terminating" : stopping,
    });
    return renderTree({ header, items, now, hint: hintFor(workflow, stopping, err.glyphs.dot) }, room, err);
  }

  #lastLines(workflow: Workflow): ReadonlyMap<string, string> {
    const lines = new Map<string, string>();
    const colors = this.#context.err.color ? "keep" : "drop";
    for (const node of Object.values(workflow.status?.nodes ?? {})) {
      if (node.type === "Pod" && node.phase === "Running") {
        const line = this.#facts.lastLine(stepKey(workflow.metadata.namespace ?? "", node.id));
        // A tab has no width of its own: whoever counts columns cannot have it.
        lines.set(node.id, terminalLine(line, colors).replaceAll("\t", " "));
      }
    }
    return lines;
  }
}

function hintFor(workflow: Workflow, stopping: Stopping, dot: string): string {
  if (workflow.status?.finishedAt !== undefined) return "";
  const first = stopping === "no" ? "Ctrl-C stops and runs it" : "Ctrl-C again skips it";
  return `${first} ${dot} log: tiphys logs`;
}

const HEARTBEAT_MS = 30_000;

/** For pipes and CI: a line when a step ends or waits for somebody, and a sign of life after 30 s of silence. */
export class PlainProgress implements Progress {
  readonly #context: Context;
  readonly #facts: ProgressFacts;
  #lastWords: number;
  #timer: Timer | undefined;

  constructor(context: Context, facts: ProgressFacts) {
    this.#context = context;
    this.#facts = facts;
    this.#lastWords = context.ports.clock.monotonic();
    this.#beat();
  }

  changed(workflow: Workflow, changes: readonly WorkflowChange[]): void {
    for (const change of changes) {
      if (change.kind !== "node") continue;
      if (isNews(change)) this.#node(workflow, change.node, this.#labelOf(workflow, change.node));
    }
  }

  /** With the number of its attempt: this line is of that one alone. */
  #labelOf(workflow: Workflow, node: NodeStatus): string {
    return this.#facts.state.stepLabel(workflow, node) + (/\(\d+\)$/.exec(node.name)?.[0] ?? "");
  }

  refresh(): void {
    this.#lastWords = this.#context.ports.clock.monotonic();
  }

  notice(text: string): void {
    this.#say(this.#context.err.paint.dim(text));
  }

  waits(text: string): void {
    const { glyphs, paint } = this.#context.err;
    this.#say(`${paint.dim(glyphs.pending)} ${text}`);
  }

  close(): void {
    this.#timer?.cancel();
  }

  #say(text: string): void {
    this.#lastWords = this.#context.ports.clock.monotonic();
    this.#context.ports.stderr.write(`${text}\n`);
  }

  #node(workflow: Workflow, node: NodeStatus, label: string): void {
    const { glyphs, paint } = this.#context.err;
    const started = timeOf(node.startedAt);
    const finished = timeOf(node.finishedAt);
    const took = started === undefined || finished === undefined ? "" : ` ${twoUnits(finished - started)}`;
    if (node.phase === "Succeeded") this.#say(`${paint.green(glyphs.succeeded)} ${label}${took}`);
    else if (node.phase === "Failed" || node.phase === "Error") {
      this.#say(`${paint.red(glyphs.failed)} ${label}${took}  ${shortMessage(node.message)}`);
    } else if (node.type === "Suspend" && node.phase === "Running") {
      const duration = templateBook(workflow).of(node)?.suspend?.duration;
      this.#say(`${paint.cyan(glyphs.suspended)} ${label} ${waitText(workflow, duration)}`);
    }
  }

  #beat(): void {
    const { clock } = this.#context.ports;
    this.#timer = clock.after(this.#lastWords + HEARTBEAT_MS - clock.monotonic(), () => {
      if (clock.monotonic() - this.#lastWords >= HEARTBEAT_MS) this.#say(this.#stillRunning());
      this.#beat();
    });
  }

  #stillRunning(): string {
    const running = this.#facts.state.workflows.flatMap((workflow) => runningItems(workflow, this.#facts));
    const { glyphs } = this.#context.err;
    const names = running.slice(0, 5).map((item) => `${item.label}${item.note === "" ? "" : ` (${item.note})`}`);
    const more = running.length > 5 ? ` and ${running.length - 5} more` : "";
    return `${glyphs.running} still running: ${names.join(", ") || "waiting for the first step"}${more}`;
  }
}

const SHOWN: ReadonlySet<string> = new Set(["Pod", "Suspend", "HTTP", "Plugin"]);

function isNews({ node, before }: Extract<WorkflowChange, { readonly kind: "node" }>): boolean {
  return SHOWN.has(node.type) && before?.phase !== node.phase;
}

function runningItems(workflow: Workflow, facts: ProgressFacts): readonly TreeItem[] {
  const leaves = (items: readonly TreeItem[], before = ""): readonly TreeItem[] =>
    items.flatMap((item) => {
      if (item.children.length > 0) return leaves(item.children, item.kind === "loop" ? item.label : "");
      return [{ ...item, label: before + item.label }];
    });
  const items = buildTree({ workflow, podNotes: facts.state.podNotes(workflow), lastLines: new Map() });
  return leaves(items).filter((item) => ["running", "pending", "suspended"].includes(item.state));
}

export const silentProgress: Progress = {
  changed: () => undefined,
  refresh: () => undefined,
  notice: () => undefined,
  waits: () => undefined,
  close: () => undefined,
};
