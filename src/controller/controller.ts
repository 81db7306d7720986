/** The controller: acts in terms, each with queues and streams of its own; without an election in a single one. */

import { LeaderElector } from "../kube/leader.js";
import type { ControllerOptions, Election } from "./options.js";
import { type ControllerParts, controllerParts } from "./parts.js";
import { noPodCounts, type PodCounts } from "./pods/telling.js";
import { Term, type TermOptions } from "./term.js";

export interface Controller {
  /** True once the first lists of the first term are in and work begins; false when it was stopped before. */
  readonly started: Promise<boolean>;
  /** Resolves when nothing runs any more, and the lease is given back. */
  stop(): Promise<void>;
  /** What is held in memory for workflows and pods; 0 at rest with nothing unfinished, and for one that does not lead. */
  held(): number;
  /** Objects in its caches: as many as the API has. */
  readonly cached: number;
  /** For metrics, since the start. */
  readonly podCounts: Readonly<PodCounts>;
}

/** `parts`: what is put in the place of a part that ships; for the simulator. */
export function startController(options: ControllerOptions, parts: Partial<ControllerParts> = {}): Controller {
  return new RunningController(options, { ...controllerParts, ...parts });
}

class RunningController implements Controller {
  readonly started: Promise<boolean>;
  readonly podCounts: PodCounts = { ...noPodCounts };
  readonly #options: ControllerOptions;
  readonly #parts: ControllerParts;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #term: Term | undefined;
  #settleStarted: (hasStarted: boolean) => void = () => undefined;

  constructor(options: ControllerOptions, parts: ControllerParts) {
    this.#options = options;
    this.#parts = parts;
    this.started = new Promise((resolve) => {
      this.#settleStarted = resolve;
    });
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#ended;
  }

  held(): number {
    return this.#term?.held() ?? 0;
  }

  get cached(): number {
    return this.#term?.cached ?? 0;
  }

  async #run(): Promise<void> {
    const { election, client, clock } = this.#options;
    if (election === undefined) {
      await this.#lead({ client, podsStayUntil: clock.monotonic() }, this.#abort.signal);
    } else await this.#standForElection(election);
    this.#settleStarted(false);
  }

  /**
   * What an earlier leader sent may still be under way for as long as a lease: a create that finds its pod's name taken
   * is refused, so no pod vanishes by our doing before that time is over (design law 7).
   */
  async #standForElection(election: Election): Promise<void> {
    const { client, clock, chance, observer } = this.#options;
    const elector = new LeaderElector({
      ...election,
      client,
      clock,
      chance,
      observer: {
        leader: (identity) => observer?.leader?.(identity),
        failed: (error) => observer?.leaseFailed?.(error),
      },
    });
    const write = this.#parts.fence(elector, client);
    await elector.run(this.#abort.signal, (signal) =>
      this.#lead({ client: write, podsStayUntil: clock.monotonic() + elector.leaseMs }, signal),
    );
  }

  async #lead(grounds: Pick<TermOptions, "client" | "podsStayUntil">, signal: AbortSignal): Promise<void> {
    const { observer } = this.#options;
    const term = new Term({ ...this.#options, ...grounds, podCounts: this.podCounts }, this.#parts, signal);
    this.#term = term;
    observer?.term?.("begins");
    await term.run(() => this.#settleStarted(true));
    this.#term = undefined;
    observer?.term?.("ends");
  }
}
