/** Programs of the tests that are processes of their own, bundled once. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

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
  const folder = await mkdtemp(join(tmpdir(), "tiphys-bundle-"));
  folders.push(folder);
  const outfile = join(folder, `${name}.mjs`);
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
