/** The plan of one sandbox: which folders, files and mounts it is made of, and the command that enters it (pure). */

import type { Machine } from "./machine.js";
import type { RunSpec } from "./protocol.js";
import { type MountedFolder, placesOf, type View } from "./view.js";

export interface SandboxInput {
  readonly machine: Machine;
  /** The run's own folder for root, upper layers, /tmp. */
  readonly folder: string;
  /** Sources exist; `isFile` says what the mount point must be. */
  readonly mounts: readonly (MountedFolder & { readonly readOnly: boolean; readonly isFile: boolean })[];
  readonly workingDir: string;
  readonly hostname: string;
}

export type SandboxPlan = Pick<RunSpec, "folders" | "files" | "links" | "sandboxError" | "signalled"> & {
  readonly view: View;
  /** The command before the container's own: with another one behind it, it opens the same sandbox again. */
  readonly enter: readonly string[];
};

/** Capabilities with which a step could reach out of the sandbox or change the machine. */
const DROPPED = [
  "sys_admin",
  "sys_module",
  "sys_rawio",
  "sys_boot",
  "sys_time",
  "sys_ptrace",
  "syslog",
  "mac_admin",
  "mac_override",
  "net_admin",
  "dac_read_search",
  "linux_immutable",
];

const SIGNALLED = "signalled";

/**
 * Enters the mount plan, leaves the machine's root behind, then runs the command as a child: the first process of a PID
 * namespace would not be ended by SIGTERM. Its own words go nowhere; a failure of the plan goes to a file.
 */
const script = (tools: Machine["tools"]): string =>
  [
    'cd "$1" || exit 125',
    // A signal that came before anybody could hear it is written in this file.
    "exec 4<signalled",
    "fail() { read -r _ <&4 && exit 143; exit 125; }",
    // The first process of a PID namespace would not let SIGTERM end the programs below alone.
    "trap : TERM",
    `"${tools.mount}" -n -a -T fstab 2>sandbox-error || fail`,
    "exec 3>&2 2>>sandbox-error",
    `cd root && "${tools.pivotRoot}" . . && "${tools.umount}" -l . || fail`,
    // In a user namespace the file is root's, but the system call is allowed.
    '{ printf %s "$3" >/proc/sys/kernel/hostname || hostname "$3"; } 2>/dev/null',
    'cd "$2" || fail',
    "unset OLDPWD; shift 3; exec 2>/dev/null",
    // A child, so that SIGTERM ends it; a subshell, so that the shell's word on how it ended goes nowhere.
    '( read -r _ <&4 && exit 143; exec 2>&3 3>&- 4<&-; exec "$@" )',
    "exit $?",
  ].join("\n");

export function planSandbox(input: SandboxInput): SandboxPlan {
  const { machine, folder } = input;
  const { layout } = machine;
  const view = sandboxView(input);
  const entries = [
    ...layerMounts(input),
    ...input.mounts
      .toSorted((a, b) => a.path.length - b.path.length)
      .map((one) => line(one.source, `${folder}/root${one.path}`, "none", one.readOnly ? "rbind,ro" : "rbind")),
  ];
  const skeleton = [
    "root",
    "own",
    "upper",
    "work",
    "root/dev",
    "root/dev/shm",
    "root/dev/pts",
    "root/proc",
    "root/sys",
  ];
  const tops = [...layout.overlays, ...layout.binds].map((path) => `root${path}`);
  const devices = layout.deviceFolders.map((name) => `root/dev/${name}`);
  const layers = layout.overlays.flatMap((path) => [`upper${path}`, `work${path}`]);
  const folders = [...skeleton, ...tops, ...devices, ...layers].map((name) => ({
    path: `${folder}/${name}`,
    mode: 0o755,
  }));
  const points = mountPoints(input, view);
  return {
    view,
    enter: enterCommand(input),
    folders: [
      { path: folder, mode: 0o755 },
      ...folders,
      ...view.own.flatMap((path) => [
        { path: `${folder}/own${path}`, mode: path === "/tmp" || path === "/var/tmp" ? 0o1777 : 0o755 },
        { path: `${folder}/root${path}`, mode: 0o755 },
      ]),
      ...points.folders,
    ],
    files: [
      { path: `${folder}/${SIGNALLED}`, content: "" },
      { path: `${folder}/fstab`, content: entries.map((one) => `${one}\n`).join("") },
      ...layout.files.map((path) => ({ path: `${folder}/root${path}` })),
      ...layout.devices.map((name) => ({ path: `${folder}/root/dev/${name}` })),
      ...points.files,
    ],
    links: [
      ...Object.entries(layout.links).map(([path, target]) => ({ path: `${folder}/root${path}`, target })),
      ...[
        ["fd", "/proc/self/fd"],
        ["stdin", "/proc/self/fd/0"],
        ["stdout", "/proc/self/fd/1"],
        ["stderr", "/proc/self/fd/2"],
        ["ptmx", "pts/ptmx"],
      ].map(([name = "", target = ""]) => ({ path: `${folder}/root/dev/${name}`, target })),
    ],
    sandboxError: `${folder}/sandbox-error`,
    signalled: `${folder}/${SIGNALLED}`,
  };
}

