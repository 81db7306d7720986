/** Which UID a pod's name stood for, also when its object is gone: logs and files outlive it. */

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PodRef } from "../cli/ports.js";
import type { Pod } from "../core/model/kube/pod.js";

export interface PodEntry {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** UID of the workflow that it belonged to. */
  readonly workflow?: string;
}

/** A file of the place, one line a pod; the newest of a name counts. */
export class PodNames {
  readonly #file: string;
  readonly #uids = new Map<string, string>();
  readonly #known = new Map<string, PodEntry>();
  /** The file ends in the middle of a line: what is written next must not become part of it. */
  #isTorn = false;
  /** Known, and not yet in the file. */
  #unwritten: PodEntry[] = [];
  #writing: NodeJS.Immediate | undefined;

  constructor(placeFolder: string) {
    this.#file = join(placeFolder, "pods.ndjson");
    if (!existsSync(this.#file)) return;
    const text = readFileSync(this.#file, "utf8");
    for (const line of text.split("\n")) this.#read(line);
    this.#isTorn = text !== "" && !text.endsWith("\n");
  }

  get entries(): readonly PodEntry[] {
    return [...this.#known.values()];
  }

  /**
   * Known at once, and in the file when this turn of the event loop ends, with all others that came in it: nothing of the
   * pod has begun by then. A crash before that leaves the pod itself to tell its name.
   */
  add({ metadata: { namespace = "", name = "", uid = "", ownerReferences = [] } }: Pod): void {
    if (this.#known.has(uid)) return;
    const workflow = ownerReferences.find(({ controller }) => controller === true)?.uid;
    const entry: PodEntry = { namespace, name, uid, ...(workflow !== undefined && { workflow }) };
    this.#remember(entry);
    this.#unwritten.push(entry);
    this.#writing ??= setImmediate(() => this.write());
  }

  /** What cannot be written now is written with what comes next. */
  write(): void {
    clearImmediate(this.#writing);
    this.#writing = undefined;
    if (this.#unwritten.length === 0) return;
    try {
      const text = this.#unwritten.map(lineOf).join("");
      appendFileSync(this.#file, (this.#isTorn ? "\n" : "") + text, { mode: 0o600 });
      this.#isTorn = false;
      this.#unwritten = [];
    } catch {
      this.#isTorn = true;
    }
  }

  uidOf({ namespace, name }: PodRef): string | undefined {
    return this.#uids.get(`${namespace}/${name}`);
  }

  forget(gone: readonly PodEntry[]): void {
    if (gone.length === 0) return;
    for (const { uid } of gone) this.#known.delete(uid);
    this.#uids.clear();
    for (const entry of this.entries) this.#remember(entry);
    writeFileSync(`${this.#file}.new`, this.entries.map(lineOf).join(""), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
    this.#isTorn = false;
    this.#unwritten = [];
  }

  /** A line torn by a crash is of a pod that never started. */
  #read(line: string): void {
    try {
      this.#remember(JSON.parse(line) as PodEntry);
    } catch {
      // The end of the file, or that torn line.
    }
  }

  #remember(entry: PodEntry): void {
    this.#known.set(entry.uid, entry);
    this.#uids.set(`${entry.namespace}/${entry.name}`, entry.uid);
  }
}

function lineOf(entry: PodEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
