/** A driver over the stand-in for docker and podman: for tests. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Container, Pod, PodSpec } from "../../../../../core/model/kube/pod.js";
import type { Clock } from "../../../../../kube/clock.js";
import type { ContainerSetup, PodHandle } from "../../port.js";
import { ContainerRuntime, type ContainerRuntimeOptions } from "../container-runtime.js";

export interface Call {
  readonly words: readonly string[];
  /** The run of the container it is about was on record as begun. */
  readonly onRecord: boolean;
}

/** What the stand-in answers to a command that contains these words. */
export interface Play {
  readonly words: string;
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly times?: number;
}

export interface StandIn {
  readonly podsFolder: string;
  /** Images that are here. */
  images(...names: readonly string[]): Promise<void>;
  plays(...plays: readonly Play[]): Promise<void>;
  calls(): Promise<readonly Call[]>;
  /** First words of all calls of those commands. */
  called(...commands: readonly string[]): Promise<readonly string[]>;
  start(options?: Partial<ContainerRuntimeOptions>): Promise<ContainerRuntime>;
  /** Whatever was started, and the folder. */
  remove(): Promise<void>;
}

const program = fileURLToPath(new URL("./stand-in.mjs", import.meta.url));

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

export async function standIn(): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-standin-"));
  const podsFolder = join(folder, "pods");
  await mkdir(podsFolder);
  const helperScript = await bundledHelper();
  const runtimes: ContainerRuntime[] = [];
  const calls = async (): Promise<readonly Call[]> => {
    const text = await readFile(join(folder, "calls.ndjson"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Call]));
  };
  return {
    podsFolder,
    calls,
    images: (...names) => writeFile(join(folder, "images.json"), JSON.stringify(names)),
    plays: (...plays) => writeFile(join(folder, "plays.json"), JSON.stringify(plays)),
    async called(...commands) {
      const words = (await calls()).map((call) => call.words);
      return words.map(([first = ""]) => first).filter((first) => commands.length === 0 || commands.includes(first));
    },
    async start(options = {}) {
      const { PATH = "" } = process.env;
      const runtime = new ContainerRuntime({
        program: "docker",
        file: program,
        helperScript,
        podsFolder,
        env: { PATH, STAND_IN: folder },
        clock,
        pull: "missing",
        ...options,
      });
      runtimes.push(runtime);
      await runtime.start();
      return runtime;
    },
    async remove() {
      for (const runtime of runtimes) await runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let helper: Promise<string> | undefined;

function bundledHelper(): Promise<string> {
  helper ??= bundle();
  return helper;
}

async function bundle(): Promise<string> {
  const outfile = join(await mkdtemp(join(tmpdir(), "tiphys-helper-")), "helper.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../../host/helper.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  return outfile;
}

export function podOf(uid: string, containers: readonly Container[], spec: Partial<PodSpec> = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `pod-${uid}`, namespace: "default", uid },
    spec: { restartPolicy: "Never", containers, ...spec },
  };
}

export async function openPod(runtime: ContainerRuntime, on: StandIn, pod: Pod): Promise<PodHandle> {
  const folder = join(on.podsFolder, pod.metadata.uid ?? "");
  await mkdir(folder, { recursive: true });
  return runtime.openPod({ pod, folder });
}

export function sh(script: string, image = "img", name = "main"): Container {
  return { name, image, command: ["sh", "-c", script] };
}

export function setupOf(container: Container, wish: Partial<ContainerSetup> = {}): ContainerSetup {
  return {
    container,
    restartCount: 0,
    argv: [...(container.command ?? []), ...(container.args ?? [])],
    env: new Map(),
    workingDir: undefined,
    mounts: [],
    waiting: () => undefined,
    signal: new AbortController().signal,
    ...wish,
  };
}
