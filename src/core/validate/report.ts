/** Collects what is wrong, each fault once, with Argo's text for it as the place of its first sight gives it. */

import { NOWHERE } from "../model/problem-list.js";
import type { Problem, ProblemCode, Severity } from "../std/problem.js";
import { Unread } from "./unread.js";

/** A fault as the rule that found it tells it. */
export interface Finding {
  readonly code: ProblemCode;
  /** Default: error. */
  readonly severity?: Severity;
  /** Of the resource in which the fault stands. */
  readonly path: string;
  readonly message: string;
  /** Worked out only if somebody will read it. */
  readonly hint?: string | undefined | (() => string | undefined);
  /** Argo's text without what its callers put before it; left out where Argo finds nothing wrong. */
  readonly argo?: string;
  /** Paths at which nothing stands, if it is to be a fault; not told where one of them could not be read. */
  readonly lacks?: readonly string[];
}

/** What callers put before Argo's texts, innermost first; joined only when there is a text to print. */
interface Prefix {
  readonly text: string;
  readonly above: Prefix | undefined;
}

/** Another resource than the one given: its faults are told where the given one refers to it. */
export interface ForeignPlace {
  /** `WorkflowTemplate "lib"`. */
  readonly label: string;
  /** The path of the reference in the given resource. */
  readonly via: string;
}

/** More than a person reads at once. */
const KEPT_MAX = 200;

export class Report {
  readonly #kept = new Map<string, Problem>();
  readonly #dropped = new Set<string>();
  #droppedErrors = 0;
  #argoError: string | undefined;

  /** The problems in the order in which Argo comes upon them, and one that counts those too many. */
  problems(): Problem[] {
    const kept = [...this.#kept.values()];
    if (this.#dropped.size === 0) return kept;
    const severity: Severity = this.#droppedErrors > 0 ? "error" : "warning";
    const message = `${this.#dropped.size} more problems are not shown`;
    return [...kept, { code: "invalid", severity, path: NOWHERE, message }];
  }

  /** The first fault that Argo finds. */
  get argoError(): string | undefined {
    return this.#argoError;
  }

  /** `argo` is only asked for where its answer is kept: a prefix can be as long as the calls are deep. */
  add(finding: Finding, argo: (() => string) | undefined, foreign: ForeignPlace | undefined): void {
    this.#argoError ??= argo?.();
    const key = `${foreign?.label ?? ""}\n${finding.path}\n${finding.code}\n${finding.message}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#addArgo(key, known, argo);
    } else if (this.#kept.size < KEPT_MAX) {
      this.#kept.set(key, problemOf(finding, argo, foreign));
    } else if (!this.#dropped.has(key)) {
      this.#dropped.add(key);
      if ((finding.severity ?? "error") === "error") this.#droppedErrors += 1;
    }
  }

  /** Argo comes upon it only now: it moves to its place in Argo's order. */
  #addArgo(key: string, known: Problem, argo: (() => string) | undefined): void {
    if (argo === undefined || known.argo !== undefined) return;
    this.#kept.delete(key);
    this.#kept.set(key, { ...known, severity: "error", argo: argo() });
  }
}

function problemOf(finding: Finding, argo: (() => string) | undefined, foreign: ForeignPlace | undefined): Problem {
  const hint = typeof finding.hint === "function" ? finding.hint() : finding.hint;
  return {
    code: finding.code,
    severity: finding.severity ?? "error",
    path: foreign?.via ?? finding.path,
    message: foreign === undefined ? finding.message : `${foreign.label}: ${finding.path}: ${finding.message}`,
    ...(hint === undefined || hint === "" ? {} : { hint }),
    ...(argo === undefined ? {} : { argo: argo() }),
  };
}

/** Where the walk stands: what goes before Argo's texts there, or that Argo does not look there at all. */
export class Spot {
  readonly #report: Report;
  readonly #prefix: Prefix | undefined;
  readonly seenByArgo: boolean;
  readonly foreign: ForeignPlace | undefined;
  /** Of the resource in which the walk is. */
  readonly unread: Unread;

  private constructor(report: Report, place: Place) {
    this.#report = report;
    this.#prefix = place.prefix;
    this.seenByArgo = place.seenByArgo;
    this.foreign = place.foreign;
    this.unread = place.unread;
  }

  static top(report: Report, unread: Unread): Spot {
    return new Spot(report, { prefix: undefined, seenByArgo: true, foreign: undefined, unread });
  }

  tell(finding: Finding): void {
    if ([finding.path, ...(finding.lacks ?? [])].some((path) => this.unread.at(path))) return;
    const { argo } = finding;
    const whole = argo === undefined || !this.seenByArgo ? undefined : () => this.#prefixed(argo);
    this.#report.add(finding, whole, this.foreign);
  }

  /** With `text` before Argo's texts. */
  under(text: string): Spot {
    return this.#with({ prefix: { text, above: this.#prefix } });
  }

  /** Where Argo does not look: what is found here has no text of Argo's. */
  unseen(): Spot {
    return this.seenByArgo ? this.#with({ seenByArgo: false }) : this;
  }

  /** In a resource that is referred to; what that one refers to is told at the first reference. */
  inside(foreign: ForeignPlace): Spot {
    const via = this.foreign?.via ?? foreign.via;
    return this.#with({ foreign: { label: foreign.label, via }, unread: Unread.nothing });
  }

  #with(change: Partial<Place>): Spot {
    const { seenByArgo, foreign, unread } = this;
    return new Spot(this.#report, { prefix: this.#prefix, seenByArgo, foreign, unread, ...change });
  }

  #prefixed(text: string): string {
    let whole = text;
    for (let prefix = this.#prefix; prefix !== undefined; prefix = prefix.above) whole = prefix.text + whole;
    return whole;
  }
}

interface Place {
  readonly prefix: Prefix | undefined;
  readonly seenByArgo: boolean;
  readonly foreign: ForeignPlace | undefined;
  readonly unread: Unread;
}
