/** Pods run by the driver itself, without API or kubelet. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readLog } from "../../src/cluster/kubelet/logs.js";
import type { ExitRecord } from "../../src/cluster/kubelet/pod-state.js";
import {
  ContainerRuntime,
  type ContainerRuntimeOptions,
} from "../../src/cluster/kubelet/runtime/container/container-runtime.js";
import type { ContainerSetup, PodHandle, StartResult } from "../../src/cluster/kubelet/runtime/port.js";
import type { Container, Pod, PodSpec } from "../../src/core/model/kube/pod.js";
import type { Clock } from "../../src/kube/clock.js";
import { IMAGE } from "./image.js";
import type { ContainerMachine } from "./machine.js";

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

export function runtimeOptions(machine: ContainerMachine, podsFolder: string): ContainerRuntimeOptions {
  const { program, env, helperScript } = machine;
  return { program, env, helperScript, podsFolder, clock: systemClock, pull: "missing" };
}

/** A started driver with a folder of its own. */
export async function startRuntime(
  machine: ContainerMachine,
  name: string,
  options: Partial<ContainerRuntimeOptions> = {},
): Promise<{ readonly runtime: ContainerRuntime; readonly podsFolder: string }> {
  const podsFolder = join(machine.folder, name);
  await mkdir(podsFolder, { recursive: true });
  const runtime = new ContainerRuntime({ ...runtimeOptions(machine, podsFolder), ...options });
  await runtime.start();
  return { runtime, podsFolder };
}

export function podOf(uid: string, containers: readonly Container[], spec: Partial<PodSpec> = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `pod-${uid}`, namespace: "default", uid },
    spec: { restartPolicy: "Never", containers, ...spec },
  };
}

export async function openPod(runtime: ContainerRuntime, podsFolder: string, pod: Pod): Promise<PodHandle> {
  const folder = join(podsFolder, pod.metadata.uid ?? "");
  await mkdir(folder, { recursive: true });
  return runtime.openPod({ pod, folder });
}

export type Wish = Partial<Omit<ContainerSetup, "env">> & { readonly env?: Readonly<Record<string, string>> };

export function container(name: string, ...argv: readonly string[]): Container {
  const [command, ...args] = argv;
  return { name, image: IMAGE, ...(command === undefined ? {} : { command: [command], args }) };
}

export function setupOf(container: Container, { env = {}, ...wish }: Wish = {}): ContainerSetup {
  return {
    container,
    restartCount: 0,
    argv: [...(container.command ?? []), ...(container.args ?? [])],
    env: new Map(Object.entries(env)),
    workingDir: container.workingDir,
    mounts: [],
    waiting: () => undefined,
    signal: new AbortController().signal,
    ...wish,
  };
}

export interface Ran {
  readonly handle: PodHandle;
  readonly start: StartResult;
  readonly exit: ExitRecord;
  readonly stdout: string;
  readonly stderr: string;
}

/** A pod of one container, to its end. */
export async function runToEnd(
  on: { readonly runtime: ContainerRuntime; readonly podsFolder: string },
  uid: string,
  one: Container,
  wish: Wish & { readonly spec?: Partial<PodSpec> } = {},
): Promise<Ran> {
  const handle = await openPod(on.runtime, on.podsFolder, podOf(uid, [one], wish.spec));
  const start = await handle.startContainer(setupOf(one, wish));
  if (start.kind === "waiting") throw new Error(`${start.reason}: ${start.message}`);
  const exit = start.kind === "failed" ? start.exit : await handle.ended(one.name);
  const [stdout, stderr] = await Promise.all([logOf(handle, one.name, "stdout"), logOf(handle, one.name, "stderr")]);
  return { handle, start, exit, stdout, stderr };
}

export async function logOf(handle: PodHandle, name: string, stream: "stdout" | "stderr"): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of readLog(handle.log(name), Promise.resolve(), { stream })) parts.push(part);
  return Buffer.concat(parts).toString("latin1");
}

/** Resolves with the first text that fits, as the log grows. */
export async function logShows(handle: PodHandle, name: string, wanted: RegExp): Promise<string> {
  const over = new AbortController();
  let text = "";
  const never = new Promise<void>(() => undefined);
  for await (const part of readLog(handle.log(name), never, { follow: true, signal: over.signal })) {
    text += Buffer.from(part).toString("latin1");
    if (wanted.test(text)) break;
  }
  over.abort();
  return text;
}
