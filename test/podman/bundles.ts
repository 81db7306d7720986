/** Programs of the tests that are processes of their own, bundled once. */

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const bundles = new Map<string, Promise<string>>();

/** The process that starts container programs. */
export function bundledHelper(): Promise<string> {
  return bundled("helper", new URL("../../src/cluster/kubelet/runtime/host/helper.ts", import.meta.url));
}

/** A process that owns a pod, and dies. */
export function bundledOwner(): Promise<string> {
  return bundled("owner", new URL("./owner.ts", import.meta.url));
}

function bundled(name: string, source: URL): Promise<string> {
  const known = bundles.get(name) ?? bundle(name, source);
  bundles.set(name, known);
  return known;
}

async function bundle(name: string, source: URL): Promise<string> {
  const outfile = join(await mkdtemp(join(tmpdir(), "tiphys-bundle-")), `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  return outfile;
}
