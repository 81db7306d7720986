/** Between a process and the API server: time on the wire, faults, the caller's death, and a record of every write. */

import type { KubeObject } from "../../../src/core/model/kube/meta.js";
import type { ResourceType } from "../../../src/core/model/resources.js";
import { messageOf } from "../../../src/core/std/message.js";
import type { Client, ObjectKey, SendOptions } from "../../../src/kube/client.js";
import { ApiError, TransportError } from "../../../src/kube/errors.js";
import { keyText } from "../../../src/kube/key.js";
import type { CallFault } from "../faults/fault.js";
import type { ScriptedCall } from "../faults/script.js";
import { denial, refusal, timedOut } from "./answers.js";
import type { WatchEvents } from "./network-watch.js";
import { watchThrough } from "./network-watch.js";
import { never, type SimProcess } from "./process.js";
import type { World } from "./world.js";

export type WriteVerb = "create" | "update" | "patch" | "delete";

/** A write as it was asked for; `body` is the object, the patch, or the delete options. */
export interface SentWrite {
  readonly process: SimProcess;
  readonly verb: WriteVerb;
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly body: unknown;
}

export interface DoneWrite extends SentWrite {
  /** What the API answered: the object; undefined where a delete left nothing. */
  readonly object: KubeObject | undefined;
}

interface Call<T> {
  readonly at: "read" | "write";
  readonly type: ResourceType;
  readonly key: ObjectKey | undefined;
  readonly send: (client: Client) => Promise<T>;
  /** Asked right before the request leaves, as a transport does. */
  readonly guard?: (() => void) | undefined;
  readonly write?: SentWrite;
}

/** The API as one process reaches it. */
export function connect(world: World, process: SimProcess): Client {
  const network = new Network(world, process);
  const write = <R extends KubeObject | undefined>(
    sent: Omit<SentWrite, "process">,
    options: SendOptions | undefined,
    send: (client: Client) => Promise<R>,
  ): Promise<R> => {
    const { type, key } = sent;
    return network.call({ at: "write", type, key, send, guard: options?.guard, write: { process, ...sent } });
  };
  return {
    get: (type, key) => network.call({ at: "read", type, key, send: (client) => client.get(type, key) }),
    list: (type, options) =>
      network.call({ at: "read", type, key: undefined, send: (client) => world.list(client, type, options) }),
    watch: (type, options) => watchThrough(world, process, { type, options } as WatchEvents),
    create: (type, object, options) =>
      write({ verb: "create", type, key: keyOfObject(object), body: object }, options, (client) =>
        client.create(type, object, unguarded(options)),
      ),
    update: (type, object, options) =>
      write({ verb: "update", type, key: keyOfObject(object), body: object }, options, (client) =>
        client.update(type, object, unguarded(options)),
      ),
    patch: (type, key, patch, options) =>
      write({ verb: "patch", type, key, body: patch }, options, (client) =>
        client.patch(type, key, patch, unguarded(options)),
      ),
    delete: (type, key, options) =>
      write({ verb: "delete", type, key, body: options ?? {} }, options, (client) =>
        client.delete(type, key, unguarded(options)),
      ),
  };
}

class Network {
  constructor(
    private readonly world: World,
    private readonly process: SimProcess,
  ) {}

  async call<T>(call: Call<T>): Promise<T> {
    const { world, process } = this;
    if (process.isDead || world.isSpinning()) return await never();
    const fault = this.countedFaultOf(call) ?? (this.isScripted ? await this.scriptedFaultOf(call) : undefined);
    if (fault !== undefined) world.history.add("fault", () => `${process.name} ${call.at}: ${JSON.stringify(fault)}`);
    if (fault === undefined ? process.isDead : await this.stopsBefore(fault)) return await never();
    const ms = this.leaves(call, fault);
    // What has left is under way whatever becomes of its sender.
    if (ms > 0) await new Promise<void>((resolve) => world.clock.after(ms, resolve));
    return await this.answered(call, fault);
  }

  /** Answers how long it is under way. */
  private leaves<T>(call: Call<T>, fault: CallFault | undefined): number {
    const { world, process } = this;
    call.guard?.();
    if (call.write !== undefined) world.sent(call.write);
    if (fault?.kind === "last-words") world.crash(process.role);
    return world.latency(process) + (fault?.kind === "slow" || fault?.kind === "last-words" ? fault.ms : 0);
  }

