/** Leader election by a Lease: at most one process acts, and it knows by its own clocks when it may not any more. */

import type { Lease } from "../core/model/kube/core.js";
import { leases } from "../core/model/resources.js";
import type { Client, ObjectKey } from "./client.js";
import { type Chance, type Clock, sleep } from "./clock.js";
import { isAlreadyExists, isConflict, isNotFound, TransportError } from "./errors.js";
import { fenced } from "./leader/fenced.js";
import { type Claim, durationMsOf, holderOf, newLease, released, renewed, takenOver } from "./leader/lease-record.js";
import { Tenure } from "./leader/tenure.js";

export { fenced };

export interface LeaderElectorOptions {
  /** Not a fenced one. */
  readonly client: Client;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly lease: ObjectKey;
  /** Of this process and this start, never used again: a host name and a UUID. */
  readonly identity: string;
  /** Others wait so long after the last renewal that they saw. */
  readonly leaseMs?: number;
  /** We act for so long after our last renewal was begun; the rest of `leaseMs` is for requests under way. */
  readonly actMs?: number;
  readonly retryMs?: number;
  readonly observer?: LeaderObserver;
}

export interface LeaderObserver {
  failed?(error: unknown): void;
  /** Who leads, as the lease shows it. */
  leader?(identity: string): void;
}

const defaults = { leaseMs: 15_000, actMs: 10_000, retryMs: 2000 };

export class LeaderElector {
  readonly #options: LeaderElectorOptions & typeof defaults;
  readonly #tenure: Tenure;
  /** The lease as last read or written, and when (monotonic) it was first seen so. */
  #seen: { readonly lease: Lease; readonly atMs: number } | undefined;
  /** Counts claims: an answer that comes after the next claim began, or after the release, no longer counts. */
  #claims = 0;
  #endTerm: () => void = () => {};

  constructor(options: LeaderElectorOptions) {
    this.#options = { ...defaults, ...options };
    this.#tenure = new Tenure(options.clock, this.#options.actMs);
  }

  /** Whether both clocks say so, at this moment. */
  get isLeader(): boolean {
    return this.#tenure.isHeld();
  }

  /** For so long a new leader makes no pod vanish: what an earlier one sent may still be under way. */
  get leaseMs(): number {
    return this.#options.leaseMs;
  }

  /** A client whose writes leave only while we lead; see {@link fenced}. */
  fenced(client: Client): Client {
    return fenced(client, () => this.#guard());
  }

  /**
   * Stands for election until `signal` aborts, and calls `lead` for each term; its signal aborts when the term ends. A
   * new term begins only after `lead` has returned. The lease is given up at the end. Rejects only as `lead` does.
   */
  async run(signal: AbortSignal, lead: (term: AbortSignal) => Promise<void>): Promise<void> {
    const { clock, retryMs } = this.#options;
    while (!signal.aborted) {
      if (await this.#try()) await this.#term(signal, lead);
      else await sleep(clock, this.#jittered(retryMs), signal);
    }
  }

  /** A write that may not leave ends the term at once: nothing that it wants can be done any more. */
  #guard(): void {
    if (!this.#tenure.isHeld()) this.#endTerm();
    this.#tenure.guard();
  }

  async #term(signal: AbortSignal, lead: (term: AbortSignal) => Promise<void>): Promise<void> {
    const end = new AbortController();
    const stop = (): void => end.abort();
    this.#endTerm = stop;
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const renewing = this.#renew(end);
    try {
      await lead(end.signal);
    } finally {
      stop();
      signal.removeEventListener("abort", stop);
      await renewing;
      await this.#release();
    }
  }

  /** Renews until the term ends, and ends it when the lease is no longer surely ours. */
  async #renew(term: AbortController): Promise<void> {
    const { clock, retryMs } = this.#options;
    while (!term.signal.aborted) {
      await sleep(clock, this.#jittered(retryMs), term.signal);
      if (term.signal.aborted) return;
      await this.#try();
      if (!this.#tenure.isHeld()) term.abort();
    }
  }

  /** One try to get or keep the lease; true when it is ours. */
  async #try(): Promise<boolean> {
    const { clock } = this.#options;
    try {
      await this.#withTimeout(this.#claim({ monotonic: clock.monotonic(), wall: clock.now() }));
    } catch (error) {
      // What stands in the lease is not known now: the next try reads it.
      if (!isConflict(error) && !isAlreadyExists(error)) this.#options.observer?.failed?.(error);
    }
    return this.#tenure.isHeld();
  }

  async #claim(sent: { readonly monotonic: number; readonly wall: number }): Promise<void> {
    const { client, identity, leaseMs, lease: key } = this.#options;
    const claim: Claim = { identity, durationMs: leaseMs, nowMs: sent.wall };
    const serial = ++this.#claims;
    const current = await this.#read();
    if (serial !== this.#claims) return;
    let written: Lease;
    if (current === undefined) {
      written = await client.create<Lease>(leases, newLease(key, claim));
    } else if (holderOf(current) === identity) {
      written = await client.update(leases, renewed(current, claim));
    } else {
      this.#tenure.end();
      if (holderOf(current) !== "" && !this.#hasExpired(current)) return;
      written = await client.update(leases, takenOver(current, claim));
    }
    if (serial !== this.#claims) return;
    this.#saw(written);
    this.#tenure.confirm(sent);
  }

  async #read(): Promise<Lease | undefined> {
    const { client, lease: key } = this.#options;
    try {
      const lease = await client.get<Lease>(leases, key);
      this.#saw(lease);
      return lease;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return undefined;
    }
  }

  /** By our own clock since we first saw the lease so: the holder's clock may show anything. */
  #hasExpired(lease: Lease): boolean {
    const { clock, leaseMs } = this.#options;
    const sinceMs = clock.monotonic() - (this.#seen?.atMs ?? clock.monotonic());
    return sinceMs > Math.max(leaseMs, durationMsOf(lease));
  }

  #saw(lease: Lease): void {
    const known = this.#seen?.lease;
    const isSame = known?.metadata.resourceVersion === lease.metadata.resourceVersion;
    if (isSame && known?.metadata.uid === lease.metadata.uid) return;
    this.#seen = { lease, atMs: this.#options.clock.monotonic() };
    if (known === undefined || holderOf(known) !== holderOf(lease)) this.#options.observer?.leader?.(holderOf(lease));
  }

  /** Nobody has to wait for a lease that its holder has given back. */
  async #release(): Promise<void> {
    const { client, clock, identity } = this.#options;
    this.#tenure.end();
    this.#claims++;
    const lease = this.#seen?.lease;
    if (lease === undefined || holderOf(lease) !== identity) return;
    try {
      await this.#withTimeout(client.update(leases, released(lease, clock.now())));
    } catch (error) {
      this.#options.observer?.failed?.(error);
    }
  }

  /** A claim that hangs must not hold up the next; should it arrive after all, it carries the times it was sent at. */
  #withTimeout<T>(claim: Promise<T>): Promise<T> {
    const { clock, actMs } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = clock.after(actMs / 2, () => reject(new TransportError("no answer about the lease")));
      claim.then(resolve, reject).finally(() => timer.cancel());
    });
  }

  #jittered(ms: number): number {
    return ms * (0.8 + 0.4 * this.#options.chance.next());
  }
}