/** How the container will see the machine. */
export function sandboxView(input: Pick<SandboxInput, "machine" | "folder" | "mounts">): View {
  const { layout } = input.machine;
  return {
    kind: "sandbox",
    folder: input.folder,
    mounts: input.mounts.map(({ path, source }) => ({ path, source })),
    overlays: layout.overlays,
    links: Object.keys(layout.links),
    shared: [...layout.binds, ...layout.files, ...layout.submounts, ...layout.shown, "/proc", "/sys"],
    own: ["/tmp", ...layout.masked],
    moved: [],
    standIn: undefined,
  };
}

function layerMounts(input: SandboxInput): readonly string[] {
  const { folder, machine } = input;
  const { layout } = machine;
  const root = `${folder}/root`;
  const userXattr = machine.userNamespace ? ",userxattr" : "";
  return [
    bind(root, root, false),
    ...layout.overlays.map((path) =>
      // Relative layers: a comma or colon in the folder's own path would be taken for a separator.
      line(
        "overlay",
        `${root}${path}`,
        "overlay",
        `lowerdir=${path},upperdir=upper${path},workdir=work${path}${userXattr}`,
      ),
    ),
    ...[...layout.binds, ...layout.files].map((path) => bind(path, `${root}${path}`, true)),
    ...layout.submounts.map((path) => bind(path, `${root}${path}`, true)),
    machine.isolation === "full"
      ? line("proc", `${root}/proc`, "proc", "nosuid,nodev,noexec")
      : bind("/proc", `${root}/proc`, false),
    bind("/sys", `${root}/sys`, true),
    ...[...layout.devices, ...layout.deviceFolders].map((name) => bind(`/dev/${name}`, `${root}/dev/${name}`, false)),
    bind("/dev/pts", `${root}/dev/pts`, false),
    line("tmpfs", `${root}/dev/shm`, "tmpfs", "mode=1777,nosuid,nodev"),
    ...sandboxView(input).own.map((path) => bind(`${folder}/own${path}`, `${root}${path}`, false)),
    ...layout.shown.map((path) => bind(path, `${root}${path}`, true)),
  ];
}

/** A source that was there when the machine was looked at, and is gone now (a device, a disk), is left out. */
function bind(source: string, target: string, readOnly: boolean): string {
  return line(source, target, "none", readOnly ? "rbind,ro,nofail" : "rbind,nofail");
}

function line(source: string, target: string, type: string, options: string): string {
  return `${escaped(source)} ${escaped(target)} ${type} ${options} 0 0`;
}

/** fstab separates by blanks; octal escapes stand for them in a name. */
function escaped(text: string): string {
  return text.replace(/[\\\s#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

/** What must exist below the mounts made so far, for volumes, shown folders and the working folder. */
function mountPoints(input: SandboxInput, view: View): Pick<RunSpec, "folders" | "files"> {
  const folders: { path: string; mode: number }[] = [];
  const files: { path: string }[] = [];
  const addFolder = (path: string, within: View): void => {
    const { upper } = placesOf(within, path);
    if (upper !== undefined) folders.push({ path: upper, mode: 0o755 });
  };
  for (const path of input.machine.layout.shown) addFolder(path, { ...view, shared: [], mounts: [] });
  for (const mount of input.mounts) {
    const others = { ...view, mounts: view.mounts.filter((one) => one.path !== mount.path) };
    addFolder(mount.isFile ? parentOf(mount.path) : mount.path, others);
    const { upper } = placesOf(others, mount.path);
    if (mount.isFile && upper !== undefined) files.push({ path: upper });
  }
  addFolder(input.workingDir, view);
  return { folders, files };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

function enterCommand(input: SandboxInput): readonly string[] {
  const { tools, userNamespace } = input.machine;
  const die = tools.setpriv === undefined ? [] : [tools.setpriv, "--pdeathsig", "KILL", "--"];
  const drop = tools.setpriv === undefined ? [] : [tools.setpriv, `--bounding-set=-${DROPPED.join(",-")}`, "--"];
  const user = userNamespace ? ["--user", "--map-root-user"] : [];
  return [
    ...die,
    ...[tools.unshare ?? "unshare", ...user, "--mount", "--pid", "--fork", "--ipc", "--uts", "--kill-child"],
    ...["--propagation", "private", "--", tools.sh, "-c", script(tools), "tiphys"],
    ...[input.folder, input.workingDir, input.hostname],
    ...drop,
  ];
}

/** A mount point that the sandbox has no place to make: in a folder that is the machine's, read only. */
export function impossibleMount(view: View, exists: (path: string) => boolean): string | undefined {
  const paths = view.mounts.map((one) => one.path);
  return paths.find((path) => {
    const others = { ...view, mounts: view.mounts.filter((one) => one.path !== path) };
    const { upper, lower } = placesOf(others, path);
    return upper === undefined && (lower === undefined || !exists(lower));
  });
}