  private get isScripted(): boolean {
    return this.world.script?.call !== undefined;
  }

  /** By the plan's count of calls. */
  private countedFaultOf<T>(call: Call<T>): CallFault | undefined {
    const { world, process } = this;
    if (world.partitions.isCutOff(process.role)) return { kind: "timeout", commit: "before" };
    return world.weather.onCall(process, call.at, call.type);
  }

  /** As the scene's script says. */
  private async scriptedFaultOf<T>(call: Call<T>): Promise<CallFault | undefined> {
    const { world, process } = this;
    return await world.script?.call?.({ world, ...told(call, process) });
  }

  /** The caller's own misfortune, before anything has left; true when it died of it. */
  private async stopsBefore(fault: CallFault): Promise<boolean> {
    const { world, process } = this;
    if (fault.kind === "crash" && fault.commit === "before") {
      world.crash(process.role);
      return true;
    }
    if (fault.kind === "pause") {
      world.pause(process.role, fault.ms);
      // The request of a process that stands still leaves when it goes on.
      await new Promise<void>((resolve) => process.clock.after(0, resolve));
    }
    return process.isDead;
  }

  private async answered<T>(call: Call<T>, fault: CallFault | undefined): Promise<T> {
    const { world, process } = this;
    let failure: unknown;
    let value: T | undefined;
    try {
      value = await this.served(call, fault);
      if (call.write !== undefined) world.committed(doneOf(call.write, value));
    } catch (error) {
      failure = error;
      if (call.write !== undefined) world.refused(call.write, error);
    }
    if (fault?.kind === "crash") world.crash(process.role);
    if (fault?.kind === "timeout" || world.partitions.isCutOff(process.role)) {
      await this.wait(world.options.timeoutMs);
      throw timedOut();
    }
    await this.wait(world.latency(process));
    if (process.isDead) return await never();
    if (failure !== undefined) throw failure;
    if (call.write !== undefined) world.answered(doneOf(call.write, value));
    return value as T;
  }

  private served<T>(call: Call<T>, fault: CallFault | undefined): Promise<T> {
    return fault === undefined ? this.world.api.call(call.send) : this.servedIn(call, fault);
  }

  private async servedIn<T>(call: Call<T>, fault: CallFault): Promise<T> {
    if (fault.kind === "refuse") throw refusal(fault.code, `${call.type.plural} ${textOf(call.key)}`);
    if (fault.kind === "deny") throw denial(`${call.type.plural} ${textOf(call.key)}`);
    if (fault.kind === "timeout" && fault.commit === "before") throw new TransportError("lost on the way");
    if (fault.kind === "conflict" && call.write?.verb === "create") throw refusal(409, textOf(call.key));
    if (fault.kind === "foreign-write" || fault.kind === "conflict") await this.world.touch(call.type, call.key);
    return await this.world.api.call(call.send);
  }

  /** Answers are read by the process: not while it stands still, never when it is dead. */
  private wait(ms: number): Promise<void> {
    if (ms <= 0 && this.process.isRunning) return Promise.resolve();
    return new Promise((resolve) => this.process.clock.after(ms, resolve));
  }
}

function doneOf({ process, verb, type, key, body }: SentWrite, answer: unknown): DoneWrite {
  return { process, verb, type, key, body, object: answer as KubeObject | undefined };
}

/** What a script is told of a call. */
function told({ at, type, key, write }: Call<unknown>, process: SimProcess): Omit<ScriptedCall, "world"> {
  return { process, at, type, key, verb: write?.verb, body: write?.body };
}

function unguarded<O extends SendOptions>(options: O | undefined): O | undefined {
  if (options?.guard === undefined) return options;
  const { guard: _, ...rest } = options;
  return rest as O;
}

function keyOfObject({ metadata }: KubeObject): ObjectKey {
  const name = metadata.name ?? metadata.generateName ?? "";
  return { name, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) };
}

function textOf(key: ObjectKey | undefined): string {
  return key === undefined ? "" : keyText(key);
}

/** For histories. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return `${error.code} ${error.message}`;
  return messageOf(error);
}
