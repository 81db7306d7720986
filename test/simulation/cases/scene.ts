/** A case played in a world: what is done to it step by step, and the end that every case has. */

import { expect } from "vitest";
import { podFinalizer } from "../../../src/core/model/argo/names.js";
import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { pods, workflows } from "../../../src/core/model/resources.js";
import { ApiError } from "../../../src/kube/errors.js";
import type { WorkflowOperation } from "../faults/fault.js";
import { operate } from "../faults/operations.js";
import type { Script } from "../faults/script.js";
import { finish } from "../run.js";
import type { DoneWrite, SentWrite } from "../world/network.js";
import { World, type WorldOptions } from "../world/world.js";

/** Longer than any backoff, lease, or idle watch. */
const LIMIT_MS = 900_000;

/** Runs `play` in a world of its own, then lets it come to rest: nothing may be broken, nothing be held. */
export async function scene(options: Partial<WorldOptions>, play: (stage: Stage) => Promise<void>): Promise<void> {
  await glimpse(options, async (stage) => {
    await play(stage);
    stage.unbroken();
    await finish(stage.world);
  });
}

/** The same, cut off at the end of `play`: for cases that are played a thousand times. */
export async function glimpse(options: Partial<WorldOptions>, play: (stage: Stage) => Promise<void>): Promise<void> {
  const writes: DoneWrite[] = [];
  const refusals: Refusal[] = [];
  const script: Script = {
    ...options.script,
    committed: (write) => void writes.push(write),
    refused: (write, error) => void refusals.push({ write, code: error instanceof ApiError ? error.code : 0 }),
  };
  const world = new World({ ...options, script });
  const stage = new Stage(world, writes, refusals);
  await world.start();
  try {
    await play(stage);
    stage.unbroken();
  } finally {
    world.stop();
  }
}

export interface Refusal {
  readonly write: SentWrite;
  /** HTTP status; 0: no answer. */
  readonly code: number;
}

export class Stage {
  constructor(
    readonly world: World,
    /** By our own processes, in order; leases and events left out. */
    readonly writes: readonly DoneWrite[],
    readonly refusals: readonly Refusal[],
  ) {}

  /** Writes of the controller that took our finalizer off a pod. */
  freed(): readonly DoneWrite[] {
    return this.writes.filter(isFreeing);
  }

  /** Steps until it is so; fails with the history when it does not come to be, or something is broken before. */
  async until(what: string, isSo: () => boolean, limitMs = LIMIT_MS): Promise<void> {
    const isDone = await this.world.runUntil(isSo, limitMs);
    this.unbroken();
    if (!isDone) expect.fail(`not so within ${limitMs} ms: ${what}\n${this.world.history.print()}`);
  }

  async pass(ms: number): Promise<void> {
    await this.world.pass(ms);
    this.unbroken();
  }

  unbroken(): void {
    const { broken } = this.world.watchdog;
    if (broken.length > 0) expect.fail(`${JSON.stringify(broken)}\n${this.world.history.print()}`);
  }

  get now(): number {
    return this.world.clock.monotonic();
  }

  workflow(name = "wf"): Workflow | undefined {
    return this.world.truth.workflows().find(({ metadata }) => metadata.name === name);
  }

  phase(name = "wf"): string {
    return this.workflow(name)?.status?.phase ?? "";
  }

  async ended(name = "wf"): Promise<void> {
    await this.until(`workflow ${name} has ended`, () => hasEnded(this.phase(name)));
  }

  /** By the last part of its name: `wf.a` and `wf[0].a` are `a`. */
  node(displayName: string, name = "wf"): NodeStatus | undefined {
    return Object.values(this.workflow(name)?.status?.nodes ?? {}).find((node) => node.displayName === displayName);
  }

  /** Pods that exist, in the order of their names. */
  pods(): readonly Pod[] {
    const all = [...this.world.truth.pods()];
    return all.sort((one, other) => ((one.metadata.name ?? "") < (other.metadata.name ?? "") ? -1 : 1));
  }

  /** The only pod, or the first. */
  pod(): Pod {
    const [pod] = this.pods();
    return pod ?? expect.fail(`there is no pod\n${this.world.history.print()}`);
  }

  podByUid(uid: string): Pod | undefined {
    return this.world.truth.byUid<Pod>(pods, uid);
  }

  async running(count = 1): Promise<void> {
    await this.until(`${count} pod(s) run`, () => this.pods().filter(isRunning).length >= count);
  }

  /** Starts of main, by node and attempt. */
  startsOfMain(): number {
    return this.world.machine.starts.filter(({ pod, container }) =>
      pod.spec.containers.some(({ name }) => name === container.name),
    ).length;
  }

  async operate(operation: WorkflowOperation, name = "wf"): Promise<void> {
    const all = this.world.truth.workflows().map(({ metadata }) => metadata.name ?? "");
    await operate(this.world, all.sort().indexOf(name), operation);
  }

  async deletePod({ metadata }: Pod, gracePeriodSeconds?: number): Promise<void> {
    const { namespace = "default", name = "" } = metadata;
    await this.world
      .outside()
      .delete(pods, { namespace, name }, gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  }

  async deleteWorkflow(
    name = "wf",
    propagationPolicy: "Background" | "Foreground" | "Orphan" = "Background",
  ): Promise<void> {
    await this.world.outside().delete(workflows, { namespace: "default", name }, { propagationPolicy });
  }

  async patchPod({ metadata }: Pod, change: Pod["metadata"] | object): Promise<void> {
    const { namespace = "default", name = "" } = metadata;
    const body = { metadata: change } as never;
    await this.world.outside().patch(pods, { namespace, name }, { type: "merge", body });
  }
}

export function hasEnded(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed" || phase === "Error";
}

function isFreeing({ process, type, verb, body }: DoneWrite): boolean {
  if (type !== pods || verb !== "patch" || !process.role.startsWith("controller")) return false;
  const { metadata } = (body as { readonly body: { readonly metadata?: Pod["metadata"] } }).body;
  return metadata?.finalizers !== undefined && !metadata.finalizers.includes(podFinalizer);
}

export function isRunning({ status }: Pod): boolean {
  return status?.phase === "Running";
}

export function isHeld({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(podFinalizer) ?? false;
}
