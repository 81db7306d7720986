/** What stands ready when main begins: the script's file, and input artifacts at their paths (Argo 4.1 5.4, 6.2). */

import type { Artifact } from "../../../model/argo/artifact.js";
import type { Pod, VolumeMount } from "../../../model/kube/pod.js";
import { changeMains, type PodContext, type PodPart } from "../../context.js";
import { addVolumes } from "../../parts/index.js";
import { hasSource, stagedArtifacts } from "./needs.js";
import {
  inputArtifactsPath,
  inputArtifactsVolume,
  mainRootPath,
  scriptPath,
  stagingPath,
  stagingVolume,
} from "./protocol.js";

/** The source lies in a file whose path is main's last argument. */
export const script: PodPart = (pod, context) => {
  if (!hasSource(context.request.template)) return pod;
  const staged = changeMains(pod, context, (main) => ({
    ...main,
    args: [...(main.args ?? []), scriptPath],
    volumeMounts: [...(main.volumeMounts ?? []), { name: stagingVolume, mountPath: stagingPath }],
  }));
  return addVolumes(staged, [{ name: stagingVolume, emptyDir: {} }]);
};

/** Each at its path, from one volume; one whose path lies in a mount of the user's is written into that volume. */
export const inputArtifacts: PodPart = (pod, context) => {
  const mounts = stagedArtifacts(context.request.template).flatMap((artifact) => mountOf(artifact, context));
  const staged = changeMains(pod, context, (main) =>
    mounts.length === 0 ? main : { ...main, volumeMounts: [...(main.volumeMounts ?? []), ...mounts] },
  );
  const hasAny = stagedArtifacts(context.request.template).length > 0;
  return hasAny ? addVolumes(staged, [{ name: inputArtifactsVolume, emptyDir: {} }]) : staged;
};

function mountOf({ name, path }: Artifact, context: PodContext): readonly VolumeMount[] {
  if (path === undefined || path === "" || userMountAround(path, context) !== undefined) return [];
  return [{ name: inputArtifactsVolume, mountPath: path, subPath: name }];
}

/** What `init` mounts: its own volumes, and the user's that an artifact has to be written into. */
export function initMounts({ spec }: Pod, context: PodContext): readonly VolumeMount[] {
  const present = new Set((spec.volumes ?? []).map(({ name }) => name));
  const own: readonly VolumeMount[] = [
    { name: stagingVolume, mountPath: stagingPath },
    { name: inputArtifactsVolume, mountPath: inputArtifactsPath },
  ];
  const around = stagedArtifacts(context.request.template).flatMap(({ path }) => {
    const mount = path === undefined ? undefined : userMountAround(path, context);
    return mount === undefined ? [] : [mount];
  });
  const users = new Map(around.map((mount) => [mount.mountPath, belowMainRoot(mount)]));
  return [...own.filter(({ name }) => present.has(name)), ...users.values()];
}

/** A read-only mount of main's is written to by `init` all the same, as with Argo. */
function belowMainRoot({ readOnly, ...mount }: VolumeMount): VolumeMount {
  return { ...mount, mountPath: `${mainRootPath}${mount.mountPath}` };
}

/** The innermost of main's own mounts that `path` lies in. */
function userMountAround(path: string, { mains }: PodContext): VolumeMount | undefined {
  const around = mains
    .flatMap(({ volumeMounts }) => volumeMounts ?? [])
    .filter(({ mountPath }) => isWithin(path, mountPath));
  return around.reduce<VolumeMount | undefined>(
    (inner, mount) => (inner === undefined || mount.mountPath.length > inner.mountPath.length ? mount : inner),
    undefined,
  );
}

function isWithin(path: string, folder: string): boolean {
  const base = folder.endsWith("/") ? folder : `${folder}/`;
  return `${path}/`.startsWith(base);
}
