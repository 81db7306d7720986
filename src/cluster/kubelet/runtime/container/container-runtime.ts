/** The drivers `docker` and `podman`: containers of a container program, through its command line. */

import type { Clock } from "../../../../kube/clock.js";
import { HelperClient, HelperGoneError } from "../host/helper-client.js";
import type { PodHandle, PodSetup, Runtime } from "../port.js";
import { Cli } from "./cli.js";
import { ContainerPod } from "./container-pod.js";
import type { ContainerContext, ContainerMachine, FileOwner } from "./context.js";
import { Images, type PullPolicy } from "./images.js";
import { type ContainerProgramName, containerPrograms } from "./program.js";
import { settledWithin } from "./settled-within.js";
import { endOthers, type Left, sweep } from "./sweep.js";

export interface ContainerRuntimeOptions {
  readonly program: ContainerProgramName;
  /** Path of the program, or its name on PATH; left out: the program's name. */
  readonly file?: string;
  /** The bundled `process-helper.cjs`. */
  readonly helperScript: string;
  /** Holds one folder a pod, named by its UID; exists. Names this place's containers as well. */
  readonly podsFolder: string;
  /** The user's own: through it the program finds its daemon, its logins, its settings. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly pull: PullPolicy;
  /** `linux/arm64`; left out: the machine's own. */
  readonly platform?: string;
  /** To be pulled at the start. */
  readonly prefetch?: readonly string[];
  /** Left out: this process is root. */
  readonly user?: FileOwner;
  /** Of this machine, in Node's words; with it foreign images are noticed. */
  readonly architecture?: string;
  /** An image that is here was made for another kind of machine; told once an image. */
  readonly foreignImage?: (image: string, platform: string) => void;
  /** Left out: every image is one of containers. */
  readonly isBuiltin?: (image: string) => boolean;
}

/** How long a start that nobody wants any more is waited for. */
const START_END_MS = 3_000;

const DOCKER_WORDS: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", arm: "arm" };
const NODE_WORDS: Readonly<Record<string, string>> = { amd64: "x64", x86_64: "x64", aarch64: "arm64" };

export class ContainerRuntime implements Runtime {
  readonly name: ContainerProgramName;
  readonly files = "disk";
  readonly #options: ContainerRuntimeOptions;
  readonly #context: ContainerContext;
  readonly #closing = new AbortController();
  #left: Left = { holders: new Map(), steps: [] };
  #machine: Promise<ContainerMachine> | undefined;
  #helper: HelperClient | undefined;

  constructor(options: ContainerRuntimeOptions) {
    this.name = options.program;
    this.#options = options;
    const cli = new Cli({
      program: containerPrograms[options.program],
      file: options.file ?? options.program,
      env: options.env,
      starter: () => this.#live(),
    });
    const { architecture } = options;
    this.#context = {
      cli,
      clock: options.clock,
      place: options.podsFolder,
      platform: options.platform,
      abilities: { init: true, bridge: true },
      user: options.user,
      isBuiltin: options.isBuiltin ?? (() => false),
      closed: this.#closing.signal,
      live: new Set(),
      starting: new Set(),
      machine: () => {
        this.#machine ??= this.#askMachine();
        return this.#machine;
      },
      images: new Images({
        cli,
        pull: options.pull,
        platform: options.platform,
        architecture: architecture === undefined ? undefined : (DOCKER_WORDS[architecture] ?? architecture),
        ...(options.foreignImage === undefined ? {} : { foreign: options.foreignImage }),
      }),
    };
  }

  async start(): Promise<void> {
    this.#left = await sweep(this.#context.cli, this.#context.place);
    this.#context.images.prefetch(this.#options.prefetch ?? []);
  }

  async endOthers(isKnown: (podUid: string) => boolean): Promise<void> {
    // What is left all the same is found again by a later process.
    await endOthers(this.#context.cli, this.#left, isKnown).catch(() => undefined);
  }

  async openPod(setup: PodSetup): Promise<PodHandle> {
    const holder = this.#left.holders.get(setup.pod.metadata.uid ?? "");
    return ContainerPod.open(this.#context, setup, { holder });
  }

  async close(): Promise<void> {
    this.#context.images.close();
    this.#closing.abort();
    // One that is just being made would be left behind.
    await settledWithin(this.#options.clock, START_END_MS, Promise.allSettled(this.#context.starting));
    await Promise.all([...this.#context.live].map((pod) => pod.kill().catch(() => undefined)));
    await this.#helper?.close();
  }

  async #askMachine(): Promise<ContainerMachine> {
    const { cli } = this.#context;
    try {
      const [architecture = "", cpus = ""] = (await cli.demand(["info", "--format", cli.program.infoFormat])).split(
        " ",
      );
      return { architecture: NODE_WORDS[architecture] ?? architecture, cpus: Number(cpus) || Number.POSITIVE_INFINITY };
    } catch (error) {
      this.#machine = undefined;
      throw error;
    }
  }

  /** The helper of now; a new one if the last was killed: containers live on without it. */
  #live(): HelperClient {
    if (this.#closing.signal.aborted && this.#helper === undefined) throw new HelperGoneError("the runtime was closed");
    if (this.#helper === undefined) {
      const { helperScript, podsFolder } = this.#options;
      const helper = new HelperClient({ script: helperScript, folder: podsFolder, exited: () => undefined });
      this.#helper = helper;
      void helper.gone.then(() => {
        if (this.#helper === helper) this.#helper = undefined;
      });
    }
    return this.#helper;
  }
}
