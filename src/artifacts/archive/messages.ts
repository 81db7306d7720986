/** What the archive thread is asked, and what it answers. */

import type { ArtifactErrorCode } from "../port.js";
import type { PackRequest, UnpackRequest } from "./format.js";

export type ArchiveTask =
  | { readonly id: number; readonly kind: "pack"; readonly request: PackRequest }
  | { readonly id: number; readonly kind: "unpack"; readonly request: UnpackRequest };

export interface ArchiveReply {
  readonly id: number;
  readonly error?: { readonly code: ArtifactErrorCode; readonly message: string };
}
