/** The host driver over a temporary folder, with a helper bundled for the test: for tests. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Container } from "../../../core/model/kube/pod.js";
import type { Clock } from "../../../kube/clock.js";
import { readLog } from "../logs.js";
import type { ExitRecord } from "../pod-state.js";
import { HostRuntime, type HostRuntimeOptions } from "../runtime/host/host-runtime.js";
import type { ContainerSetup, Mount, PodHandle } from "../runtime/port.js";
import { podOf } from "./scripted-node.js";

/** Real time, from what a test reads it. */
export function realClock(now: () => number): Clock {
  return {
    now,
    monotonic: () => performance.now(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

export interface Surroundings {
  readonly path: string;
  readonly home: string;
  readonly clock: Clock;
}

export interface HostFixture {
  readonly folder: string;
  readonly podsFolder: string;
  readonly helperScript: string;
  /** A started driver. */
  start(options?: Partial<HostRuntimeOptions>): Promise<HostRuntime>;
  remove(): Promise<void>;
}

export async function hostFixture({ path, home, clock }: Surroundings): Promise<HostFixture> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-host-"));
  const podsFolder = join(folder, "pods");
  const helperScript = join(folder, "helper.mjs");
  await mkdir(podsFolder);
  await build({
    entryPoints: [fileURLToPath(new URL("../runtime/host/helper.ts", import.meta.url))],
    outfile: helperScript,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  return {
    folder,
    podsFolder,
    helperScript,
    async start(options = {}) {
      const runtime = new HostRuntime({
        helperScript,
        podsFolder,
        cacheFile: join(folder, "isolation.json"),
        baseEnv: { PATH: path },
        home,
        clock,
        ...options,
      });
      await runtime.start();
      return runtime;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface RunWish {
  readonly uid: string;
  readonly argv: readonly string[];
  readonly mounts?: readonly Mount[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly container?: Partial<Container>;
}

/** Starts container `main` of a pod with that UID. */
export async function begin(fixture: HostFixture, runtime: HostRuntime, wish: RunWish) {
  const pod = podOf(`pod-${wish.uid}`, {});
  const folder = join(fixture.podsFolder, wish.uid);
  await mkdir(folder, { recursive: true });
  const handle = await runtime.openPod({ pod: { ...pod, metadata: { ...pod.metadata, uid: wish.uid } }, folder });
  const setup: ContainerSetup = {
    container: { name: "main", image: "img", ...wish.container },
    restartCount: 0,
    argv: wish.argv,
    env: new Map(Object.entries(wish.env ?? {})),
    workingDir: wish.workingDir,
    mounts: wish.mounts ?? [],
    waiting: () => undefined,
    signal: new AbortController().signal,
  };
  return { handle, result: await handle.startContainer(setup), folder };
}

export interface RunOutcome {
  readonly exit: ExitRecord;
  readonly stdout: string;
  readonly stderr: string;
  readonly handle: PodHandle;
}

/** The same, to its end. */
export async function runToEnd(fixture: HostFixture, runtime: HostRuntime, wish: RunWish): Promise<RunOutcome> {
  const { handle, result } = await begin(fixture, runtime, wish);
  if (result.kind === "waiting") throw new Error(result.message);
  const exit = result.kind === "failed" ? result.exit : await handle.ended("main");
  return { exit, handle, stdout: await textOf(handle, "stdout"), stderr: await textOf(handle, "stderr") };
}

async function textOf(handle: PodHandle, stream: "stdout" | "stderr"): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of readLog(handle.log("main"), Promise.resolve(), { stream })) parts.push(part);
  return Buffer.concat(parts).toString("latin1");
}
