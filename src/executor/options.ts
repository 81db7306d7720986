/** What the executor's images are given once, for all pods of a place. */

import type { Client } from "../kube/client.js";
import type { Clock } from "../kube/clock.js";

export interface ExecutorOptions {
  /** Where results are written. */
  readonly client: Client;
  readonly clock: Clock;
  /** Of the place: outputs without a repository of their own. */
  readonly placeArtifactsFolder: string;
  /** Stands for all remote stores, shared by places: `<driver>/<bucket>/<key>`. */
  readonly sharedArtifactsFolder: string;
  /** `--artifact`: local files and folders in the place of input artifacts. */
  readonly overrides?: readonly ArtifactOverride[];
  /** Script of the archive thread; left out: archives are packed on the calling thread. */
  readonly archiveWorker?: URL;
}

export interface ArtifactOverride {
  /** Null: the artifact of that name in any template. */
  readonly template: string | null;
  readonly name: string;
  /** Absolute path of a file or folder on this machine. */
  readonly path: string;
}

/** The exit code of a helper that could not do its work, as Argo's executor has it. */
export const EXECUTOR_FAILED = 64;
