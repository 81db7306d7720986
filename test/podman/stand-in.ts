/** A driver over the stand-in for docker and podman: for tests. */

import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  ContainerRuntime,
  type ContainerRuntimeOptions,
} from "../../src/cluster/kubelet/runtime/container/container-runtime.js";
import type { ContainerProgramName } from "../../src/cluster/kubelet/runtime/container/program.js";
import type { Container, Pod } from "../../src/core/model/kube/pod.js";
import { bundledHelper } from "./bundles.js";
import { type CrashTask, crash } from "./crash.js";
import { systemClock as clock } from "./pods.js";

export interface Call {
  readonly words: readonly string[];
  /** The run of the container it is about was on record as begun. */
  readonly onRecord: boolean;
  readonly cwd: string;
}

/** What the stand-in answers to a command that matches. */
export interface Play {
  /** A regular expression. */
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
  /** An environment whose `podman` is the stand-in. */
  asPodman(): Promise<Readonly<Record<string, string>>>;
  /** A process of its own that runs the pod's container `main`, and is killed (-9) once that has said `wanted`. */
  crash(pod: Pod, wanted: string): Promise<void>;
  /** Whatever was started, and the folder. */
  remove(): Promise<void>;
}

const program = fileURLToPath(new URL("./stand-in.mjs", import.meta.url));

export async function standIn(played: ContainerProgramName = "docker"): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-standin-"));
  const podsFolder = join(folder, "pods");
  await mkdir(podsFolder);
  const helperScript = await bundledHelper();
  const runtimes: ContainerRuntime[] = [];
  const calls = async (): Promise<readonly Call[]> => {
    const text = await readFile(join(folder, "calls.ndjson"), "utf8").catch(() => "");
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Call]));
  };
  const options = (): CrashTask["options"] => {
    const env = { PATH: process.env["PATH"] ?? "", STAND_IN: folder };
    return { program: played, file: program, helperScript, podsFolder, env, pull: "missing" };
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
    async start(more = {}) {
      const runtime = new ContainerRuntime({ ...options(), clock, ...more });
      runtimes.push(runtime);
      await runtime.start();
      return runtime;
    },
    async asPodman() {
      const bin = join(folder, "bin");
      await mkdir(bin);
      await symlink(program, join(bin, "podman"));
      return { PATH: `${bin}:${process.env["PATH"] ?? ""}`, STAND_IN: folder };
    },
    crash: (pod, wanted) => crash({ options: options(), pod, mounts: [], wanted }),
    async remove() {
      for (const runtime of runtimes) await runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function sh(script: string, image = "img", name = "main"): Container {
  return { name, image, command: ["sh", "-c", script] };
}
