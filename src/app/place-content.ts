/** What a place keeps beside its objects, whoever owns it: logs, artifacts and the files of steps. All lie on this machine. */

import { spawn } from "node:child_process";
import { constants, homedir } from "node:os";
import { join } from "node:path";
import { type Archiver, artifactReader, openArchiver } from "../artifacts/index.js";
import type { ArtifactContent, ArtifactRequest, PlaceHandle, ShellRequest, ShellTarget } from "../cli/ports.js";
import { PlaceError } from "../cli/ports.js";
import { type ShellCommand, storedContainerShell, storedShell } from "../cluster/kubelet/index.js";
import { withNodes } from "../controller/stored-nodes.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import type { Pod } from "../core/model/kube/pod.js";
import { pods, workflows } from "../core/model/resources.js";
import type { Client } from "../kube/client.js";
import { isNotFound } from "../kube/errors.js";
import { environment } from "./environment.js";
import { homeFolder } from "./home.js";
import type { PlacePaths } from "./place-paths.js";
import type { PodNames } from "./pod-names.js";

export interface PlaceContent {
  readonly paths: PlacePaths;
  readonly client: Client;
  readonly names: PodNames;
}

/** The part of a place's handle that reads its folder. */
export function contentOf(content: PlaceContent): Pick<PlaceHandle, "artifact" | "shell" | "shellTarget"> {
  // Its thread starts with the first large folder, and serves the others too.
  const archiver = openArchiver({ worker: archiveWorker() });
  return {
    artifact: (request) => openArtifact(content, archiver, request),
    shell: (request) => enterShell(content, request),
    shellTarget: (request) => shellTarget(content, request),
  };
}

async function openArtifact(
  { paths, client }: PlaceContent,
  archiver: Archiver,
  request: ArtifactRequest,
): Promise<ArtifactContent> {
  const { namespace, workflow: name, nodeId, artifact } = request;
  const workflow = withNodes(await client.get<Workflow>(workflows, { namespace, name }));
  const folders = { placeFolder: paths.artifacts, sharedFolder: join(homeFolder(), "artifacts") };
  return artifactReader(folders, archiver).openOutput(workflow, nodeId, artifact);
}

/** The thread that packs and unpacks archives. */
export function archiveWorker(): URL {
  return new URL("./archive-worker.js", import.meta.url);
}

async function shellTarget(content: PlaceContent, request: ShellRequest): Promise<ShellTarget | null> {
  if ((await shellCommand(content, request)) === undefined) return null;
  const pod = await podOf(content.client, request);
  const container = pod?.spec.containers.find(({ name }) => name === request.container);
  return {
    image: container?.image ?? "",
    command: [...(container?.command ?? []), ...(container?.args ?? [])],
    workingDir: container?.workingDir ?? "/",
  };
}

async function podOf(client: Client, { pod }: ShellRequest): Promise<Pod | undefined> {
  return client.get<Pod>(pods, pod).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

async function shellCommand({ paths, names }: PlaceContent, request: ShellRequest): Promise<ShellCommand | undefined> {
  const uid = names.uidOf(request.pod);
  if (uid === undefined) return undefined;
  const folder = join(paths.pods, uid);
  const inContainer = await storedContainerShell(folder, request.container, environment());
  if (inContainer !== undefined) return inContainer;
  return storedShell(folder, request.container, {
    wanted: undefined,
    path: process.env["PATH"] ?? "",
    home: homedir(),
    folder: paths.pods,
    cacheFile: join(homeFolder(), "isolation.json"),
  });
}

/** On this process's own terminal, until the person leaves it. */
async function enterShell(content: PlaceContent, request: ShellRequest): Promise<{ readonly exitCode: number }> {
  const command = await shellCommand(content, request);
  if (command === undefined)
    throw new PlaceError("absent", "nothing was kept of that step", "run it with --keep always");
  const { TERM = "dumb" } = process.env;
  const shell = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: { ...command.env, TERM },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    shell.once("error", (error) => reject(new PlaceError("runtime", `the shell does not start: ${error.message}`)));
    shell.once("exit", (code, signal) => resolve({ exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0) }));
  });
}
