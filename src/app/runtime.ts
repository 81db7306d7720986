/** The runtime that a place was asked to use. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PlaceError, type PlaceOptions } from "../cli/ports.js";
import {
  ContainerRuntime,
  HostRuntime,
  parseScript,
  type Runtime,
  ScriptedRuntime,
  type ScriptIdentity,
} from "../cluster/kubelet/index.js";
import { annotations } from "../core/model/argo/names.js";
import type { Template } from "../core/model/argo/template.js";
import type { Pod } from "../core/model/kube/pod.js";
import { localProtocol } from "../core/podspec/index.js";
import { planOutputs } from "../executor/plan.js";
import { environment } from "./environment.js";
import type { PlacePaths } from "./place-paths.js";
import { systemClock } from "./system-clock.js";

/** Rejects with PlaceError "script" for a script that is wrong. */
export function runtimeOf(options: PlaceOptions, paths: PlacePaths, home: string): Runtime {
  switch (options.runtime) {
    case "host":
      return hostRuntime(options, paths, home);
    case "scripted":
      return scriptedRuntime(options);
    case "docker":
    case "podman":
      return containerRuntime(options, options.runtime, paths);
  }
}

function containerRuntime(options: PlaceOptions, program: "docker" | "podman", paths: PlacePaths): Runtime {
  const builtin: readonly string[] = [localProtocol.initImage, localProtocol.waitImage];
  const user = fileOwner();
  return new ContainerRuntime({
    program,
    helperScript: fileURLToPath(new URL("./process-helper.cjs", import.meta.url)),
    podsFolder: paths.pods,
    env: environment(),
    clock: systemClock,
    pull: options.pull,
    prefetch: options.prefetch,
    isBuiltin: (image) => builtin.includes(image),
    ...(options.platform !== null && { platform: options.platform }),
    ...(user !== undefined && { user }),
  });
}

/** Whose files are to stay whose; where containers run in a machine of their own (macOS), they do so anyway. */
function fileOwner(): { readonly uid: number; readonly gid: number } | undefined {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return process.platform === "linux" && uid !== 0 ? { uid, gid } : undefined;
}

function hostRuntime(options: PlaceOptions, paths: PlacePaths, home: string): Runtime {
  const { PATH = "", LANG, TZ, HOME = "/" } = process.env;
  return new HostRuntime({
    helperScript: fileURLToPath(new URL("./process-helper.cjs", import.meta.url)),
    podsFolder: paths.pods,
    cacheFile: join(home, "isolation.json"),
    isolation: options.isolation,
    baseEnv: { PATH, ...(LANG !== undefined && { LANG }), ...(TZ !== undefined && { TZ }) },
    home: HOME,
    clock: systemClock,
    writtenPaths,
  });
}

/** Output paths of main, which lie anywhere: without a view of its own the pod's files have to be found again. */
function writtenPaths(pod: Pod, containerName: string): readonly string[] {
  const template = containerName === "main" ? templateOf(pod) : undefined;
  if (template === undefined) return [];
  const { parameters, artifacts } = planOutputs(template);
  return [...parameters, ...artifacts].map(({ path }) => path);
}

function templateOf(pod: Pod): Template | undefined {
  const variables = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].flatMap(({ env }) => env ?? []);
  const text = variables.find(({ name }) => name === "ARGO_TEMPLATE")?.value;
  return text === undefined ? undefined : (JSON.parse(text) as Template);
}

function scriptedRuntime(options: PlaceOptions): Runtime {
  const script = parseScript(options.script?.content ?? { rules: [] });
  if (!script.ok) {
    const problems = script.error.map(({ path, message }) => `${path}: ${message}`).join("\n");
    throw new PlaceError("script", `${options.script?.file ?? "script"}: ${problems}`);
  }
  return new ScriptedRuntime({ script: script.value, clock: systemClock, identify, keepsLogs: true });
}

/** `a(0)` is attempt 0 of `a`. */
function identify(pod: Pod): ScriptIdentity {
  const { [annotations.template]: template = "", [annotations.nodeName]: node = "" } = pod.metadata.annotations ?? {};
  const attempt = /\((\d+)\)$/.exec(node)?.[1];
  return { template, node, attempt: attempt === undefined ? 0 : Number(attempt) };
}
