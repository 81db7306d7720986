/** Bundles the program: one file for each thing that is started by itself, plus what they load lazily. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Name in `dist/` -> source. Threads and processes of their own are entries of their own. */
const entries: Readonly<Record<string, string>> = {
  tiphys: "src/app/tiphys.ts",
  "store-writer": "src/cluster/apiserver/storage/writer-thread.ts",
  "process-helper": "src/cluster/kubelet/runtime/host/helper.ts",
  "archive-worker": "src/artifacts/archive/worker.ts",
};

/** Writes `dist/`, which is swapped in whole: a program that is being started meanwhile finds the old or the new one. */
export async function build(): Promise<void> {
  const fresh = `dist.${process.pid}`;
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "bundle",
    external: ["libsql", "@lydell/node-pty"],
    banner: {
      // Bundled CommonJS dependencies call `require` for Node's own modules.
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    define: { TIPHYS_BUILD: JSON.stringify(buildInfo()) },
    logLevel: "warning",
  });
  await chmod(`${root}${fresh}/tiphys.js`, 0o755);
  const old = `${root}${fresh}.old`;
  if (existsSync(`${root}dist`)) await rename(`${root}dist`, old);
  await rename(`${root}${fresh}`, `${root}dist`);
  await rm(old, { recursive: true, force: true });
}

/** The git fields are empty outside a checkout (a source archive). */
function buildInfo(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string };
  const git = (...words: string[]): string => {
    const run = spawnSync("git", ["-C", root, ...words], { encoding: "utf8" });
    return run.status === 0 ? run.stdout.trim() : "";
  };
  const gitCommit = git("rev-parse", "HEAD");
  const gitTreeState = gitCommit === "" ? "" : git("status", "--porcelain") === "" ? "clean" : "dirty";
  return { version, buildDate: new Date().toISOString(), gitCommit, gitTreeState };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
