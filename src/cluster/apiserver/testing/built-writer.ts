/** The writer thread's program, bundled for tests beside the other caches, so that they need no build before them. */

import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Bundles `source` (a path from the repository's root) into a file of this process's own. */
export async function bundled(source: string): Promise<URL> {
  // Inside node_modules, where the driver is found.
  const folder = `${root}node_modules/.cache/tiphys-tests/${process.pid}-${process.hrtime.bigint()}`;
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/bundle.mjs`;
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["libsql"],
    logLevel: "warning",
  });
  return pathToFileURL(file);
}

export function builtWriter(): Promise<URL> {
  return bundled("src/cluster/apiserver/storage/writer-thread.ts");
}
