/** Follows the logs of steps as they run: hands on each line, keeps the last ones and their number. */

import { isNotFound } from "../../kube/errors.js";
import type { PlaceHandle, PodRef } from "../ports.js";
import { LineSplitter } from "../print/step-output.js";
import type { LogTail } from "../print/summary.js";

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
  /** Rejects never; resolves when it can take the next lines. */
  lines(log: StepLog, lines: readonly string[]): Promise<void>;
  /** The container has ended and all its lines were handed on. */
  ended(log: StepLog): void;
}

export class StepLogs {
  readonly #handle: Pick<PlaceHandle, "logs">;
  readonly #sink: LineSink;
  #isStopped = false;
  /** One for each log that is being read: hundreds of listeners on a single signal would look like a leak. */
  readonly #reading = new Set<AbortController>();
  readonly #followed = new Map<string, Promise<void>>();
  readonly #tails = new Map<string, { lines: string[]; total: number }>();

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

  /** The end of a step's log so far; with several containers, of all of them in the order written. */
  tail(nodeId: string): LogTail {
    return this.#tails.get(nodeId) ?? { lines: [], total: 0 };
  }

  lastLine(nodeId: string): string {
    return this.#tails.get(nodeId)?.lines.at(-1) ?? "";
  }

  /** Resolves when every log that is followed was handed on to its end. */
  async settled(): Promise<void> {
    await Promise.all(this.#followed.values());
  }

  /** Nothing more is handed on. */
  stop(): void {
    this.#isStopped = true;
    for (const abort of this.#reading) abort.abort();
  }

  async #read(log: StepLog): Promise<void> {
    const splitter = new LineSplitter();
    const abort = new AbortController();
    if (this.#isStopped) abort.abort();
    this.#reading.add(abort);
    const { signal } = abort;
    try {
      for await (const chunk of this.#handle.logs(log.pod, log.container, { follow: true, signal })) {
        await this.#take(log, splitter.push(chunk));
        if (signal.aborted) return;
      }
      await this.#take(log, splitter.end());
    } catch (error) {
      // A container that never started has no log; a log that broke off is shown as far as it came.
      if (!isNotFound(error) && !signal.aborted) await this.#sink.lines(log, [`(log broke off: ${messageOf(error)})`]);
    } finally {
      this.#reading.delete(abort);
      this.#sink.ended(log);
    }
  }

  async #take(log: StepLog, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const tail = this.#tails.get(log.nodeId) ?? { lines: [], total: 0 };
    this.#tails.set(log.nodeId, tail);
    tail.total += lines.length;
    tail.lines = [...tail.lines, ...lines.slice(-TAIL_LINES)].slice(-TAIL_LINES);
    await this.#sink.lines(log, lines);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
