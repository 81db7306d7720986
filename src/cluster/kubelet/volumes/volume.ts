/** A pod's volumes as folders of this machine. */

import type { Pod, Volume } from "../../../core/model/kube/pod.js";
import { err, ok, type Result } from "../../../core/std/result.js";
import type { ConfigSource, MissingConfig } from "../config-source.js";
import type { PodFacts } from "../downward.js";
import { type FilePlan, filesOf, isMadeOfFiles } from "./files.js";

export interface VolumePlan {
  readonly name: string;
  readonly readOnly: boolean;
  readonly content: /** An empty folder of the pod's own. */
    | { readonly kind: "empty" }
    /** A folder of the pod's own with these files. */
    | { readonly kind: "files"; readonly files: readonly FilePlan[] }
    /** A path of this machine; `type` as hostPath's: DirectoryOrCreate, File, … */
    | { readonly kind: "path"; readonly path: string; readonly type: string }
    /** A folder of the place, shared by all pods that claim it. */
    | { readonly kind: "claim"; readonly claim: string };
}

/** Why a volume cannot be had: something that may come later, or a kind that does not exist here. */
export type VolumeFault = { readonly missing: MissingConfig } | { readonly message: string };

export interface VolumeContext {
  readonly facts: PodFacts;
  readonly source: Pick<ConfigSource, "read">;
  /** Its volumes were made before: they stay as they are, whatever became of what they were made from. */
  readonly isMade: boolean;
  /** Whether the claim exists; asked of the API. */
  readonly claimExists: (namespace: string, name: string) => Promise<boolean>;
}

/** What each volume of the pod has to hold; nothing is written yet. */
export async function planVolumes(
  pod: Pod,
  context: VolumeContext,
): Promise<Result<readonly VolumePlan[], VolumeFault>> {
  const plans: VolumePlan[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const plan = await planVolume(volume, context);
    if (!plan.ok) return plan;
    plans.push(plan.value);
  }
  return ok(plans);
}

type Planned = Result<VolumePlan, VolumeFault>;

async function planVolume(volume: Volume, context: VolumeContext): Promise<Planned> {
  const { name } = volume;
  const done = (content: VolumePlan["content"], readOnly = false): Planned => ok({ name, readOnly, content });
  if (volume.emptyDir !== undefined) return done({ kind: "empty" });
  if (volume.hostPath !== undefined) {
    return done({ kind: "path", path: volume.hostPath.path, type: volume.hostPath.type ?? "" });
  }
  const claim = volume.persistentVolumeClaim;
  if (claim !== undefined) {
    if (!(await isClaimThere(claim.claimName, context))) {
      return err({ message: `persistentvolumeclaim "${claim.claimName}" not found` });
    }
    return done({ kind: "claim", claim: claim.claimName }, claim.readOnly === true);
  }
  if (volume["ephemeral"] !== undefined) return done({ kind: "empty" });
  if (context.isMade && isMadeOfFiles(volume)) return done({ kind: "files", files: [] }, true);
  const files = await filesOf(volume, context);
  if (files === undefined) return err({ message: `volume "${name}" is of a kind that this machine does not have` });
  return files.ok ? done({ kind: "files", files: files.value }, true) : err(withVolumeName(name, files.error));
}

async function isClaimThere(name: string, { facts, isMade, claimExists }: VolumeContext): Promise<boolean> {
  return isMade || claimExists(facts.pod.metadata.namespace ?? "", name);
}

/** As the kubelet's FailedMount event says it. */
function withVolumeName(name: string, error: VolumeFault): VolumeFault {
  if (!("missing" in error)) return error;
  const message = `MountVolume.SetUp failed for volume "${name}" : ${error.missing.message}`;
  return { missing: { ...error.missing, message } };
}
