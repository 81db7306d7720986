/** Runs a command beside a container's processes, inside their namespaces (probes, hooks). */

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { ExecReply, ExecSpec } from "./protocol.js";
import { killGroup } from "./run-container.js";

const MAX_OUTPUT_BYTES = 10 * 1024;
const NOT_STARTED = 126;

/** Never rejects: what cannot be run has exit code 126 and says why. */
export async function execInRun(exec: ExecSpec, groupPid: number): Promise<ExecReply> {
  const argv = await entered(exec, groupPid);
  if (argv === undefined) return { exitCode: NOT_STARTED, output: "the container's process is gone", timedOut: false };
  return new Promise((resolve) => {
    const [file = "", ...args] = argv;
    const child = spawn(file, args, {
      cwd: exec.cwd,
      env: exec.env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let timedOut = false;
    const keep = (chunk: Buffer): void => {
      if (output.length < MAX_OUTPUT_BYTES) output += chunk.toString("utf8");
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) killGroup(child.pid, "SIGKILL");
      // One that left the group may hold them for ever.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }, exec.timeoutMs);
    const end = (exitCode: number): void => {
      clearTimeout(timer);
      resolve({ exitCode, output: output.slice(0, MAX_OUTPUT_BYTES), timedOut });
    };
    child.once("error", (error) => {
      output = error.message;
      end(NOT_STARTED);
    });
    child.once("close", (code) => end(code ?? 137));
  });
}

async function entered(exec: ExecSpec, groupPid: number): Promise<readonly string[] | undefined> {
  if (exec.enter === undefined) return exec.argv;
  // The group's leader stays outside; its only child is the first process inside, and that one's the container's own.
  const inside = await firstChild((await firstChild(String(groupPid))) ?? "");
  if (inside === undefined) return undefined;
  const user = exec.enter.userNamespace ? ["--user", "--preserve-credentials"] : [];
  return [
    exec.enter.nsenter,
    "-t",
    inside,
    ...user,
    "--mount",
    "--pid",
    "--ipc",
    "--uts",
    "--root",
    "--wd",
    ...exec.argv,
  ];
}

async function firstChild(pid: string): Promise<string | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return children
    .trim()
    .split(" ")
    .find((one) => one !== "");
}
