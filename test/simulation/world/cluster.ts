/**
 * What a cluster of several machines does by itself: pods are given to machines that answer, those on a machine that is
 * silent are deleted after a while, and those of one that is not of the cluster any more by force.
 */

import type { Pod } from "../../../src/core/model/kube/pod.js";
import { leases, pods } from "../../../src/core/model/resources.js";
import { isNotFound } from "../../../src/kube/errors.js";
import { keyOf } from "../../../src/kube/key.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import type { Act } from "../faults/fault.js";
import { leaseKeyOf } from "./heartbeat.js";
import { ACTED_ON_MS, FIRST_HOST, type Host, type HostRoles, usualRoles } from "./host.js";
import type { World } from "./world.js";

/** After such a silence nothing more is given to a machine. */
const NOT_READY_AFTER_MS = 40_000;
/** Until people take a machine that does not come back out of the cluster. */
const REMOVED_AFTER_MS = 200_000;
const AGAIN_MS = 1000;
const MOMENT_MS = 1;

type Loss = Extract<Act, { readonly kind: "lose-machine" }>;

export class Cluster {
  readonly #world: World;
  readonly #chance: SeededChance;
  /** UIDs of pods about which a request is under way. */
  readonly #underWay = new Set<string>();
  readonly #removedAt = new Map<string, number>();
  #joined = 1;

  constructor(world: World) {
    this.#world = world;
    this.#chance = world.chance.fork("cluster");
  }

  /** Gives pods to machines, and takes those away whose machine is not there any more. Asked after each step. */
  look(): void {
    for (const pod of this.#world.truth.pods()) {
      if (pod.spec.nodeName === undefined) this.#bind(pod);
      else if (this.#isStray(pod)) this.#once(pod, (uid) => this.#delete(pod, { uid, gracePeriodSeconds: 0 }));
    }
  }

  /** Whether a pod's machine may be taken for lost at this moment: by its silence, or because it was taken out. */
  mayCountAsLost({ spec: { nodeName = "" } }: Pod): boolean {
    const host = this.#world.components.hosts.find(({ name }) => name === nodeName);
    if (host === undefined || host.mayCountAsLost) return true;
    const removedAt = this.#removedAt.get(nodeName);
    return removedAt !== undefined && this.#world.clock.monotonic() - removedAt <= ACTED_ON_MS;
  }

  /** Whether there was one to lose. */
  lose({ index, fate, ms, evictMs }: Loss): boolean {
    const { hosts } = this.#world.components;
    const up = hosts.filter((host) => !host.isOff && !host.isCutOff);
    const host = up[index % Math.max(1, up.length)];
    if (host === undefined || this.#world.options.binding !== "scheduler") return false;
    this.#world.history.add(
      "fault",
      () => `machine ${host.name} is lost (${fate}), its pods are deleted in ${evictMs} ms`,
    );
    this.#after(evictMs, () => this.#evict(host));
    this.#fates[fate](host, ms, evictMs);
    return true;
  }

  readonly #fates: Readonly<Record<Loss["fate"], (host: Host, ms: number, evictMs: number) => void>> = {
    "cut off": (host, ms) => {
      const roles = Object.values(host.roles);
      this.#world.partitions.begin(roles);
      this.#after(ms, () => this.#reachable(host, roles));
      this.#after(AGAIN_MS, () => this.#joinUnlessOneIsUp());
    },
    rebooted: (host, ms) => {
      host.powerOff("kept");
      this.#after(ms, () => host.powerOn(this.#freeRoles(host.name)));
    },
    gone: (host, ms, evictMs) => {
      host.powerOff("wiped");
      this.#after(ms, () => this.#joinUnlessOneIsUp());
      this.#after(evictMs + REMOVED_AFTER_MS, () => this.#remove(host));
    },
    removed: (host, ms, evictMs) => {
      host.powerOff("wiped");
      this.#after(ms, () => this.#joinUnlessOneIsUp());
      this.#after(evictMs, () => this.#remove(host));
    },
    replaced: (host, ms, evictMs) => {
      host.powerOff("wiped");
      this.#after(evictMs, () => this.#remove(host));
      this.#after(evictMs + ms, () => this.#replace(host));
    },
  };

