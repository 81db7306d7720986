/** Brings the faults of a run about: counts calls, events, starts, and says which of them goes wrong. */

import { events, leases, type ResourceType } from "../../../src/core/model/resources.js";
import { type CallFault, type EventFault, type Fault, kindOf, type MachineFault } from "../faults/fault.js";
import type { SimProcess } from "./process.js";

interface Outage {
  readonly role: string;
  readonly plural: string;
  readonly code: 403 | 409 | 429 | 500 | 503;
}

export class Weather {
  readonly #calls = new Map<string, CallFault>();
  readonly #events = new Map<string, EventFault>();
  readonly #machine = new Map<string, MachineFault>();
  readonly #counts = new Map<string, number>();
  readonly #counted: string[] = [];
  readonly #outages = new Set<Outage>();
  readonly #cutOff = new Map<string, "before" | "after">();
  readonly #kinds: Record<string, number> = {};
  #isOver = false;

  constructor(faults: readonly Fault[]) {
    for (const fault of faults) {
      if (fault.at === "write" || fault.at === "read")
        this.#calls.set(`${fault.at} ${fault.role} ${fault.nth}`, fault.fault);
      else if (fault.at === "event") this.#events.set(`event ${fault.role} ${fault.plural} ${fault.nth}`, fault.fault);
      else if (fault.at !== "time") this.#machine.set(`${fault.at} ${fault.nth}`, fault.fault);
    }
  }

  /** Faults that came about, by kind. */
  get kinds(): Readonly<Record<string, number>> {
    return this.#kinds;
  }

  /** A fault came about. */
  happened(kind: string): void {
    this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
  }

  /** How often something of that name was counted: `write controller`, `event controller pods`. */
  count(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Everything that was counted, in its order: `write kubelet 3`, `event controller pods 7`. */
  get counted(): readonly string[] {
    return this.#counted;
  }

  /** From now on the sun shines. */
  clear(): void {
    this.#isOver = true;
    this.#outages.clear();
    this.#cutOff.clear();
  }

  /** Answers how to end it. */
  cutOff(role: string, commit: "before" | "after"): () => void {
    this.#cutOff.set(role, commit);
    return () => this.#cutOff.delete(role);
  }

  /** Answers how to end it. */
  outage(outage: Outage): () => void {
    this.#outages.add(outage);
    return () => this.#outages.delete(outage);
  }

  onCall({ role }: SimProcess, at: "read" | "write", type: ResourceType): CallFault | undefined {
    const commit = this.#cutOff.get(role);
    if (commit !== undefined) return this.#said(at, { kind: "timeout", commit });
    // Events and leases have a rhythm of their own, and are not counted.
    if (type === events || type === leases) return this.#refusedAll(role, at, type);
    const nth = this.#next(`${at} ${role}`);
    return this.#said(at, this.#calls.get(`${at} ${role} ${nth}`)) ?? this.#refusedAll(role, at, type);
  }

  onEvent({ role }: SimProcess, type: ResourceType): EventFault | undefined {
    const what = `event ${role} ${type.plural}`;
    return this.#said("event", this.#events.get(`${what} ${this.#next(what)}`));
  }

  onContainerStart(nth: number): MachineFault | undefined {
    return this.#said("container-start", this.#machine.get(`container-start ${nth}`));
  }

  onContainerEnd(nth: number): MachineFault | undefined {
    return this.#said("container-end", this.#machine.get(`container-end ${nth}`));
  }

  #refusedAll(role: string, at: "read" | "write", { plural }: ResourceType): CallFault | undefined {
    if (at === "read" || this.#outages.size === 0) return undefined;
    const outage = [...this.#outages].find((one) => one.role === role && one.plural === plural);
    return outage === undefined ? undefined : this.#said(at, { kind: "refuse", code: outage.code });
  }

  #next(what: string): number {
    const count = this.count(what) + 1;
    this.#counts.set(what, count);
    this.#counted.push(`${what} ${count}`);
    return count;
  }

  #said<F extends CallFault | EventFault | MachineFault>(at: string, fault: F | undefined): F | undefined {
    if (fault === undefined || this.#isOver) return undefined;
    this.happened(`${at}: ${kindOf(fault)}`);
    return fault;
  }
}
