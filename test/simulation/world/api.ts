/** The API server of a world, on a disk that loses what it has not acknowledged; it may crash and come back. */

import { type ApiServer, MemoryDisk, openMemoryStore, openServer } from "../../../src/cluster/apiserver/index.js";
import { argoTypes, builtInTypes, workflows } from "../../../src/core/model/resources.js";
import type { Client } from "../../../src/kube/client.js";
import { TransportError } from "../../../src/kube/errors.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { VirtualClock } from "../../../src/kube/testing/virtual-clock.js";
import { SimProcess } from "./process.js";

export interface ApiOptions {
  readonly clock: VirtualClock;
  readonly chance: SeededChance;
  readonly seed: number;
  /** How far back a watch can begin. */
  readonly historyEvents?: number;
}

export class SimApi {
  readonly #options: ApiOptions;
  readonly #disk = new MemoryDisk();
  readonly #waiting = new Set<(error: Error) => void>();
  #starts = 0;
  #process: SimProcess | undefined;
  #server: ApiServer | undefined;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#server !== undefined;
  }

  /** Counts starts: an object of an earlier one is of no use. */
  get starts(): number {
    return this.#starts;
  }

  async start(): Promise<void> {
    const { clock, seed, historyEvents = 4096 } = this.#options;
    const process = new SimProcess("api", ++this.#starts, { clock, seed });
    this.#process = process;
    const server = await openServer({
      store: openMemoryStore({ disk: this.#disk }),
      clock: process.clock,
      chance: process.chance,
      types: [...builtInTypes, ...argoTypes],
      rowFields: [{ type: workflows, path: "status.nodes" }],
      history: { events: historyEvents, bytes: 64 * 1024 * 1024 },
    });
    if (process.isDead) return;
    this.#server = server;
  }

  /** Of the acknowledged nothing is lost; of the rest, chance says how much. */
  crash(): void {
    this.#process?.kill();
    this.#server = undefined;
    this.#disk.crash(this.#options.chance);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const fail of waiting) fail(new TransportError("connection reset"));
  }

  /** Throws TransportError while it is down. */
  client(): Client {
    if (this.#server === undefined) throw new TransportError("connection refused");
    return this.#server.client();
  }

  /** Runs a call; rejects with TransportError when the server dies before it answers. */
  call<T>(send: (client: Client) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(error);
      this.#waiting.add(fail);
      const settled = (): void => void this.#waiting.delete(fail);
      let answer: Promise<T>;
      try {
        answer = send(this.client());
      } catch (error) {
        settled();
        reject(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      answer.then(
        (value) => {
          settled();
          resolve(value);
        },
        (error: unknown) => {
          settled();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  /** Told when the server dies. Answers how to take it back. */
  onCrash(fail: (error: Error) => void): () => void {
    this.#waiting.add(fail);
    return () => this.#waiting.delete(fail);
  }
}
