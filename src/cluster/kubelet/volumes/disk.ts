/** Makes planned volumes on disk, and finds mounts in them. */

import { chmodSync, mkdirSync } from "node:fs";
import { chmod, lstat, mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Container, VolumeMount } from "../../../core/model/kube/pod.js";
import { expandVariables } from "../expand.js";
import type { Mount } from "../runtime/port.js";
import type { VolumePlan } from "./volume.js";

export interface VolumeFolders {
  /** The pod's own. */
  readonly podFolder: string;
  /** Of the place: persistent volume claims, one folder each. */
  readonly claimsFolder: string;
  readonly namespace: string;
}

/** A volume cannot be made or mounted as the pod wants it. */
export class VolumeError extends Error {
  override readonly name = "VolumeError";
}

/** Where a volume lies on this machine. */
export function volumePath(plan: VolumePlan, folders: VolumeFolders): string {
  switch (plan.content.kind) {
    case "path":
      return plan.content.path;
    case "claim":
      return join(folders.claimsFolder, `${folders.namespace}_${plan.content.claim}`);
    default:
      return join(folders.podFolder, "volumes", plan.name);
  }
}

/** Idempotent. Rejects with {@link VolumeError} when a hostPath is not what it should be. */
export async function makeVolume(plan: VolumePlan, folders: VolumeFolders): Promise<void> {
  const path = volumePath(plan, folders);
  const { content } = plan;
  if (content.kind === "path") return makeHostPath(content.path, content.type, plan.name);
  makeEmptyVolume(path);
  if (content.kind !== "files") return;
  for (const file of content.files) {
    const target = join(path, file.path);
    await mkdir(dirname(target), { recursive: true });
    // One that is there from before may be read-only, for its owner too.
    await chmod(target, 0o600).catch(() => undefined);
    await writeFile(target, file.bytes);
    await chmod(target, file.mode);
  }
}

/** At once: the way to another thread takes longer. */
export function makeEmptyVolume(path: string): void {
  mkdirSync(path, { recursive: true });
  // Whoever the container runs as may write there, as in Kubernetes; the pod's folder keeps others out.
  chmodSync(path, 0o777);
}

async function makeHostPath(path: string, type: string, name: string): Promise<void> {
  const info = await stat(path).catch(() => undefined);
  const fail = (what: string): never => {
    throw new VolumeError(
      `MountVolume.SetUp failed for volume "${name}" : hostPath type check failed: ${path} ${what}`,
    );
  };
  if (info === undefined && type === "DirectoryOrCreate") await mkdir(path, { recursive: true, mode: 0o755 });
  else if (info === undefined && type === "FileOrCreate") await writeFile(path, "", { flag: "a", mode: 0o644 });
  else if (info === undefined) fail("does not exist");
  else if (type.startsWith("Directory") && !info.isDirectory()) fail("is not a directory");
  else if (type.startsWith("File") && !info.isFile()) fail("is not a file");
}

export interface MountInput {
  readonly container: Container;
  readonly plans: readonly VolumePlan[];
  readonly folders: VolumeFolders;
  readonly env: ReadonlyMap<string, string>;
}

/** The container's volume mounts; sources exist. Rejects with {@link VolumeError}. */
export async function mountsOf(input: MountInput): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  for (const mount of input.container.volumeMounts ?? []) {
    const plan = input.plans.find((one) => one.name === mount.name);
    if (plan === undefined) throw new VolumeError(`volume "${mount.name}" is not one of the pod's`);
    const source = await subPath(volumePath(plan, input.folders), mount, input.env);
    mounts.push({ path: mount.mountPath, source, readOnly: plan.readOnly || mount.readOnly === true });
  }
  return mounts;
}

/** Made as a folder where it does not exist, as the kubelet does; a link in it may not lead out of the volume. */
async function subPath(volume: string, mount: VolumeMount, env: ReadonlyMap<string, string>): Promise<string> {
  const wanted =
    mount.subPathExpr === undefined ? mount.subPath : expandVariables(mount.subPathExpr, (name) => env.get(name));
  if (wanted === undefined || wanted === "") return volume;
  if (wanted.startsWith("/") || wanted.split("/").includes("..")) {
    throw new VolumeError(`subPath "${wanted}" of volume "${mount.name}" leaves the volume`);
  }
  const root = await realpath(volume);
  let folder = root;
  // Step by step: nothing is made behind a link that leads out.
  for (const part of wanted.split("/").filter((one) => one !== "" && one !== ".")) {
    const path = join(folder, part);
    // What is there already, or was made by another pod at this moment, is as good.
    await mkdir(path, { mode: 0o777 }).catch(async (error: unknown) => {
      if ((await lstat(path).catch(() => undefined)) === undefined) throw error;
    });
    folder = await realpath(path);
    if (folder !== root && !folder.startsWith(`${root}/`)) {
      throw new VolumeError(`subPath "${wanted}" of volume "${mount.name}" leaves the volume`);
    }
  }
  return join(volume, wanted);
}
