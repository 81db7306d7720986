/** Runs a program to its end and keeps what it said; for finding out what works here. */

import { execFile } from "node:child_process";

const TIMEOUT_MS = 10_000;

export interface RunResult {
  readonly exitCode: number;
  readonly output: string;
  readonly error: string;
}

/** Never rejects: what cannot be started has exit code 1 and says why. */
export function runOnce(file: string, args: readonly string[], cwd: string): Promise<RunResult> {
  return new Promise((resolve) => {
    const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
    execFile(file, args, { cwd, env, timeout: TIMEOUT_MS, killSignal: "SIGKILL" }, (error, output, said) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ exitCode: code, output, error: said || (error?.message ?? "") });
    });
  });
}
