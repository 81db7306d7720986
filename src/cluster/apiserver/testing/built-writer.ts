/** Programs of threads and processes, bundled for tests beside the other caches, so that they need no build before them. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
/** Inside node_modules, where the driver is found. */
const folder = `${root}node_modules/.cache/tiphys-tests`;

/** Bundles `source`, a path from the repository's root, into a file named by its content. */
export async function bundled(source: string): Promise<URL> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [source],
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["libsql"],
    logLevel: "warning",
  });
  const text = outputFiles[0]?.text ?? "";
  const file = `${folder}/${createHash("sha256").update(text).digest("hex").slice(0, 16)}.mjs`;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) {
    // Whole or not at all: another test may be looking for it.
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
  return pathToFileURL(file);
}

export function builtWriter(): Promise<URL> {
  return bundled("src/cluster/apiserver/storage/writer-thread.ts");
}
