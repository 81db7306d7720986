/** Follows the logs of steps as they run: hands on each line, keeps the last ones and their number. */

import { messageOf } from "../../core/std/message.js";
import { ApiError, isNotFound } from "../../kube/errors.js";
import type { PlaceHandle, PodRef } from "../ports.js";
import { LineSplitter, shownLineMax } from "../print/step-output.js";
import type { LogTail } from "../print/summary.js";
import { stepKey } from "../workflow-key.js";

const TAIL_LINES = 20;

export interface StepLog {
  readonly nodeId: string;
  readonly pod: PodRef;
  /** Tells the pods apart that had this name one after the other; empty where only the name is known. */
  readonly podUid: string;
  readonly container: string;
  /** What its lines are labelled with. */
  readonly label: string;
}

export interface LineSink {
  /** Longer lines come cut, with a remark; left out: to what a screen shows. */
  lineMax?(): number;
  /** A promise where it cannot take the next lines yet; it never rejects. */
  lines(log: StepLog, lines: readonly string[]): Promise<void> | undefined;
  /** The container has ended and all its lines were handed on. */
  ended(log: StepLog): void;
}

interface Tail {
  readonly lines: string[];
  total: number;
  /** Of logs that were not read to their end: the last lines were read by themselves, their number is not known. */
  isCut: boolean;
}

export class StepLogs {
  readonly #handle: Pick<PlaceHandle, "logs">;
  readonly #sink: LineSink;
  #isStopped = false;
  /** One for each log that is being read: hundreds of listeners on a single signal would look like a leak. */
  readonly #reading = new Map<StepLog, AbortController>();
  readonly #followed = new Map<string, Promise<void>>();
  readonly #tails = new Map<string, Tail>();
  readonly #forgotten = new Set<string>();
  #linesTaken = 0;

  constructor(handle: Pick<PlaceHandle, "logs">, sink: LineSink) {
    this.#handle = handle;
    this.#sink = sink;
  }

  /** Begins to follow, once; from the first line. */
  follow(log: StepLog): void {
    const key = `${log.pod.namespace}/${log.pod.name}/${log.podUid}/${log.container}`;
    if (this.#followed.has(key)) return;
    this.#followed.set(key, this.#read(log));
  }

  /** The end of a step's log so far, by its key; with several containers, of all of them in the order written. */
  tail(step: string): LogTail {
    const tail = this.#tails.get(step);
    if (tail === undefined) return { lines: [], total: 0 };
    return { lines: tail.lines, total: tail.isCut ? undefined : tail.total };
  }

  /** Nobody will ask for the end of this step's log: of thousands of steps that succeed nothing is to be kept. */
  forget(step: string): void {
    this.#forgotten.add(step);
    this.#tails.delete(step);
  }

  lastLine(step: string): string {
    return this.#tails.get(step)?.lines.at(-1) ?? "";
  }

  /** Lines handed on so far, of all logs. */
  get linesTaken(): number {
    return this.#linesTaken;
  }

  /** Resolves when every log that is followed was handed on to its end. */
  async settled(): Promise<void> {
    await Promise.all(this.#followed.values());
  }

  /** Nothing more is handed on. The last lines of logs that were not read to their end are read now, if they are wanted. */
  async stop(cutLogs: "read their ends" | "as they are"): Promise<void> {
    this.#isStopped = true;
    const cut = [...this.#reading.keys()];
    for (const abort of this.#reading.values()) abort.abort();
    if (cutLogs === "as they are") return;
    await Promise.all(cut.filter((log) => !this.#isForgotten(log)).map((log) => this.#readTail(log)));
  }

  async #read(log: StepLog): Promise<void> {
    const splitter = new LineSplitter(this.#sink.lineMax?.() ?? shownLineMax);
    const abort = new AbortController();
    if (this.#isStopped) abort.abort();
    this.#reading.set(log, abort);
    const { signal } = abort;
    try {
      for await (const chunk of this.#handle.logs(log.pod, log.container, { follow: true, signal })) {
        const taken = this.#take(log, splitter.push(chunk));
        if (taken !== undefined) await taken;
        if (signal.aborted) return;
      }
      await this.#take(log, splitter.end());
    } catch (error) {
      // A container that never started has no log; a log that broke off is shown as far as it came.
      if (!isNotFound(error) && !signal.aborted) await this.#sink.lines(log, [`(${whyNoLog(error)})`]);
    } finally {
      this.#reading.delete(log);
      this.#sink.ended(log);
    }
  }

  #take(log: StepLog, lines: readonly string[]): Promise<void> | undefined {
    if (lines.length === 0) return undefined;
    this.#linesTaken += lines.length;
    if (!this.#isForgotten(log)) this.#keepLast(log, lines);
    return this.#sink.lines(log, lines);
  }

  #isForgotten(log: StepLog): boolean {
    return this.#forgotten.has(stepOf(log));
  }

  #keepLast(log: StepLog, lines: readonly string[]): void {
    const tail = this.#tailOf(log);
    tail.total += lines.length;
    tail.lines.push(...lines.slice(-TAIL_LINES).map((line) => line.slice(0, shownLineMax)));
    if (tail.lines.length > TAIL_LINES) tail.lines.splice(0, tail.lines.length - TAIL_LINES);
  }

  #tailOf(log: StepLog): Tail {
    const step = stepOf(log);
    const known = this.#tails.get(step);
    if (known !== undefined) return known;
    const tail: Tail = { lines: [], total: 0, isCut: false };
    this.#tails.set(step, tail);
    return tail;
  }

  async #readTail(log: StepLog): Promise<void> {
    const splitter = new LineSplitter();
    const lines: string[] = [];
    try {
      for await (const chunk of this.#handle.logs(log.pod, log.container, { tailLines: TAIL_LINES })) {
        lines.push(...splitter.push(chunk));
      }
    } catch {
      return;
    }
    const tail = this.#tailOf(log);
    tail.isCut = true;
    tail.lines.splice(0, tail.lines.length, ...[...lines, ...splitter.end()].slice(-TAIL_LINES));
  }
}

function stepOf({ pod, nodeId }: StepLog): string {
  return stepKey(pod.namespace, nodeId);
}

/** What the API refuses it refuses before the first byte. */
function whyNoLog(error: unknown): string {
  return error instanceof ApiError ? error.message : `log broke off: ${messageOf(error)}`;
}
