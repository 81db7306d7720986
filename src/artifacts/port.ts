/** The port of an artifact store: where an artifact's bytes are put and fetched, whatever lies behind it. */

import type { Artifact } from "../core/model/argo/artifact.js";

/** One driver, for one kind of location. Every method rejects with {@link ArtifactError}. */
export interface ArtifactStore {
  /** Writes the file or folder at `hostPath` on this machine to where `artifact` says. */
  put(artifact: Artifact, hostPath: string): Promise<void>;
  /** Brings the artifact to `hostPath` (which does not exist yet): a file, or a folder for a key that is a folder. */
  get(artifact: Artifact, hostPath: string): Promise<void>;
}

/** Which store an artifact lies in; undefined for one without a location. */
export type StoreOf = (artifact: Artifact) => ArtifactStore | undefined;

export class ArtifactError extends Error {
  override readonly name = "ArtifactError";

  constructor(
    readonly code: "not-found" | "unsupported" | "forbidden" | "failed",
    message: string,
  ) {
    super(message);
  }
}
