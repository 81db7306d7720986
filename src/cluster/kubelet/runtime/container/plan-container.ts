/** From a container as the kubelet wants it to the words of one `create` command. */

import type { Pod } from "../../../../core/model/kube/pod.js";
import type { ContainerSetup, Mount } from "../port.js";
import { type ContainerContext, labels } from "./context.js";
import { environmentFlags } from "./flags/environment.js";
import { distinctMounts, mountFlags } from "./flags/mounts.js";
import { resourceFlags } from "./flags/resources.js";
import { securityFlags } from "./flags/security.js";

export interface PlanInput {
  readonly context: Pick<ContainerContext, "cli" | "place" | "platform" | "abilities">;
  readonly pod: Pod;
  readonly setup: ContainerSetup;
  /** The image's name on this machine. */
  readonly image: string;
  /** Hostname, names and network; they differ for the container that owns the pod's network. */
  readonly network: readonly string[];
  /** Of its run. */
  readonly logFile: string;
  /** More of them cannot be had. */
  readonly cpus: number;
  /** Beside those of the setup: the termination message's file, a working folder. */
  readonly mounts: readonly Mount[];
}

export interface ContainerPlan {
  readonly name: string;
  readonly args: readonly string[];
  /** For the program's environment: values that the flags only name. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** What another container would need to see the same files and variables. */
  readonly sharedFlags: readonly string[];
}

export function planContainer(input: PlanInput): ContainerPlan {
  const { context, pod, setup, image } = input;
  const { cli, platform, abilities } = context;
  const { container } = setup;
  const mounts = distinctMounts([...input.mounts, ...setup.mounts]);
  const environment = environmentFlags(setup.env, cli.env);
  const sharedFlags = [
    ...securityFlags(pod.spec, container, cli.program),
    ...environment.flags,
    ...mountFlags(mounts),
    ...(setup.workingDir === undefined ? [] : ["--workdir", setup.workingDir]),
  ];
  const name = containerName(pod, container.name, setup.restartCount);
  const sharesProcesses = pod.spec.shareProcessNamespace === true;
  const args = [
    ...["create", "--name", name, "--pull", "never"],
    ...labelFlags(context, pod, container.name, setup.restartCount),
    ...(platform === undefined ? [] : ["--platform", platform]),
    ...(abilities.init && !sharesProcesses ? ["--init"] : []),
    ...cli.program.logFlags(input.logFile),
    ...input.network,
    ...resourceFlags(container, cli.program, input.cpus),
    ...(container.tty === true ? ["--tty"] : []),
    ...(container.stdin === true ? ["--interactive"] : []),
    ...sharedFlags,
    ...commandWords(setup, image),
  ];
  return { name, args, env: environment.env, mounts, sharedFlags };
}

/** One name for one run: a second container of the same run cannot even be made. */
export function containerName(pod: Pod, container: string, restartCount: number): string {
  const { name = "", uid = "" } = pod.metadata;
  return `tiphys_${name.slice(0, 100)}_${container}_${uid}_${restartCount}`;
}

export function labelFlags(
  { place }: Pick<ContainerContext, "place">,
  pod: Pod,
  container: string,
  restartCount: number,
): readonly string[] {
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  const values = {
    [labels.place]: place,
    [labels.podUid]: uid,
    [labels.pod]: `${namespace}/${name}`,
    [labels.container]: container,
    [labels.restart]: String(restartCount),
  };
  return Object.entries(values).flatMap(([label, value]) => ["--label", `${label}=${value}`]);
}

/** A command replaces the image's entrypoint and its arguments; args alone are given to the entrypoint. */
function commandWords({ container, argv }: ContainerSetup, image: string): readonly string[] {
  if ((container.command ?? []).length === 0) return [image, ...argv];
  const [entrypoint = "", ...args] = argv;
  return ["--entrypoint", entrypoint, image, ...args];
}
