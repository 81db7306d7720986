/** Collects problems up to a bound: a hostile file must not cost more to explain than to read. */

import type { Problem, Severity } from "../std/problem.js";

/** More than a person reads at once. */
const KEPT_MAX = 200;

/** The path of the problem that counts others: it stands at no place of a file. */
export const NOWHERE = "...";

export class ProblemList {
  readonly #kept: Problem[] = [];
  #dropped = 0;
  #droppedSeverity: Severity = "notice";

  /** Whether another problem would only be counted: work spent on its text or position would be lost. */
  get full(): boolean {
    return this.#kept.length >= KEPT_MAX;
  }

  add(problem: Problem): void {
    if (!this.full) {
      this.#kept.push(problem);
      return;
    }
    this.#dropped += 1;
    if (problem.severity === "error") this.#droppedSeverity = "error";
  }

  addAll(problems: Iterable<Problem>): void {
    for (const problem of problems) this.add(problem);
  }

  /** The problems kept, and one that counts the others. */
  toArray(): Problem[] {
    if (this.#dropped === 0) return [...this.#kept];
    const message = `${this.#dropped} more problems are not shown`;
    return [...this.#kept, { code: "invalid", severity: this.#droppedSeverity, path: NOWHERE, message }];
  }
}
