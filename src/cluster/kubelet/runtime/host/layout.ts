/** Finds out how `/` of this machine can be shown in a sandbox: what takes an overlay, what can only be bound. */

import {
  access,
  constants,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RootLayout, Tools } from "./machine.js";
import { runOnce } from "./run-once.js";
import { isBelow, normalPath } from "./view.js";

export interface LayoutOptions {
  /** PATH of the containers: what it names below a home is shown. */
  readonly path: string;
  readonly home: string;
  /** Where the pods' folders lie: upper layers have to work there. */
  readonly folder: string;
  readonly tools: Tools;
  readonly userNamespace: boolean;
}

export const emptyLayout: RootLayout = {
  links: {},
  overlays: [],
  binds: [],
  files: [],
  submounts: [],
  masked: [],
  shown: [],
  devices: [],
  deviceFolders: [],
};

const NOT_SHOWN = new Set(["proc", "sys", "dev", "tmp", "run", "home", "root", "boot", "lost+found"]);
const DEVICES = /^(null|zero|full|random|urandom|tty|fuse|kvm|kfd|dri|nvidia.*)$/;
/** A folder with more entries than this is not taken apart. */
const MAX_PARTS = 64;

/** The layout, or why no mount namespace can be had. */
export async function findLayout(options: LayoutOptions): Promise<RootLayout | string> {
  const top = await partsOf("/");
  const folders = top.folders.filter((path) => !NOT_SHOWN.has(path.slice(1)));
  const refused = await refusedOverlays(folders, options);
  if (typeof refused === "string") return refused;
  const parts = await takenApart([...refused]);
  const refusedParts = await refusedOverlays(parts.folders, options);
  const bound = typeof refusedParts === "string" ? new Set(parts.folders) : refusedParts;
  const all = [...folders.filter((path) => !refused.has(path)), ...parts.folders];
  const overlays = all.filter((path) => !bound.has(path));
  const masked = maskedFolders(options.home);
  const mountPoints = await readMountPoints();
  return {
    links: { ...top.links, ...parts.links },
    overlays,
    binds: [...bound, ...parts.whole],
    files: parts.files,
    submounts: mountPoints.filter((path) => overlays.some((one) => path.startsWith(`${one}/`))),
    masked,
    shown: [...(await shownPaths(options, [...masked, "/tmp"])), ...(await resolverFolder())],
    ...(await findDevices()),
  };
}

async function findDevices(): Promise<Pick<RootLayout, "devices" | "deviceFolders">> {
  const entries = await readdir("/dev", { withFileTypes: true });
  const shown = entries.filter((one) => DEVICES.test(one.name));
  return {
    devices: shown.filter((one) => one.isCharacterDevice()).map((one) => one.name),
    deviceFolders: shown.filter((one) => one.isDirectory()).map((one) => one.name),
  };
}

function maskedFolders(home: string): readonly string[] {
  const standard = ["/run", "/root", "/home"];
  return home === "/" || standard.some((one) => isBelow(home, one)) ? standard : [...standard, home];
}

interface Parts {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: Readonly<Record<string, string>>;
}

async function partsOf(folder: string): Promise<Parts> {
  const folders: string[] = [];
  const files: string[] = [];
  const links: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    const path = folder === "/" ? `/${name}` : `${folder}/${name}`;
    const info = await lstat(path);
    if (info.isSymbolicLink()) links[path] = await readlink(path);
    else if (info.isDirectory()) folders.push(path);
    else if (info.isFile()) files.push(path);
  }
  return { folders, files, links };
}

/** What is in folders that refuse an overlay as a whole; `whole` can only be bound. */
async function takenApart(refused: readonly string[]): Promise<Parts & { readonly whole: readonly string[] }> {
  const none: Parts = { folders: [], files: [], links: {} };
  const parts = await Promise.all(refused.map((path) => partsOf(path).catch(() => none)));
  const isWhole = (part: Parts | undefined): boolean => {
    const count = (part?.folders.length ?? 0) + (part?.files.length ?? 0);
    return count === 0 || count > MAX_PARTS;
  };
  const used = parts.filter((part) => !isWhole(part));
  return {
    folders: used.flatMap((part) => part.folders),
    files: used.flatMap((part) => part.files),
    links: Object.assign({}, ...used.map((part) => part.links)) as Readonly<Record<string, string>>,
    whole: refused.filter((_, index) => isWhole(parts[index])),
  };
}

/** Mount points of this machine that this user may enter, outer ones first. */
export async function readMountPoints(): Promise<readonly string[]> {
  const text = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  const paths = new Set(text.split("\n").map((one) => unescaped(one.split(" ")[4] ?? "")));
  const readable = await Promise.all(
    [...paths].map(async (path) => (path !== "" && (await isReadable(path)) ? path : "")),
  );
  return readable.filter((path) => path !== "").toSorted((a, b) => a.length - b.length);
}

async function isReadable(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isDirectory() !== true) return false;
  return access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Install folders below masked ones: of ~/.nvm/versions/node/v20/bin, ~/.nvm. Where credentials lie beside, only bin. */
async function shownPaths(options: LayoutOptions, masked: readonly string[]): Promise<readonly string[]> {
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

/** Where systemd and others keep what /etc/resolv.conf leads to: without it no name is resolved. */
async function resolverFolder(): Promise<readonly string[]> {
  const file = await realpath("/etc/resolv.conf").catch(() => "");
  return isBelow(file, "/run") ? [dirname(file)] : [];
}

function installFolders(path: string, home: string): readonly string[] {
  if (!isBelow(path, home) || path === home) return [path];
  const first = path.slice(home.length + 1).split("/")[0] ?? "";
  if (first === ".local") return [path, `${home}/.local/lib`];
  if (first === ".cargo") return [path, `${home}/.rustup`];
  if (first === ".config" || first === ".cache") return [path];
  return [`${home}/${first}`];
}

/** The folders that refuse an overlay, or why no namespace can be had at all. */
async function refusedOverlays(
  folders: readonly string[],
  options: LayoutOptions,
): Promise<ReadonlySet<string> | string> {
  if (folders.length === 0) return new Set();
  const { tools, userNamespace } = options;
  const probe = await mkdtemp(join(options.folder, ".probe-"));
  try {
    const layers = folders.flatMap((path) => ["u", "w", "m"].map((kind) => join(probe, kind, path)));
    await Promise.all(layers.map((path) => mkdir(path, { recursive: true })));
    const option = userNamespace ? ",userxattr" : "";
    const script = [
      'for folder in "$@"; do',
      `"${tools.mount}" -n -t overlay overlay "m$folder" \\`,
      `-o "lowerdir=$folder,upperdir=u$folder,workdir=w$folder${option}" 2>/dev/null || echo "refused $folder"`,
      "done; echo done",
    ].join("\n");
    const user = userNamespace ? ["--user", "--map-root-user"] : [];
    const command = [...user, "--mount", "--", tools.sh, "-c", script, "probe", ...folders];
    const result = await runOnce(tools.unshare ?? "unshare", command, probe);
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
