/** Finds out, by running the exact sandbox once, how far this machine lets containers be isolated. */

import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { emptyLayout, findLayout, readMountPoints } from "./layout.js";
import type { Isolation, Machine, Tools } from "./machine.js";
import { runOnce } from "./run-once.js";
import { planSandbox } from "./sandbox.js";

export interface IsolationOptions {
  /** Undefined: the best there is. */
  readonly wanted: Isolation | undefined;
  /** PATH of the containers: what it names below a home is shown. */
  readonly path: string;
  readonly home: string;
  /** An existing folder on the file system where pods' folders lie. */
  readonly folder: string;
  /** Where the answer is kept until the machine or its tools change. */
  readonly cacheFile: string;
}

const MAX_CACHED = 8;

/** What can be had here; below `wanted` it says why in `why`. */
export async function findIsolation(options: IsolationOptions): Promise<Machine> {
  const tools = await findTools();
  const key = await cacheKey(options, tools);
  const cached = await readCache(options.cacheFile);
  const known = cached.find((one) => one.key === key);
  if (known !== undefined) return known.machine;
  // Who was told what is best here asks for just that.
  const bestKey = await cacheKey({ ...options, wanted: undefined }, tools);
  const best = cached.find((one) => one.key === bestKey);
  if (best !== undefined && best.machine.isolation === options.wanted) return best.machine;
  const machine = await tryIsolations(options, tools);
  await writeCache(options.cacheFile, [{ key, machine }, ...cached].slice(0, MAX_CACHED));
  return machine;
}

async function tryIsolations(options: IsolationOptions, tools: Tools): Promise<Machine> {
  const userNamespace = process.getuid?.() !== 0;
  const plain = (why: string | undefined): Machine => ({
    isolation: "plain",
    why,
    userNamespace,
    tools,
    layout: emptyLayout,
  });
  if (options.wanted === "plain") return plain(undefined);
  if (process.platform !== "linux")
    return plain(`${process.platform} has no namespaces; a Linux machine or docker has`);
  const missing = (["unshare", "mount", "umount", "pivotRoot"] as const).filter((name) => tools[name] === undefined);
  if (missing.length > 0) return plain(`${missing.join(", ")} not found: install util-linux`);
  const layout = await findLayout({ ...options, tools, userNamespace });
  if (typeof layout === "string") return plain(layout);
  const wishes: readonly Isolation[] = options.wanted === undefined ? ["full", "no-proc"] : [options.wanted];
  let why: string | undefined;
  for (const isolation of wishes) {
    const machine: Machine = { isolation, why, userNamespace, tools, layout };
    const fault = await trySandbox(machine, options.folder);
    if (fault === undefined) return machine;
    why ??= fault;
  }
  return plain(why);
}

async function findTools(): Promise<Tools> {
  const find = async (name: string): Promise<string | undefined> => {
    for (const folder of ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"]) {
      if (await isExecutable(join(folder, name))) return join(folder, name);
    }
    return undefined;
  };
  const [setpriv, unshare, mount, umount, pivotRoot, nsenter] = await Promise.all(
    ["setpriv", "unshare", "mount", "umount", "pivot_root", "nsenter"].map(find),
  );
  return { sh: "/bin/sh", setpriv, unshare, mount, umount, pivotRoot, nsenter };
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Undefined when the very sandbox that containers get runs a command that sees, and writes, what it should. */
async function trySandbox(machine: Machine, folder: string): Promise<string | undefined> {
  const probe = await mkdtemp(join(folder, ".probe-"));
  try {
    await mkdir(join(probe, "volume"));
    const plan = planSandbox({
      machine,
      folder: join(probe, "fs"),
      mounts: [{ path: "/probe/deep/mount", source: join(probe, "volume"), readOnly: false, isFile: false }],
      workingDir: "/",
      hostname: "probe",
    });
    for (const { path } of plan.folders) await mkdir(path, { recursive: true });
    for (const { path, target } of plan.links) await symlink(target, path);
    for (const { path, content } of plan.files) await writeFile(path, content ?? "");
    const check = "echo x >/probe/deep/mount/file && echo x >/tmp/x && cat /proc/self/stat >/dev/null && exit 42";
    const [file = "", ...args] = [...plan.enter, machine.tools.sh, "-c", check];
    const result = await runOnce(file, args, "/");
    if (result.exitCode === 42) return undefined;
    const said = await readFile(plan.sandboxError ?? "", "utf8").catch(() => "");
    return `the sandbox does not work here: ${(said.trim() || result.error.trim()).split("\n")[0] || `exit code ${result.exitCode}`}`;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

async function cacheKey(options: IsolationOptions, tools: Tools): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const unshare = tools.unshare === undefined ? 0 : (await stat(tools.unshare)).mtimeMs;
  const roots = process.platform === "linux" ? await readdir("/") : [];
  const facts = [8, boot.trim(), process.getuid?.(), process.execPath, tools, unshare, roots, await readMountPoints()];
  // An upper layer cannot lie inside its own lower one: which top-level folder holds the pods decides too.
  const where = [(await stat(options.folder)).dev, options.folder.split("/")[1]];
  return JSON.stringify([...facts, options.wanted, options.path, options.home, ...where]);
}

/** A folder that cannot be written only means that the next process tries again. */
async function writeCache(file: string, answers: readonly CachedAnswer[]): Promise<void> {
  await writeFile(`${file}.${process.pid}`, JSON.stringify(answers), { mode: 0o600 })
    .then(() => rename(`${file}.${process.pid}`, file))
    .catch(() => undefined);
}

interface CachedAnswer {
  readonly key: string;
  readonly machine: Machine;
}

/** Of several folders and wishes, newest first: written by us, for us; what differs in the key is not found. */
async function readCache(file: string): Promise<readonly CachedAnswer[]> {
  try {
    const cached: unknown = JSON.parse(await readFile(file, "utf8"));
    return Array.isArray(cached) ? cached : [];
  } catch {
    return [];
  }
}
