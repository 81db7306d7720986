/** Collects what is wrong, each fault once, with Argo's text for it as the place of its first sight gives it. */

import { ProblemList } from "../model/problem-list.js";
import type { Problem, ProblemCode, Severity } from "../std/problem.js";

/** A fault as the rule that found it tells it. */
export interface Finding {
  readonly code: ProblemCode;
  /** Default: error. */
  readonly severity?: Severity;
  /** Of the resource in which the fault stands. */
  readonly path: string;
  readonly message: string;
  /** Worked out only if somebody will read it. */
  readonly hint?: string | (() => string | undefined);
  /** Argo's text without what its callers put before it; left out where Argo finds nothing wrong. */
  readonly argo?: string;
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

export class Report {
  readonly #problems = new ProblemList();
  readonly #told = new Set<string>();
  #argoError: string | undefined;

  /** Nobody will read further hints. */
  get full(): boolean {
    return this.#problems.full;
  }

  /** In the order in which Argo comes upon them. */
  problems(): Problem[] {
    return this.#problems.toArray();
  }

  /** The first fault that Argo finds. */
  get argoError(): string | undefined {
    return this.#argoError;
  }

  /** `argo` is only asked for where its answer is kept: a prefix can be as long as the calls are deep. */
  add(finding: Finding, argo: (() => string) | undefined, foreign: ForeignPlace | undefined): void {
    this.#argoError ??= argo?.();
    const key = `${foreign?.label ?? ""}\n${finding.path}\n${finding.code}\n${finding.message}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const hint = this.full || typeof finding.hint !== "function" ? finding.hint : finding.hint();
    this.#problems.add({
      code: finding.code,
      severity: finding.severity ?? "error",
      path: foreign?.via ?? finding.path,
      message: foreign === undefined ? finding.message : `${foreign.label}: ${finding.path}: ${finding.message}`,
      ...(typeof hint === "string" ? { hint } : {}),
      ...(argo === undefined || this.full ? {} : { argo: argo() }),
    });
  }
}

/** Where the walk stands: what goes before Argo's texts there, or that Argo does not look there at all. */
export class Spot {
  readonly #report: Report;
  readonly #prefix: Prefix | undefined;
  readonly #seenByArgo: boolean;
  readonly foreign: ForeignPlace | undefined;

  private constructor(
    report: Report,
    place: { readonly prefix?: Prefix | undefined; readonly seenByArgo: boolean; readonly foreign?: ForeignPlace | undefined },
  ) {
    this.#report = report;
    this.#prefix = place.prefix;
    this.#seenByArgo = place.seenByArgo;
    this.foreign = place.foreign;
  }

  static top(report: Report): Spot {
    return new Spot(report, { seenByArgo: true });
  }

  tell(finding: Finding): void {
    const { argo } = finding;
    const whole = argo === undefined || !this.#seenByArgo ? undefined : () => this.#prefixed(argo);
    this.#report.add(finding, whole, this.foreign);
  }

  /** With `text` before Argo's texts. */
  under(text: string): Spot {
    return this.#with({ prefix: { text, above: this.#prefix } });
  }

  /** Where Argo does not look: what is found here has no text of Argo's. */
  unseen(): Spot {
    return this.#with({ seenByArgo: false });
  }

  /** Inside a resource that is referred to; further references from there are told at the first. */
  inside(foreign: ForeignPlace | undefined): Spot {
    if (foreign === undefined) return this;
    return this.#with({ foreign: { label: foreign.label, via: this.foreign?.via ?? foreign.via } });
  }

  /** Back in the given resource. */
  home(): Spot {
    return this.#with({ foreign: undefined });
  }

  #with(change: { readonly prefix?: Prefix; readonly seenByArgo?: boolean; readonly foreign?: ForeignPlace | undefined }): Spot {
    return new Spot(this.#report, {
      prefix: this.#prefix,
      seenByArgo: this.#seenByArgo,
      foreign: this.foreign,
      ...change,
    });
  }

  #prefixed(text: string): string {
    let whole = text;
    for (let prefix = this.#prefix; prefix !== undefined; prefix = prefix.above) whole = prefix.text + whole;
    return whole;
  }
}
