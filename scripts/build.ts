/** Bundles the program: one file for each thing that is started by itself, plus what they load lazily. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { swapIn } from "./swap-in.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Name in `dist/` -> source: ES modules that share what they have in common, loaded as far as it is needed. */
const modules: Readonly<Record<string, string>> = {
  tiphys: "src/app/tiphys.ts",
  "archive-worker": "src/artifacts/archive/worker.ts",
};

/**
 * The thread and the process that every run starts: one file each, in the older form, which Node loads without setting up
 * its machinery for ES modules once more.
 */
const scripts: Readonly<Record<string, string>> = {
  "store-writer": "src/cluster/apiserver/storage/writer-thread.ts",
  "process-helper": "src/cluster/kubelet/runtime/host/helper.ts",
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  packages: "bundle",
  external: ["libsql", "@lydell/node-pty"],
  // Comments and blanks would be read at each start; names stay, so that a stack trace says something.
  minifyWhitespace: true,
  lineLimit: 160,
  logLevel: "warning",
} as const satisfies esbuild.BuildOptions;

/** Writes `dist/`: a program that is being started meanwhile finds the old build or the new one. */
export async function build(): Promise<void> {
  const fresh = `dist.${process.pid}`;
  await esbuild.build({
    ...common,
    entryPoints: { ...modules },
    outdir: fresh,
    splitting: true,
    format: "esm",
    banner: {
      // Bundled CommonJS dependencies call `require` for Node's own modules.
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    define: { TIPHYS_BUILD: JSON.stringify(buildInfo()) },
  });
  await esbuild.build({
    ...common,
    entryPoints: { ...scripts },
    outdir: fresh,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
  });
  // npm builds before it packs.
  const before = process.env["npm_lifecycle_event"] === "prepare" ? "removed" : "kept until the next build";
  await swapIn({ fresh: `${root}${fresh}`, target: `${root}dist`, entry: "tiphys.js", before });
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
