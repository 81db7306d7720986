/** Keeps a place's index file in step with its workflows; the owner has one. */

import type { Workflow } from "../../core/model/argo/workflow.js";
import type { Clock, Timer } from "../../kube/clock.js";
import { type ListRow, listRow } from "../print/list.js";
import { type PlaceIndex, writeIndex } from "./files.js";

/** Many changes in a burst make one write. */
const WRITE_MS = 250;

export class IndexWriter {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #rows = new Map<string, ListRow>();
  /** Since the last write: a row is told from all nodes, so not at each change of one. */
  readonly #changed = new Map<string, Workflow>();
  #index: PlaceIndex;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, clock: Clock, index: PlaceIndex) {
    this.#folder = folder;
    this.#clock = clock;
    this.#index = index;
    for (const row of index.workflows) this.#rows.set(row.uid, row);
  }

  /** Writes soon; at once when the workflow is new or its phase changed. */
  update(workflow: Workflow): void {
    const { metadata, status } = workflow;
    const uid = metadata.uid ?? "";
    const before = this.#phaseOf(uid);
    this.#changed.set(uid, workflow);
    if (before !== (status?.phase ?? "")) this.#write();
    else this.#timer ??= this.#clock.after(WRITE_MS, () => this.#write());
  }

  remove(uid: string): void {
    this.#rows.delete(uid);
    this.#changed.delete(uid);
    this.#timer ??= this.#clock.after(WRITE_MS, () => this.#write());
  }

  /** The last write, with the place's size. */
  async close(bytes: number): Promise<void> {
    this.#index = { ...this.#index, bytes };
    this.#write();
    await this.#writing;
  }

  /** Undefined: a workflow that is new. */
  #phaseOf(uid: string): string | undefined {
    const changed = this.#changed.get(uid);
    return changed === undefined ? this.#rows.get(uid)?.phase : (changed.status?.phase ?? "");
  }

  #write(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const [uid, workflow] of this.#changed) this.#rows.set(uid, listRow(workflow));
    this.#changed.clear();
    const index = { ...this.#index, workflows: [...this.#rows.values()] };
    this.#writing = this.#writing.then(() => writeIndex(this.#folder, index)).catch(() => undefined);
  }
}
