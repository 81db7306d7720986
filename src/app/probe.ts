/** What this machine can do: container programs, isolation, programs on PATH. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { IsolationProbe, Probe, ProgramProbe } from "../cli/ports.js";
import { findIsolation } from "../cluster/kubelet/index.js";
import { probeContainers } from "./container-probe.js";
import { homeFolder } from "./home.js";
import { findProgram } from "./programs.js";

const run = promisify(execFile);
/** A program that does not answer `--version` at once is not asked further. */
const VERSION_TIMEOUT_MS = 2000;

export const probe: Probe = {
  container: probeContainers,
  isolation: probeIsolation,
  program: probeProgram,
};

async function probeIsolation(): Promise<IsolationProbe> {
  // Where the places are: the answer holds for them.
  const folder = await mkdtemp(join(homeFolder(), ".probe-"));
  try {
    const machine = await findIsolation({
      wanted: undefined,
      path: process.env["PATH"] ?? "",
      home: homedir(),
      folder,
      cacheFile: join(homeFolder(), "isolation.json"),
    });
    return { isolation: machine.isolation, reason: machine.why ?? "" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function probeProgram(names: readonly string[]): Promise<ProgramProbe | null> {
  const found = await findProgram(names);
  return found === undefined ? null : { ...found, version: await versionOf(found.path) };
}

/** Only of programs that people know by version; the others would do who knows what when asked. */
const versionedPrograms = /\/(python[0-9.]*|node|go|bash|curl)$/;

async function versionOf(path: string): Promise<string> {
  if (!versionedPrograms.test(path)) return "";
  const args = path.endsWith("/go") ? ["version"] : ["--version"];
  const { stdout } = await run(path, args, { timeout: VERSION_TIMEOUT_MS }).catch(() => ({ stdout: "" }));
  return /\d+\.\d+/.exec(stdout)?.[0] ?? "";
}
