/** One network for all containers of a pod, as cheaply as the pod allows. */

import type { Container, Pod } from "../../../../core/model/kube/pod.js";
import type { Timer } from "../../../../kube/clock.js";
import type { ContainerContext } from "./context.js";
import { hostNetworkFlags, joinedFlags, ownerFlags } from "./flags/network.js";
import { type ContainerFacts, parseContainers } from "./inspect.js";
import { ensurePauseImage, PAUSE_IMAGE } from "./pause-image.js";
import { labelFlags } from "./plan-container.js";
import { removeContainers } from "./remove-containers.js";

/** Who owns the pod's network. */
export type NetworkKind =
  /** Its only container: nothing else is needed. */
  | "own"
  /** A container that does nothing else: others come and go. */
  | "held"
  /** The machine. */
  | "host";

/** In the place of a container's name on the holder's label. */
export const HOLDER = "";
const HOST_IP = "127.0.0.1";
const IDLE_MS = 2_000;

export function networkKind(pod: Pod, isBuiltin: (image: string) => boolean): NetworkKind {
  const { spec } = pod;
  if (spec.hostNetwork === true) return "host";
  const real = [...(spec.initContainers ?? []), ...spec.containers].filter((one) => !isBuiltin(one.image ?? ""));
  const isShared = real.length > 1 || spec.shareProcessNamespace === true;
  return isShared || real.some(wantsIp) ? "held" : "own";
}

/** It is told its address before it begins. */
function wantsIp({ env = [] }: Container): boolean {
  return env.some((one) => one.valueFrom?.fieldRef?.fieldPath.startsWith("status.podIP") === true);
}

export class PodNetwork {
  readonly kind: NetworkKind;
  readonly #context: ContainerContext;
  readonly #pod: Pod;
  #ip: string;
  #holder: Promise<string> | undefined;
  #idle: Timer | undefined;

  /** `holder`: runs since an earlier process. */
  constructor(context: ContainerContext, pod: Pod, holder: ContainerFacts | undefined) {
    this.#context = context;
    this.#pod = pod;
    this.kind = networkKind(pod, context.isBuiltin);
    this.#ip = holder?.ip ?? (this.kind === "host" ? HOST_IP : "");
    if (holder !== undefined) this.#holder = Promise.resolve(holder.id);
  }

  /** Empty until a container runs. */
  get ip(): string {
    return this.#ip;
  }

  /** The address of the container that owns the network. */
  set ip(address: string) {
    this.#ip = address;
  }

  /** Flags of the next container. Rejects with CommandError when the network cannot be made. */
  async flags(): Promise<readonly string[]> {
    if (this.kind === "host") return hostNetworkFlags(this.#pod);
    if (this.kind === "own") return ownerFlags(this.#pod, this.#bridge);
    return joinedFlags(this.#pod, this.#context.cli.program, await this.open());
  }

  /** Of a held network: its holder's ID, started where it is not. */
  open(): Promise<string> {
    this.#idle?.cancel();
    this.#holder ??= this.#start().catch((error: unknown) => {
      this.#holder = undefined;
      throw error;
    });
    return this.#holder;
  }

  /** Names of the containers that there may be of it, from whatever process; podman keeps them while others use the network. */
  get containers(): readonly string[] {
    return this.kind === "held" ? [this.#holderName] : [];
  }

  get #holderName(): string {
    const { name = "", uid = "" } = this.#pod.metadata;
    return `tiphys_${name.slice(0, 100)}_${uid}`;
  }

  /** No container of the pod runs: its holder ends soon, unless another one begins. */
  rest(): void {
    if (this.#holder === undefined) return;
    this.#idle?.cancel();
    this.#idle = this.#context.clock.after(IDLE_MS, () => void this.end());
  }

  /** Never rejects. */
  async end(): Promise<void> {
    this.#idle?.cancel();
    const holder = this.#holder;
    this.#holder = undefined;
    const id = await holder?.catch(() => undefined);
    if (id !== undefined) await removeContainers(this.#context.cli, [id]).catch(() => undefined);
  }

  get #bridge(): readonly string[] {
    return this.#context.abilities.bridge ? this.#context.cli.program.bridgeFlags : [];
  }

  async #start(): Promise<string> {
    const { cli, machine } = this.#context;
    await ensurePauseImage(cli, (await machine()).architecture);
    const id = await this.#create();
    const started = await cli.ask(["start", id]);
    if (started.exitCode !== 0) {
      await removeContainers(cli, [id]);
      if (!this.#context.abilities.bridge || !isNetworkFault(started.stderr)) {
        throw new Error(`the pod's network: ${started.stderr.trim()}`);
      }
      this.#context.abilities.bridge = false;
      return this.#start();
    }
    const [facts] = parseContainers(await cli.demand(["container", "inspect", id]));
    this.#ip = facts?.ip ?? "";
    return id;
  }

  async #create(): Promise<string> {
    const { cli } = this.#context;
    // One of an earlier process, or of a start that was cut short: no container of this process uses it.
    await removeContainers(cli, this.containers);
    return cli.demand([
      ...["create", "--name", this.#holderName, "--pull", "never"],
      ...labelFlags(this.#context, this.#pod, HOLDER, 0),
      ...["--log-driver", "none", "--ipc", "shareable"],
      ...ownerFlags(this.#pod, this.#bridge),
      PAUSE_IMAGE,
    ]);
  }
}

/** The network without root needs more of the machine than there is. */
export function isNetworkFault(complaint: string): boolean {
  return /rootless[ -]?netns|netavark|aardvark|\bcni\b|slirp4netns|pasta|setting up network|network namespace/i.test(
    complaint,
  );
}
