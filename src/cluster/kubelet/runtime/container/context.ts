/** What all pods of one container driver share. */

import type { Clock } from "../../../../kube/clock.js";
import type { Cli } from "./cli.js";
import type { Images } from "./images.js";

export interface ContainerContext {
  readonly cli: Cli;
  readonly images: Images;
  readonly clock: Clock;
  /** What names this place's containers among all others of the machine: the folder of its pods. */
  readonly place: string;
  readonly platform: string | undefined;
  readonly abilities: Abilities;
  /** Of where containers run; asked once. */
  readonly machine: () => Promise<ContainerMachine>;
  /** Who the user is, where files that root made have to be given back to somebody else than root. */
  readonly user: FileOwner | undefined;
  /** Containers that are functions of this program: no other container need share a network with them. */
  readonly isBuiltin: (image: string) => boolean;
  /** Aborts when the driver is closed: nothing is waited for any more. */
  readonly closed: AbortSignal;
  /** Pods that have run something in this process and are not removed. */
  readonly live: Set<{ kill(): Promise<void> }>;
  /** Starts under way. */
  readonly starting: Set<Promise<unknown>>;
}

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

export interface ContainerMachine {
  /** In Node's words: x64, arm64; else as the program says it. */
  readonly architecture: string;
  readonly cpus: number;
}

/** What turned out to be possible; each is believed until a container cannot be made with it. */
export interface Abilities {
  /** A first process that passes signals on: without one, most programs would ignore SIGTERM in a container. */
  init: boolean;
  /** A network in which pods reach each other. */
  bridge: boolean;
}

export const labels = {
  place: "dev.tiphys.place",
  podUid: "dev.tiphys.pod-uid",
  pod: "dev.tiphys.pod",
  container: "dev.tiphys.container",
  restart: "dev.tiphys.restart",
} as const;
