/** The archive thread's script as the build makes it, for tests that do not want the whole program built. */

import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export async function bundleWorker(folder: string): Promise<URL> {
  const outfile = join(folder, "worker.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../archive/worker.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return pathToFileURL(outfile);
}
