/** What the start record of a container's run keeps: enough to follow it, read its files and open a shell there. */

import type { Mount } from "../port.js";
import { type ContainerProgramName, containerPrograms } from "./program.js";

export interface ContainerDetails {
  readonly program: ContainerProgramName;
  readonly id: string;
  readonly image: string;
  readonly mounts: readonly Mount[];
  /** Of `create`, without those that only this one container may have (name, labels, network, command). */
  readonly flags: readonly string[];
  /** Values of the variables that `flags` only name. */
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined for the record of another driver, or a torn one. */
export function containerDetails(value: unknown): ContainerDetails | undefined {
  if (typeof value !== "object" || value === null || !("id" in value) || !("program" in value)) return undefined;
  if (typeof value.id !== "string" || typeof value.program !== "string") return undefined;
  if (!Object.hasOwn(containerPrograms, value.program)) return undefined;
  // Written by us, whole, into a folder that only this user can write.
  return value as ContainerDetails;
}
