/** Why a container did not begin: its command, the machine, or something that may pass. */

import type { ExitRecord } from "../../pod-state.js";

/** The command itself cannot be run: it never will. */
export function isCommandFault(complaint: string): boolean {
  return /OCI runtime|\brunc\b|\bcrun\b|executable file not found|exec format error|failed to create (?:shim )?task/i.test(
    complaint,
  );
}

/** This installation has no program to be the first process of containers. */
export function isInitFault(complaint: string): boolean {
  return /container-init|catatonit|docker-init|init binary/i.test(complaint);
}

/** podman does not make the working folder that a container wants. */
export function isWorkingDirFault(complaint: string): boolean {
  return /workdir .* does not exist/.test(complaint);
}

/** As containerd says it for a program that cannot be run. */
export function startError(message: string, at: number): ExitRecord {
  return { exitCode: 128, reason: "StartError", message, startedAt: undefined, finishedAt: at };
}

/** `... exec: "x": executable file not found in $PATH: unknown` -> from `exec:` on. */
export function commandFaultText(complaint: string): string {
  const text = complaint.replace(/: OCI runtime attempted to invoke a command that was not found$/, "");
  const at = text.lastIndexOf("exec: ");
  return (at < 0 ? text : text.slice(at)).replace(/: unknown$/, "");
}

const INIT_WORDS = /^(?:\[FATAL tini \(\d+\)\] exec .* failed|ERROR \(catatonit:\d+\): failed to exec pid1): (.*)\n?$/;

/**
 * With a first process of its own a container begins also when its command cannot be run: all that is ever said then is
 * this one line. Undefined for any other output.
 */
export function initComplaint(log: string, program: string): string | undefined {
  const words = INIT_WORDS.exec(log)?.[1];
  return words === undefined ? undefined : `exec: ${JSON.stringify(program)}: ${words}`;
}
