/** Images on this machine: each is looked up once a run, and pulled where the policy says so. */

import { type Cli, complaintOf } from "./cli.js";
import { checkedImage, fullName } from "./image-name.js";
import { type ImageFacts, parseImage } from "./inspect.js";
import { pullMessage } from "./pull-errors.js";
import { PullProgress } from "./pull-progress.js";

export type PullPolicy = "missing" | "always" | "never";

export interface ImagesOptions {
  readonly cli: Cli;
  readonly pull: PullPolicy;
  /** `linux/arm64`; undefined: the daemon's own. */
  readonly platform: string | undefined;
  /** An image is here that was made for another kind of machine than the user's; told once an image. */
  readonly foreign?: (image: string, platform: string) => void;
  /** Of this machine, in Docker's words: `amd64`. */
  readonly architecture?: string | undefined;
}

/** An image that containers can be made of. */
export interface ReadyImage {
  readonly kind: "ready";
  /** The name under which this program has it. */
  readonly name: string;
  readonly facts: ImageFacts;
}

export type ImageOutcome =
  | ReadyImage
  /** Kubernetes' reasons: InvalidImageName, ErrImageNeverPull, ErrImagePull, ImagePullBackOff. */
  | MissingImage;

export interface MissingImage {
  readonly kind: "missing";
  readonly reason: string;
  readonly message: string;
}

interface Fetch {
  readonly outcome: Promise<ImageOutcome>;
  readonly listeners: Set<(text: string) => void>;
  readonly stop: AbortController;
  /** Asked for at the start: goes on whoever loses interest. */
  isWanted: boolean;
  text: string;
}

const MAX_PREFETCHES = 3;

export class Images {
  readonly #options: ImagesOptions;
  readonly #ready = new Map<string, ReadyImage>();
  readonly #fetches = new Map<string, Fetch>();
  /** Those that could not be pulled, the last time. */
  readonly #failures = new Map<string, MissingImage>();
  readonly #queue: string[] = [];
  #prefetching = 0;

  constructor(options: ImagesOptions) {
    this.#options = options;
  }

  /** Begins to pull what will be needed, a few at a time. */
  prefetch(images: readonly string[]): void {
    this.#queue.push(...images.filter((image) => checkedImage(image).ok));
    this.#prefetchNext();
  }

  /** Why the image could not be had the last time; undefined when nobody tried, or it is here. */
  failure(image: string): MissingImage | undefined {
    return this.#failures.get(image);
  }

  /**
   * The image, when it is here. `said` hears how a pull comes on; `signal`: nobody waits for it any more. Rejects when
   * the program itself cannot be run.
   */
  async get(image: string, said: (text: string) => void, signal: AbortSignal): Promise<ImageOutcome> {
    const checked = checkedImage(image);
    if (!checked.ok) return { kind: "missing", reason: "InvalidImageName", message: checked.error };
    const known = this.#ready.get(image);
    if (known !== undefined) return known;
    const fetch = this.#fetch(image);
    fetch.listeners.add(said);
    if (fetch.text !== "") said(fetch.text);
    const leave = (): void => {
      fetch.listeners.delete(said);
      if (fetch.listeners.size > 0 || fetch.isWanted) return;
      fetch.stop.abort();
      // Who wants it from now on must not get the end of this one.
      this.#forget(image, fetch);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    return fetch.outcome.finally(() => signal.removeEventListener("abort", leave));
  }

  /** Gives up all pulls. */
  close(): void {
    this.#queue.length = 0;
    for (const fetch of this.#fetches.values()) fetch.stop.abort();
  }

  #prefetchNext(): void {
    while (this.#prefetching < MAX_PREFETCHES) {
      const image = this.#queue.shift();
      if (image === undefined) return;
      const fetch = this.#fetch(image);
      fetch.isWanted = true;
      this.#prefetching += 1;
      const done = (): void => {
        this.#prefetching -= 1;
        this.#prefetchNext();
      };
      // Whoever needs the image hears of a failure.
      fetch.outcome.then(done, done);
    }
  }

  #fetch(image: string): Fetch {
    const running = this.#fetches.get(image);
    if (running !== undefined) return running;
    const listeners = new Set<(text: string) => void>();
    const stop = new AbortController();
    const fetch: Fetch = {
      listeners,
      stop,
      isWanted: false,
      text: "",
      outcome: Promise.resolve()
        .then(() => this.#find(image, stop.signal, heard))
        .finally(() => this.#forget(image, fetch)),
    };
    const heard = (text: string): void => {
      fetch.text = text;
      for (const listener of listeners) listener(text);
    };
    this.#fetches.set(image, fetch);
    return fetch;
  }

  #forget(image: string, fetch: Fetch): void {
    if (this.#fetches.get(image) === fetch) this.#fetches.delete(image);
  }

  async #find(image: string, signal: AbortSignal, said: (text: string) => void): Promise<ImageOutcome> {
    const { pull } = this.#options;
    const here = pull === "always" ? undefined : await this.#lookUp(this.#names(image));
    if (here !== undefined) return this.#keep(image, here);
    if (pull === "never") {
      const message = `Container image "${image}" is not present with pull policy of Never`;
      return { kind: "missing", reason: "ErrImageNeverPull", message };
    }
    return this.#pull(image, signal, said);
  }

  async #pull(image: string, signal: AbortSignal, said: (text: string) => void): Promise<ImageOutcome> {
    const { cli, platform } = this.#options;
    const name = this.#names(image).at(-1) ?? image;
    const progress = new PullProgress();
    // What went wrong before is better news than another try.
    if (!this.#failures.has(image)) said(progress.text);
    const reply = await cli.run(["pull", ...(platform === undefined ? [] : ["--platform", platform]), name], {
      signal,
      said: (line) => {
        if (progress.add(line)) said(progress.text);
      },
    });
    const pulled = reply.exitCode === 0 ? await this.#lookUp([name]) : undefined;
    if (pulled !== undefined) return this.#keep(image, pulled);
    const reason = this.#failures.has(image) ? "ImagePullBackOff" : "ErrImagePull";
    const message = pullMessage(cli.program.name, image, complaintOf(reply));
    const missing: MissingImage = { kind: "missing", reason, message };
    // One that was given up says nothing of the image.
    if (!signal.aborted) this.#failures.set(image, missing);
    return missing;
  }

  #keep(image: string, ready: ReadyImage): ReadyImage {
    this.#ready.set(image, ready);
    this.#failures.delete(image);
    const { architecture, foreign } = this.#options;
    if (architecture !== undefined && ready.facts.architecture !== architecture) {
      foreign?.(image, `${ready.facts.os}/${ready.facts.architecture}`);
    }
    return ready;
  }

  /** Where to look, what to pull last: what was built here under a short name comes first. */
  #names(image: string): readonly string[] {
    const full = fullName(image);
    return this.#options.cli.program.shortNames === "its own" || full === image ? [image] : [image, full];
  }

  async #lookUp(names: readonly string[]): Promise<ReadyImage | undefined> {
    for (const name of names) {
      const reply = await this.#options.cli.ask(["image", "inspect", name]);
      const facts = reply.exitCode === 0 ? parseImage(reply.stdout) : undefined;
      if (facts !== undefined && this.#fits(facts)) return { kind: "ready", name, facts };
    }
    return undefined;
  }

  /** Another platform's image of that name is as good as none. */
  #fits({ os, architecture }: ImageFacts): boolean {
    const { platform } = this.#options;
    if (platform === undefined) return true;
    return `${platform}/`.startsWith(`${os}/${architecture}/`);
  }
}
