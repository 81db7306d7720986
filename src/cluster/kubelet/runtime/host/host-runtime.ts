/** The driver `host`: containers are processes of this machine, started and watched by one helper process. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Pod } from "../../../../core/model/kube/pod.js";
import type { Clock } from "../../../../kube/clock.js";
import type { ExitRecord } from "../../pod-state.js";
import { lostExit } from "../lost.js";
import type { PodHandle, PodSetup, Runtime } from "../port.js";
import { runFolder } from "../run-folders.js";
import { HelperClient, HelperGoneError } from "./helper-client.js";
import { failedStart, HostPod } from "./host-pod.js";
import { findIsolation } from "./isolation.js";
import { type BegunRun, begunRun, endOfRun } from "./lost-run.js";
import type { Isolation, Machine } from "./machine.js";
import { PathLocks } from "./plain.js";
import type { HostContext } from "./plan-run.js";
import type { RunSpec, StartReply } from "./protocol.js";

export interface HostRuntimeOptions {
  /** The bundled `process-helper.cjs`. */
  readonly helperScript: string;
  /** Holds one folder a pod, named by its UID; exists. */
  readonly podsFolder: string;
  /** Where the answer to "what isolation is possible here?" is kept. */
  readonly cacheFile: string;
  /** Undefined: the best there is. */
  readonly isolation?: Isolation;
  /** Of this machine: PATH, and LANG and TZ where set. */
  readonly baseEnv: Readonly<Record<string, string>>;
  readonly home: string;
  readonly clock: Clock;
  /** Paths outside of volumes that a container writes and others read afterwards; needed in isolation plain only. */
  readonly writtenPaths?: (pod: Pod, containerName: string) => readonly string[];
}

export class HostRuntime implements Runtime {
  readonly name = "host";
  readonly files = "disk";
  readonly #options: HostRuntimeOptions;
  readonly #exits = new Map<string, { readonly promise: Promise<ExitRecord>; resolve(exit: ExitRecord): void }>();
  #helper: HelperClient | undefined;
  /** Resolves when the last helper is gone and whoever waited for its containers knows. */
  #told: Promise<void> | undefined;
  #context: HostContext | undefined;
  #isClosed = false;

  constructor(options: HostRuntimeOptions) {
    this.#options = options;
  }

  /** Isolation in force, and why it is not full; after `start`. */
  get machine(): Machine {
    return this.#ready().machine;
  }

  /** Another program takes its time to start. */
  prepare(): void {
    this.#helper ??= this.#startHelper();
  }

  async start(): Promise<void> {
    const { podsFolder, baseEnv, home, cacheFile, isolation } = this.#options;
    const helper = this.#live();
    const leftovers = (await readdir(podsFolder)).filter((name) => !name.startsWith("."));
    const [machine] = await Promise.all([
      findIsolation({ wanted: isolation, path: baseEnv["PATH"] ?? "", home, folder: podsFolder, cacheFile }),
      leftovers.length > 0 ? helper.sweep(leftovers) : undefined,
    ]);
    this.#context = this.#makeContext(machine);
  }

  openPod(setup: PodSetup): Promise<PodHandle> {
    return HostPod.open(this.#ready(), setup);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#helper?.close();
    await this.#told;
  }

  #ready(): HostContext {
    if (this.#context === undefined) throw new Error("the host runtime was not started");
    return this.#context;
  }

  #makeContext(machine: Machine): HostContext {
    const { clock, writtenPaths } = this.#options;
    return {
      machine,
      baseEnv: this.#options.baseEnv,
      locks: new PathLocks(),
      startedAt: clock.now(),
      now: () => clock.now(),
      writtenPaths: writtenPaths ?? (() => []),
      start: (run) => this.#start(run),
      exitOf: (key) => this.#exitOf(key).promise,
      signal: (key, signal) => this.#ifAlive((helper) => helper.signal(key, signal)),
      exec: async (key, exec) => this.#live().exec(key, exec),
      remove: (paths) => this.#ifAlive((helper) => helper.remove(paths)),
    };
  }

  #startHelper(): HelperClient {
    const { helperScript, podsFolder } = this.#options;
    const helper = new HelperClient({
      script: helperScript,
      folder: podsFolder,
      exited: (key, exit) => this.#end(key, exit),
    });
    this.#told = helper.gone.then(() => this.#onHelperGone(helper));
    return helper;
  }

  /** The helper of now; a new one if the last was killed. */
  #live(): HelperClient {
    if (this.#isClosed) throw new HelperGoneError("the runtime was closed");
    this.#helper ??= this.#startHelper();
    return this.#helper;
  }

  async #start(run: RunSpec): Promise<StartReply> {
    const reply = await this.#live().start(run);
    // The helper tells no end of what never began.
    if (reply.kind === "failed") this.#end(run.key, failedStart(reply.message, reply.at).exit);
    return reply;
  }

  /** What a helper that is gone need not do any more. */
  async #ifAlive(act: (helper: HelperClient) => Promise<void>): Promise<void> {
    try {
      await act(this.#live());
    } catch (error) {
      if (!(error instanceof HelperGoneError)) throw error;
    }
  }

  async #onHelperGone(helper: HelperClient): Promise<void> {
    if (this.#helper === helper) this.#helper = undefined;
    const lost: (BegunRun & { readonly key: string; tell(exit: ExitRecord): void })[] = [];
    for (const [key, { resolve }] of [...this.#exits]) {
      const begun = begunRun(this.#folderOf(key));
      // What never began may begin with the next helper.
      if (begun === undefined) this.#end(key, { ...lostExit, startedAt: undefined, finishedAt: this.#now() });
      else lost.push({ ...begun, key, tell: resolve });
      this.#exits.delete(key);
    }
    if (!this.#isClosed && lost.length > 0) await this.#endStrays(lost.map(({ key }) => key));
    for (const run of lost) run.tell(await endOfRun(run, this.#now()));
  }

  /** The first process of a container dies with the helper, but in isolation plain not all that came of it. */
  async #endStrays(keys: readonly string[]): Promise<void> {
    // A helper that dies of it as well: the next process of ours looks again.
    await this.#ifAlive((helper) => helper.sweep(keys));
  }

  #now(): number {
    return this.#options.clock.now();
  }

  /** `key`: `<pod UID>/<container>/<restart count>`. */
  #folderOf(key: string): string {
    const [uid = "", name = "", count = ""] = key.split("/");
    return runFolder(join(this.#options.podsFolder, uid), name, Number(count));
  }

  #exitOf(key: string): { readonly promise: Promise<ExitRecord>; resolve(exit: ExitRecord): void } {
    const known = this.#exits.get(key);
    if (known !== undefined) return known;
    let resolve: (exit: ExitRecord) => void = () => undefined;
    const promise = new Promise<ExitRecord>((settle) => {
      resolve = settle;
    });
    const exit = { promise, resolve };
    this.#exits.set(key, exit);
    return exit;
  }

  #end(key: string, exit: ExitRecord): void {
    this.#exitOf(key).resolve(exit);
    this.#exits.delete(key);
  }
}
