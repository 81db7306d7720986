/** The port of an artifact store: where an artifact's bytes are put and fetched, whatever lies behind it. */

import type { Artifact } from "../core/model/argo/artifact.js";
import { messageOf } from "../core/std/message.js";

/** `copy` leaves the source as it is; `move` may take it away (a temporary file is renamed, not copied). */
export type PutMode = "copy" | "move";

/**
 * One driver, for one kind of location. Every method rejects with {@link ArtifactError}. A put is atomic: who gets the
 * artifact meanwhile sees the old content or the new one whole; of two puts at once the later one stays.
 */
export interface ArtifactStore {
  /** Writes the file or folder at `hostPath` on this machine to where `artifact` says. */
  put(artifact: Artifact, hostPath: string, mode?: PutMode): Promise<void>;
  /** Brings the artifact to `hostPath` (which does not exist yet): a file, or a folder for a key that is a folder. `signal` may
   * end it early. */
  get(artifact: Artifact, hostPath: string, signal?: AbortSignal): Promise<void>;
}

/** Which store an artifact lies in; undefined for one without a location. */
export type StoreOf = (artifact: Artifact) => ArtifactStore | undefined;

/** `invalid`: the location itself is wrong (a key that would leave the store, no bucket). */
export type ArtifactErrorCode = "not-found" | "unsupported" | "forbidden" | "invalid" | "too-large" | "failed";

export class ArtifactError extends Error {
  override readonly name = "ArtifactError";

  constructor(
    readonly code: ArtifactErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A fault of the file system, or anything else, as one of ours. */
export function artifactErrorOf(error: unknown, what: string): ArtifactError {
  if (error instanceof ArtifactError) return error;
  const message = `${what}: ${messageOf(error)}`;
  switch (errnoOf(error)) {
    case "ENOENT":
      return new ArtifactError("not-found", message);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ArtifactError("forbidden", message);
    default:
      return new ArtifactError("failed", message);
  }
}

/** `ENOENT`, … of a file system's error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