  #reachable(host: Host, roles: readonly string[]): void {
    this.#world.history.add("world", () => `machine ${host.name} can be reached again`);
    this.#world.partitions.end(roles);
  }

  #joinUnlessOneIsUp(): void {
    const { components } = this.#world;
    if (components.hosts.some((host) => !host.isOff && !host.isCutOff)) return;
    this.#join(`${FIRST_HOST}-${++this.#joined}`);
  }

  #join(name: string): void {
    this.#world.history.add("world", () => `machine ${name} joins`);
    this.#world.components.addHost(name, this.#freeRoles(name));
  }

  /** Faults that name a kubelet meet the one that is there; what one that is off was called may have gone to another. */
  #freeRoles(name: string): HostRoles {
    const { hosts } = this.#world.components;
    if (!hosts.some(({ isOff, roles }) => !isOff && roles.kubelet === usualRoles.kubelet)) return usualRoles;
    const suffix = name === FIRST_HOST ? "-1" : name.slice(FIRST_HOST.length);
    return { kubelet: `${usualRoles.kubelet}${suffix}`, executor: `${usualRoles.executor}${suffix}` };
  }

  /** Under the same name, with an empty disk: not while a pod is there that nobody has deleted yet. */
  #replace(host: Host): void {
    const isRemoved = !this.#world.components.hosts.includes(host);
    const left = this.#podsOn(host.name).some(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (isRemoved && !left) this.#join(host.name);
    else this.#after(AGAIN_MS, () => this.#replace(host));
  }

  /** Its Lease goes with it. */
  #remove(host: Host): void {
    if (!this.#world.components.hosts.includes(host)) return;
    this.#world.history.add("world", () => `machine ${host.name} is taken out of the cluster`);
    void this.#done(() => this.#world.outside().delete(leases, leaseKeyOf(host.name))).then(() => {
      this.#removedAt.set(host.name, this.#world.clock.monotonic());
      this.#world.components.removeHost(host);
    });
  }

  /** Unless it was heard of meanwhile. */
  #evict(host: Host): void {
    if (!this.#world.components.hosts.includes(host) || (!host.isOff && !host.isCutOff)) return;
    this.#world.history.add("world", () => `the pods of machine ${host.name} are deleted`);
    for (const pod of this.#podsOn(host.name)) {
      const phase = pod.status?.phase;
      if (phase !== "Succeeded" && phase !== "Failed") this.#once(pod, (uid) => this.#delete(pod, { uid }));
    }
  }

  #podsOn(name: string): readonly Pod[] {
    return this.#world.truth.pods().filter(({ spec }) => spec.nodeName === name);
  }

  #isStray({ metadata, spec }: Pod): boolean {
    const isOrdered = metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
    return !isOrdered && !this.#world.components.hosts.some(({ name }) => name === spec.nodeName);
  }

  #bind(pod: Pod): void {
    if (pod.metadata.deletionTimestamp !== undefined) return;
    const ready = this.#world.components.hosts.filter(({ silentMs }) => silentMs < NOT_READY_AFTER_MS);
    const host = ready[this.#chance.below(Math.max(1, ready.length))];
    if (host === undefined) return;
    const { uid = "", resourceVersion = "" } = pod.metadata;
    const body = { metadata: { uid, resourceVersion }, spec: { nodeName: host.name } };
    // What is refused is seen to be open once more.
    this.#once(pod, async () => this.#world.outside().patch(pods, keyOf(pod), { type: "merge", body }));
  }

  /** A moment later; what is under way already is not begun once more. */
  #once({ metadata: { uid = "" } }: Pod, act: (uid: string) => Promise<unknown>): void {
    if (this.#underWay.has(uid)) return;
    this.#underWay.add(uid);
    const begin = async (): Promise<void> => {
      await act(uid).catch(() => undefined);
      this.#underWay.delete(uid);
    };
    this.#after(MOMENT_MS, () => void begin());
  }

  #delete(
    pod: Pod,
    { uid, ...options }: { readonly uid: string; readonly gracePeriodSeconds?: number },
  ): Promise<void> {
    return this.#done(() => this.#world.outside().delete(pods, keyOf(pod), { ...options, preconditions: { uid } }));
  }

  /** A server that is down is asked again. */
  async #done(ask: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await ask();
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        await new Promise<void>((resolve) => this.#world.clock.after(AGAIN_MS, resolve));
      }
    }
  }

  #after(ms: number, act: () => void): void {
    this.#world.clock.after(ms, act);
  }
}
