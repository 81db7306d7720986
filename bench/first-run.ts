/** The first run on a fresh machine: from the packed tarball, with an empty npm cache, to the first step's line. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { verdict, withHome } from "./lib/measure.js";

const TARGET_S = 10;
const root = fileURLToPath(new URL("..", import.meta.url));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, TIPHYS_HOME: join(cwd, "home") },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stderr}`);
  return stdout;
}

await withHome((folder) => {
  const packed = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root)) as [
    { readonly filename: string },
  ];
  const project = join(folder, "project");
  mkdirSync(project);
  cpSync(join(root, "examples/hello-world.yaml"), join(project, "hello-world.yaml"));
  const start = performance.now();
  run("npm", ["install", "--cache", join(folder, "cache"), join(folder, packed[0].filename)], project);
  const output = run(
    join(project, "node_modules/.bin/tiphys"),
    ["run", "--runtime", "host", "hello-world.yaml"],
    project,
  );
  const seconds = (performance.now() - start) / 1000;
  if (!output.includes("hello world")) throw new Error(`no line of the step:\n${output}`);
  console.log(
    `first run from an empty npm cache: ${seconds.toFixed(1)} s (target ${TARGET_S} s: ${verdict(seconds <= TARGET_S)})`,
  );
});
