/** A watch as one process sees it: events take time, come twice, or never come, and a broken stream is found out late. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { ResourceType } from "../../../src/core/model/resources.js";
import type { WatchEvent, WatchOptions } from "../../../src/kube/client.js";
import { TransportError } from "../../../src/kube/errors.js";
import { EventPipe } from "../../../src/kube/testing/event-pipe.js";
import type { EventFault } from "../faults/fault.js";
import { expired, timedOut } from "./answers.js";
import { never, type SimProcess } from "./process.js";
import type { World } from "./world.js";

export interface WatchEvents {
  readonly type: ResourceType;
  readonly options: WatchOptions;
}

export function watchThrough<T extends KubeObject>(
  world: World,
  process: SimProcess,
  watch: WatchEvents,
): AsyncIterable<WatchEvent<T>> {
  const begin = (): AsyncIterator<WatchEvent<T>, void> =>
    process.isDead ? { next: never } : new Stream<T>(world, process, watch).events();
  return { [Symbol.asyncIterator]: begin };
}

class Stream<T extends KubeObject> {
  readonly #pipe = new EventPipe<WatchEvent<T>>();
  #source: AsyncIterator<WatchEvent<T>> | undefined;
  #isClosed = false;
  readonly #takeBack: (() => void)[] = [];
  /** Nothing overtakes in a stream. */
  #lastAtMs = 0;
  #state: "whole" | "broken" = "whole";

  constructor(
    private readonly world: World,
    private readonly process: SimProcess,
    private readonly watch: WatchEvents,
  ) {
    const { signal } = watch.options;
    const stop = (): void => this.close();
    signal?.addEventListener("abort", stop, { once: true });
    this.#takeBack.push(() => signal?.removeEventListener("abort", stop));
    this.#takeBack.push(process.onDeath(stop));
    this.#takeBack.push(world.api.onCrash((error) => this.#end(error)));
    if (signal?.aborted === true) this.close();
  }

  events(): AsyncIterator<WatchEvent<T>, void> {
    void this.#pump();
    return { ...this.#pipe[Symbol.asyncIterator](), return: () => this.#return() };
  }

  async #return(): Promise<IteratorResult<WatchEvent<T>, void>> {
    this.close();
    return { done: true, value: undefined };
  }

  close(): void {
    for (const takeBack of this.#takeBack.splice(0)) takeBack();
    this.#isClosed = true;
    void this.#source?.return?.();
    if (!this.process.isDead) this.#pipe.end();
  }

  async #pump(): Promise<void> {
    const { world, process, watch } = this;
    if (world.partitions.isCutOff(process.role))
      return this.#later(world.options.timeoutMs, () => this.#over(timedOut()));
    try {
      // Whoever closes the stream ends the server's watch through its iterator.
      const { signal: _signal, ...options } = watch.options;
      const source = world.api.client().watch<T>(watch.type, options)[Symbol.asyncIterator]();
      this.#source = source;
      while (!this.#isClosed) {
        const next = await source.next();
        if (next.done === true) break;
        this.#arrive(next.value);
      }
      this.#end(undefined);
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #arrive(event: WatchEvent<T>): void {
    if (this.#state === "broken") return;
    if (this.world.partitions.isCutOff(this.process.role)) {
      this.#cutOff();
      return;
    }
    const fault = event.type === "BOOKMARK" ? undefined : this.#faultOf(event);
    if (fault !== undefined)
      this.world.history.add("fault", () => `${this.#name} ${eventText(event)}: ${JSON.stringify(fault)}`);
    this.#deliverWith(event, fault);
  }

  #deliverWith(event: WatchEvent<T>, fault: EventFault | undefined): void {
    switch (fault?.kind) {
      case "lost":
        this.#break(new TransportError("stream broken (simulated)"));
        return;
      case "gone":
        this.#break(expired());
        return;
      case "stalled":
        this.#state = "broken";
        return;
      case "doubled":
        this.#deliver(event, 0);
        this.#deliver(event, 0);
        return;
      case "followed-by":
        for (const each of [event, ...fault.events]) this.#deliver(each as WatchEvent<T>, 0);
        return;
      default:
        this.#deliver(event, fault?.kind === "late" ? fault.ms : 0);
    }
  }

  #faultOf(event: Exclude<WatchEvent<T>, { type: "BOOKMARK" }>): EventFault | undefined {
    const { world, process, watch } = this;
    const counted = world.weather.onEvent(process, watch.type);
    return counted ?? world.script?.event?.({ world, process, type: watch.type, event });
  }

  #deliver(event: WatchEvent<T>, moreMs: number): void {
    this.#later(moreMs, () => this.#pipe.push(event));
  }

  /** Nobody says so before its machine can be reached again. */
  #cutOff(): void {
    this.#state = "broken";
    const error = new TransportError("stream broken (simulated)");
    this.world.partitions.onEnd(this.process.role, () => this.#later(0, () => this.#over(error)));
  }

  #break(error: Error): void {
    this.#state = "broken";
    this.#later(0, () => this.#over(error));
  }

  #end(error: Error | undefined): void {
    if (this.#state === "broken") return;
    this.#later(0, () => this.#over(error));
  }

  /** The reader has had all that came before. */
  #over(error: Error | undefined): void {
    this.#pipe.end(error);
    this.close();
  }

  #later(moreMs: number, act: () => void): void {
    const { world, process } = this;
    const now = world.clock.monotonic();
    const atMs = Math.max(this.#lastAtMs, now + world.latency(process) + moreMs);
    this.#lastAtMs = atMs;
    process.clock.after(atMs - now, act);
  }

  get #name(): string {
    return `${this.process.name} ${this.watch.type.plural}`;
  }
}

export function eventText(event: WatchEvent<KubeObject>): string {
  if (event.type === "BOOKMARK") return `bookmark ${event.resourceVersion}`;
  const { namespace = "", name = "", resourceVersion = "" } = event.object.metadata;
  return `${event.type} ${namespace}/${name} rv ${resourceVersion}`;
}
