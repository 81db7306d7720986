/** Finds out, by running the exact sandbox once, how far this machine lets containers be isolated. */

import { execFile } from "node:child_process";
import {
  access,
  constants,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Isolation, Machine, RootLayout, Tools } from "./machine.js";
import { planSandbox } from "./sandbox.js";
import { isBelow, normalPath } from "./view.js";

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
const PROBE_TIMEOUT_MS = 10_000;

/** What can be had here; below `wanted` it says why in `why`. */
export async function findIsolation(options: IsolationOptions): Promise<Machine> {
  const tools = await findTools();
  const key = await cacheKey(options, tools);
  const cached = await readCache(options.cacheFile);
  const known = cached.find((one) => one.key === key);
  if (known !== undefined) return known.machine;
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
  const layout = await findLayout(options, tools, userNamespace);
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

const emptyLayout: RootLayout = {
  links: {},
  overlays: [],
  binds: [],
  submounts: [],
  masked: [],
  shown: [],
  devices: [],
};

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

const NOT_SHOWN = new Set(["proc", "sys", "dev", "tmp", "run", "home", "root", "boot", "lost+found"]);
const DEVICES = /^(null|zero|full|random|urandom|tty|fuse|kvm|kfd|dri|nvidia.*)$/;

async function findLayout(
  options: IsolationOptions,
  tools: Tools,
  userNamespace: boolean,
): Promise<RootLayout | string> {
  const links: Record<string, string> = {};
  const folders: string[] = [];
  for (const name of await readdir("/")) {
    if (NOT_SHOWN.has(name)) continue;
    const info = await lstat(`/${name}`);
    if (info.isSymbolicLink()) links[name] = await readlink(`/${name}`);
    else if (info.isDirectory()) folders.push(name);
  }
  const refused = await refusedOverlays(folders, { options, tools, userNamespace });
  if (typeof refused === "string") return refused;
  const masked = [
    "/run",
    "/root",
    "/home",
    ...(isBelow(options.home, "/root") || isBelow(options.home, "/home") ? [] : [options.home]),
  ];
  const mountPoints = await readMountPoints();
  return {
    links,
    overlays: folders.filter((name) => !refused.has(name)),
    binds: folders.filter((name) => refused.has(name)),
    submounts: mountPoints.filter((path) => folders.some((name) => path.startsWith(`/${name}/`) && !refused.has(name))),
    masked: masked.filter((path, index) => masked.indexOf(path) === index && path !== "/"),
    shown: await shownPaths(options, masked),
    devices: (await readdir("/dev")).filter((name) => DEVICES.test(name)),
  };
}

async function readMountPoints(): Promise<readonly string[]> {
  const text = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  const paths = text.split("\n").map((one) => unescaped(one.split(" ")[4] ?? ""));
  const readable = await Promise.all(
    [...new Set(paths)].filter((path) => path !== "").map(async (path) => ((await isReadable(path)) ? path : "")),
  );
  return readable.filter((path) => path !== "").toSorted((a, b) => a.length - b.length);
}

async function isReadable(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return (
    info?.isDirectory() === true &&
    access(path, constants.R_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
  );
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Install folders below masked ones: of ~/.nvm/versions/node/v20/bin, ~/.nvm. Where credentials lie beside, only bin. */
async function shownPaths(options: IsolationOptions, masked: readonly string[]): Promise<readonly string[]> {
  const shown = new Set<string>();
  for (const entry of [...options.path.split(":"), dirname(process.execPath)]) {
    if (!entry.startsWith("/")) continue;
    const path = normalPath(entry);
    if (!masked.some((one) => isBelow(path, one)) || isBelow(path, "/run")) continue;
    for (const one of installFolders(path, options.home)) if (await isReadable(one)) shown.add(one);
  }
  const all = [...shown];
  return all.filter((path) => !all.some((other) => other !== path && isBelow(path, other)));
}

function installFolders(path: string, home: string): readonly string[] {
  if (!isBelow(path, home) || path === home) return [path];
  const first = path.slice(home.length + 1).split("/")[0] ?? "";
  if (first === ".local") return [path, `${home}/.local/lib`];
  if (first === ".cargo") return [path, `${home}/.rustup`];
  if (first === ".config" || first === ".cache") return [path];
  return [`${home}/${first}`];
}

interface ProbeInput {
  readonly options: IsolationOptions;
  readonly tools: Tools;
  readonly userNamespace: boolean;
}

/** The folders that refuse an overlay, or why no namespace can be had at all. */
async function refusedOverlays(folders: readonly string[], input: ProbeInput): Promise<ReadonlySet<string> | string> {
  const { tools, userNamespace } = input;
  const probe = await mkdtemp(join(input.options.folder, ".probe-"));
  try {
    await Promise.all(
      folders.flatMap((name) => ["u", "w", "m"].map((kind) => mkdir(join(probe, kind, name), { recursive: true }))),
    );
    const option = userNamespace ? ",userxattr" : "";
    const script = [
      'for top in "$@"; do',
      `"${tools.mount}" -n -t overlay overlay "m/$top" \\`,
      `-o "lowerdir=/$top,upperdir=u/$top,workdir=w/$top${option}" 2>/dev/null || echo "refused $top"`,
      "done; echo done",
    ].join("\n");
    const user = userNamespace ? ["--user", "--map-root-user"] : [];
    const result = await run(
      tools.unshare ?? "unshare",
      [...user, ...["--mount", "--", tools.sh, "-c", script, "probe", ...folders]],
      probe,
    );
    if (!result.output.includes("done\n")) return namespaceFault(result.error, userNamespace);
    const refused = result.output.split("\n").filter((one) => one.startsWith("refused "));
    return new Set(refused.map((one) => one.slice("refused ".length)));
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

function namespaceFault(error: string, userNamespace: boolean): string {
  const hint = userNamespace
    ? "user namespaces are not allowed here (on Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0)"
    : "namespaces are not allowed here (in a container: give it the capability SYS_ADMIN)";
  return `${error.trim().split("\n")[0] ?? ""}: ${hint}`;
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
    const result = await run(file, args, "/");
    if (result.exitCode === 42) return undefined;
    const said = await readFile(plan.sandboxError ?? "", "utf8").catch(() => "");
    return `the sandbox does not work here: ${(said.trim() || result.error.trim()).split("\n")[0] || `exit code ${result.exitCode}`}`;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

interface RunResult {
  readonly exitCode: number;
  readonly output: string;
  readonly error: string;
}

function run(file: string, args: readonly string[], cwd: string): Promise<RunResult> {
  return new Promise((resolve) => {
    const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
    execFile(file, args, { cwd, env, timeout: PROBE_TIMEOUT_MS, killSignal: "SIGKILL" }, (error, output, said) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ exitCode: code, output, error: said || (error?.message ?? "") });
    });
  });
}

async function cacheKey(options: IsolationOptions, tools: Tools): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const unshare = tools.unshare === undefined ? 0 : (await stat(tools.unshare)).mtimeMs;
  const roots = process.platform === "linux" ? await readdir("/") : [];
  const facts = [4, boot.trim(), process.getuid?.(), process.execPath, tools, unshare, roots, await readMountPoints()];
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
