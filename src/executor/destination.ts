/** Where `init` puts an input artifact on this machine. */

import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArtifactError } from "../artifacts/index.js";
import type { BuiltinContext } from "../cluster/kubelet/builtin.js";
import type { Artifact } from "../core/model/argo/artifact.js";
import type { VolumeMount } from "../core/model/kube/pod.js";
import { localProtocol } from "../core/podspec/index.js";
import { cleanPath } from "./plan.js";

const { inputArtifactsVolume, mainRootPath } = localProtocol;

/**
 * In the volume that main mounts at the artifact's path, or in the user's own volume that the path lies in. The folder it is
 * in exists, and is inside the volume: links that lead out of it are not followed.
 */
export async function inputDestination(artifact: Artifact, context: BuiltinContext): Promise<string> {
  const path = checkedPath(artifact);
  const mount = userMountAround(path, context);
  if (mount === undefined) return join(context.volumePath(inputArtifactsVolume), checkedName(artifact));
  const root = context.volumePath(mount.name);
  const below = path.slice(mountPathOf(mount).length);
  return inside(root, join(relative(mount.subPath ?? ""), relative(below)));
}

/** Argo's words (Argo 4.1 behaviour 6.2). */
export function checkedPath({ name, path = "" }: Artifact): string {
  if (path === "") throw new ArtifactError("invalid", `Artifact '${name}' did not specify a path`);
  if (path.split("/").includes("..")) {
    throw new ArtifactError(
      "invalid",
      `Artifact '${name}' attempted to use a path containing '..'. Directory traversal is not permitted`,
    );
  }
  return cleanPath(path);
}

/** The name is the folder's entry: it may not be one of its own. */
function checkedName({ name }: Artifact): string {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) {
    throw new ArtifactError("invalid", `"${name}" cannot be the name of an input artifact`);
  }
  return name;
}

/** The innermost of main's mounts of a user's volume; the executor has them below a root of its own. */
function userMountAround(path: string, { container }: BuiltinContext): VolumeMount | undefined {
  return (container.volumeMounts ?? [])
    .filter(
      (mount) => mount.mountPath.startsWith(`${mainRootPath}/`) && `${path}/`.startsWith(withSlash(mountPathOf(mount))),
    )
    .toSorted((a, b) => b.mountPath.length - a.mountPath.length)[0];
}

/** As main has it, without trailing slashes. */
function mountPathOf({ mountPath }: VolumeMount): string {
  return cleanPath(mountPath.slice(mainRootPath.length));
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

function relative(path: string): string {
  const clean = cleanPath(path).replace(/^\//, "");
  if (clean.split("/").includes("..")) throw new ArtifactError("invalid", `"${path}" leaves its volume`);
  return clean;
}

async function inside(root: string, path: string): Promise<string> {
  // The volume's root itself: it is filled, not replaced.
  if (path === "" || path === ".") return realpath(root);
  const target = join(root, path);
  const parts = dirname(path)
    .split("/")
    .filter((part) => part !== ".");
  let folder = await realpath(root);
  const top = folder;
  for (const part of parts) {
    await mkdir(join(folder, part)).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
    folder = await realpath(join(folder, part));
    if (folder !== top && !folder.startsWith(`${top}/`)) {
      throw new ArtifactError("invalid", `${target} leaves its volume by a link`);
    }
  }
  return join(folder, path.split("/").pop() ?? "");
}
