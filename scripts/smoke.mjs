/** Packs the program, installs the tarball into an empty folder and runs hello-world there, as a user would. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tiphys-smoke-"));

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, TIPHYS_HOME: join(folder, "home") },
  });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${status ?? error}\n${stdout}\n${stderr}`);
  }
  return stdout;
}

try {
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root));
  run("npm", ["init", "-y"], folder);
  run("npm", ["install", "--no-audit", "--no-fund", "--omit=dev", join(folder, packed.filename)], folder);
  cpSync(join(root, "examples/hello-world.yaml"), join(folder, "hello-world.yaml"));
  const output = run(
    join(folder, "node_modules/.bin/tiphys"),
    ["run", "--runtime", "host", "hello-world.yaml"],
    folder,
  );
  if (!output.includes("hello world")) throw new Error(`the step's line is missing:\n${output}`);
  console.log(`smoke: ${packed.filename}, ${Math.round(packed.size / 1024)} KiB packed, ran hello-world`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
