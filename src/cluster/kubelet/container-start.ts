/** Starts one container: environment, mounts, then the runtime or a built-in image. */

import type { Container, Pod } from "../../core/model/kube/pod.js";
import type { BuiltinContext, BuiltinImage } from "./builtin.js";
import { BuiltinRun } from "./builtin-run.js";
import type { MissingConfig } from "./config-source.js";
import { type ContainerEnv, resolveEnv } from "./env.js";
import { expandVariables } from "./expand.js";
import { keepLog } from "./keep-log.js";
import type { KubeletContext } from "./kubelet-context.js";
import { readLog } from "./logs.js";
import { factsOf, podFolder, type ReadyPod, volumeFolders } from "./pod-setup.js";
import type { ExitRecord } from "./pod-state.js";
import type { LogSource, Mount } from "./runtime/port.js";
import { makeEmptyVolume, mountsOf, VolumeError, volumePath } from "./volumes/disk.js";

export interface StartInput {
  readonly context: KubeletContext;
  readonly pod: Pod;
  readonly ready: ReadyPod;
  readonly container: Container;
  readonly restartCount: number;
  readonly waiting: (reason: string, message: string) => void;
  readonly signal: AbortSignal;
  /** What a built-in container may ask about its neighbours. */
  readonly neighbours: Neighbours;
}

export interface Neighbours {
  ended(containerName: string): Promise<ExitRecord>;
  log(containerName: string): LogSource;
  stdoutTail(containerName: string, maxBytes: number): Promise<Buffer>;
}

export type ContainerStart =
  | {
      readonly kind: "started";
      readonly startedAt: number;
      readonly containerID: string;
      readonly exit: Promise<ExitRecord>;
      readonly builtin?: BuiltinRun;
    }
  | { readonly kind: "failed"; readonly exit: ExitRecord }
  /** Tried again when `missing` is there, else after a back-off. */
  | { readonly kind: "waiting"; readonly reason: string; readonly message: string; readonly missing?: MissingConfig };

/** Rejects only for what may be gone the next time: the API, the disk, the driver. */
export async function startContainer(input: StartInput): Promise<ContainerStart> {
  const { context, pod, ready, container } = input;
  const env = await resolveEnv(container, factsOf(context, pod, ready.handle.ip), context.source);
  if (!env.ok) {
    const reason = "CreateContainerConfigError";
    if ("message" in env.error) return { kind: "waiting", reason, message: env.error.message };
    return { kind: "waiting", reason, message: env.error.missing.message, missing: env.error.missing };
  }
  const builtin = context.builtinImages.get(container.image ?? "");
  if (builtin !== undefined) return startBuiltin(input, builtin, env.value);
  return startInRuntime(input, env.value);
}

async function startInRuntime(input: StartInput, own: ContainerEnv): Promise<ContainerStart> {
  const { context, container, ready, restartCount } = input;
  const isMain = input.pod.spec.containers.includes(container);
  const env = isMain ? new Map([...context.extraEnv, ...own]) : own;
  const mounts = await containerMounts(input, env);
  if (typeof mounts === "string") return { kind: "waiting", reason: "CreateContainerConfigError", message: mounts };
  const expand = (text: string): string => expandVariables(text, (name) => env.get(name));
  const result = await ready.handle.startContainer({
    container,
    restartCount,
    argv: [...(container.command ?? []), ...(container.args ?? [])].map(expand),
    env,
    workingDir: container.workingDir === undefined || container.workingDir === "" ? undefined : container.workingDir,
    mounts: isMain ? [...mounts, ...context.extraMounts] : mounts,
    waiting: input.waiting,
    signal: input.signal,
  });
  if (result.kind !== "started") return result;
  return { ...result, exit: ready.handle.ended(container.name) };
}

async function containerMounts(input: StartInput, env: ContainerEnv): Promise<readonly Mount[] | string> {
  const { context, pod, container, ready } = input;
  if (context.runtime.files === "none") return [];
  try {
    return await mountsOf({ container, plans: ready.volumes, folders: volumeFolders(context, pod), env });
  } catch (error) {
    if (error instanceof VolumeError) return error.message;
    throw error;
  }
}

function startBuiltin(input: StartInput, image: BuiltinImage, env: ContainerEnv): ContainerStart {
  const { context, pod, container, restartCount } = input;
  const run = new BuiltinRun({ image, context: builtinContext(input, env), now: () => context.clock.now() });
  const containerID = `builtin://${pod.metadata.uid ?? ""}/${container.name}/${restartCount}`;
  const exit = run.exit.then(async (record) => {
    if (context.runtime.files === "disk") {
      const kept = { podFolder: podFolder(context, pod), containerName: container.name, restartCount };
      // An end is told in any case; a full disk costs the log only.
      await keepLog(kept, run.log).catch((error: unknown) => context.onError(error, pod));
    }
    return record;
  });
  return { kind: "started", startedAt: run.startedAt, containerID, exit, builtin: run };
}

function builtinContext(input: StartInput, env: ContainerEnv): Omit<BuiltinContext, "signal" | "killed" | "log"> {
  const { pod, container, ready, neighbours } = input;
  return {
    pod,
    container,
    env,
    volumePath: (name) => builtinVolume(input, name),
    ended: async (name) => ({ exitCode: (await neighbours.ended(name)).exitCode }),
    stdoutTail: (name, maxBytes) => neighbours.stdoutTail(name, maxBytes),
    output: (name) => readLog(neighbours.log(name), Promise.resolve()),
    readFile: (name, path, maxBytes) => ready.handle.readFile(name, path, maxBytes),
    exportPath: (name, path) => ready.handle.exportPath(name, path),
  };
}

/** Where containers have no files, a volume comes into being when a built-in image asks for it. */
function builtinVolume({ context, pod, ready }: StartInput, name: string): string {
  const plan = ready.volumes.find((one) => one.name === name);
  if (plan === undefined) throw new VolumeError(`the pod has no volume "${name}"`);
  const path = volumePath(plan, volumeFolders(context, pod));
  if (context.runtime.files === "none") makeEmptyVolume(path);
  return path;
}
