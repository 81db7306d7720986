/** Memory of `run` hello: the proportional set size of all our processes together, while a step runs (Linux). */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program, verdict, withHome } from "./lib/measure.js";

const TARGET_MB = 160;

const sleeper = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { generateName: memory- }
spec:
  entrypoint: main
  templates:
    - name: main
      container: { image: busybox, command: [sh, -c], args: ["echo running; sleep 3"] }
`;

/** Our own processes: the program and its helper; the step's are the user's. */
function ourProcesses(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = /^PPid:\s+(\d+)$/m.exec(read(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const helpers = [...parents].filter(
    ([pid, parent]) => parent === root && read(`/proc/${pid}/cmdline`).includes("tiphys"),
  );
  return [root, ...helpers.map(([pid]) => pid)];
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function pssMb(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
}

await withHome(async (home) => {
  const file = join(home, "sleep.yaml");
  writeFileSync(file, sleeper);
  const child = spawn(process.execPath, [program, "run", "--runtime", "host", file], {
    env: { ...process.env, TIPHYS_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  const parts = ourProcesses(child.pid ?? 0).map(pssMb);
  const total = parts.reduce((sum, part) => sum + part, 0);
  console.log(
    `memory of run hello: ${total.toFixed(0)} MB (${parts.map((part) => part.toFixed(0)).join(" + ")}) ` +
      `(target ${TARGET_MB} MB: ${verdict(total <= TARGET_MB)})`,
  );
  await new Promise<void>((resolve) => child.once("exit", () => resolve()));
});
