/** From a container as the kubelet wants it to what the helper obeys, in whatever isolation this machine has. */

import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Pod } from "../../../../core/model/kube/pod.js";
import type { ExitRecord } from "../../pod-state.js";
import type { ContainerSetup } from "../port.js";
import type { Machine } from "./machine.js";
import { nothingOutside, type Outside } from "./outside.js";
import { type FixedPath, type PathLocks, planPlain } from "./plain.js";
import { findProgram } from "./program.js";
import type { ExecReply, ExecSpec, RunSpec, StartReply } from "./protocol.js";
import { impossibleMount, planSandbox, sandboxView } from "./sandbox.js";
import { normalPath, type View } from "./view.js";

/** What the driver's pods share. */
export interface HostContext {
  readonly machine: Machine;
  /** PATH, LANG, TZ of this machine. */
  readonly baseEnv: Readonly<Record<string, string>>;
  readonly locks: PathLocks;
  /** When this driver began: what it finds begun and not ended was lost by then. */
  readonly startedAt: number;
  now(): number;
  /** Paths that a container writes at fixed places and others read afterwards. */
  writtenPaths(pod: Pod, containerName: string): readonly string[];
  start(run: RunSpec): Promise<StartReply>;
  exitOf(key: string): Promise<ExitRecord>;
  signal(key: string, signal: string): Promise<void>;
  exec(key: string, exec: ExecSpec): Promise<ExecReply>;
  remove(paths: readonly string[]): Promise<void>;
}

/** Kept in the start record: enough to read the run's files and to open a shell there later. */
export interface RunDetails {
  readonly view: View;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The sandbox's command; empty in isolation plain. */
  readonly enter: readonly string[];
  /** To be taken back should the run be lost. */
  readonly outside: Outside;
}

export interface PlanInput {
  readonly context: HostContext;
  readonly pod: Pod;
  readonly setup: ContainerSetup;
  readonly key: string;
  /** Of this run. */
  readonly folder: string;
}

export type PlannedRun =
  | { readonly kind: "run"; readonly run: RunSpec; readonly details: RunDetails; readonly release: () => void }
  /** It can never run here; why, for people. */
  | { readonly kind: "refused"; readonly message: string };

export async function planRun(input: PlanInput): Promise<PlannedRun> {
  if (input.setup.argv.length === 0) return refused(noCommand(input));
  return input.context.machine.isolation === "plain" ? planPlainRun(input) : planSandboxRun(input);
}

function planSandboxRun(input: PlanInput): PlannedRun {
  const { context, setup, pod } = input;
  const { machine } = context;
  const folder = join(input.folder, "fs");
  const mounts = setup.mounts.map(({ path, source, readOnly }) => ({
    path: withoutLinks(machine, path),
    source,
    readOnly,
    isFile: !statSync(source).isDirectory(),
  }));
  const hosts = hostsFile(pod, folder);
  if (hosts !== undefined) mounts.push({ path: "/etc/hosts", source: hosts.path, readOnly: false, isFile: true });
  const workingDir = withoutLinks(machine, setup.workingDir ?? "/");
  const hostname = pod.metadata.name ?? "";
  const env = { ...context.baseEnv, HOME: "/root", HOSTNAME: hostname, ...Object.fromEntries(setup.env) };
  const view = sandboxView({ machine, folder, mounts });
  const impossible = impossibleMount(view, exists);
  if (impossible !== undefined) return refused(mountImpossible(impossible));
  const argv = withProgram(view, { argv: setup.argv, path: pathOf(env), workingDir });
  if (argv === undefined) return refused(noProgram(input));
  const plan = planSandbox({ machine, folder, mounts, workingDir, hostname });
  const details = { view, argv, env, cwd: workingDir, enter: plan.enter, outside: nothingOutside };
  const { folders, links, sandboxError, signalled } = plan;
  const files = hosts === undefined ? plan.files : [...plan.files, hosts];
  return {
    kind: "run",
    details,
    release: () => undefined,
    run: {
      key: input.key,
      contained: true,
      folder: input.folder,
      argv: [...plan.enter, ...argv],
      env,
      cwd: "/",
      ...{ folders, files, links, sandboxError, signalled, details },
      outside: nothingOutside,
    },
  };
}

async function planPlainRun(input: PlanInput): Promise<PlannedRun> {
  const { context, setup, pod } = input;
  const folder = join(input.folder, "fs");
  const [home, tmp, work] = [join(folder, "home"), join(folder, "tmp"), join(folder, "work")];
  const own = { HOME: home, TMPDIR: tmp, HOSTNAME: pod.metadata.name ?? "" };
  const env = { ...context.baseEnv, ...own, ...Object.fromEntries(setup.env) };
  const plan = planPlain({
    folder,
    mounts: setup.mounts.map((one) => ({ ...one, path: normalPath(one.path) })),
    argv: setup.argv,
    env,
    standIn: setup.workingDir === undefined ? work : undefined,
    writtenPaths: context.writtenPaths(pod, setup.container.name).map(normalPath),
  });
  const workingDir = setup.workingDir === undefined ? work : inMounts(plan.view, setup.workingDir);
  const argv = withProgram(plan.view, { argv: plan.argv, path: pathOf(env), workingDir });
  if (argv === undefined) return refused(noProgram(input));
  const release = await context.locks.take(plan.fixedPaths);
  const taken = plan.fixedPaths.find(isTaken);
  if (taken !== undefined) {
    release();
    return refused(pathTaken(taken.path));
  }
  if (workingDir !== work && !exists(workingDir)) {
    release();
    return refused(`workingDir ${workingDir} does not exist on this machine, and isolation plain cannot make it`);
  }
  const details = { view: plan.view, argv, env, cwd: workingDir, enter: [], outside: plan.outside };
  const { setpriv } = context.machine.tools;
  return {
    kind: "run",
    details,
    release,
    run: {
      key: input.key,
      contained: false,
      folder: input.folder,
      argv: setpriv === undefined ? argv : [setpriv, "--pdeathsig", "KILL", "--", ...argv],
      env,
      cwd: workingDir,
      folders: [folder, home, tmp, work].map((path) => ({ path, mode: 0o700 })),
      files: [],
      links: [],
      outside: plan.outside,
      sandboxError: undefined,
      signalled: undefined,
      details,
    },
  };
}

function pathOf(env: Readonly<Record<string, string>>): string {
  return env["PATH"] ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
}

interface ProgramWish {
  readonly argv: readonly string[];
  readonly path: string;
  readonly workingDir: string;
}

function withProgram(view: View, wish: ProgramWish): readonly string[] | undefined {
  const [name = "", ...rest] = wish.argv;
  const program = findProgram({ view, name, path: wish.path, workingDir: wish.workingDir });
  return program === undefined ? undefined : [program, ...rest];
}

function inMounts(view: View, path: string): string {
  const normal = normalPath(path);
  const mount = view.mounts.find((one) => normal === one.path || normal.startsWith(`${one.path}/`));
  return mount === undefined ? normal : `${mount.source}${normal.slice(mount.path.length)}`;
}

/** A link that another container made to the very same folder is shared with it. */
function isTaken({ path, target }: FixedPath): boolean {
  return exists(path) && (target === undefined || linkTarget(path) !== target);
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** This machine's hosts and the pod's own; undefined when it names none. */
function hostsFile(pod: Pod, folder: string): { readonly path: string; readonly content: string } | undefined {
  const { hostAliases = [] } = pod.spec;
  if (hostAliases.length === 0) return undefined;
  const own = hostAliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join("\t")}\n`);
  const path = join(folder, "hosts");
  return { path, content: [readFileSync("/etc/hosts", "utf8"), ...own].join("") };
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A mount at /var/run/x is made at /run/x: a folder made over a link would hide what it leads to. */
function withoutLinks(machine: Machine, path: string): string {
  let done = "";
  let pending = normalPath(path)
    .split("/")
    .filter((part) => part !== "");
  for (let links = 0; pending.length > 0 && links < 40; ) {
    const [name = "", ...rest] = pending;
    const next = `${done}/${name}`;
    const isMasked = ["/tmp", ...machine.layout.masked].includes(next);
    const target = isMasked ? undefined : linkTarget(next);
    if (target === undefined) {
      done = next;
      pending = rest;
      if (isMasked) break;
      continue;
    }
    links += 1;
    const resolved = normalPath(target.startsWith("/") ? target : `${done}/${target}`);
    pending = [...resolved.split("/").filter((part) => part !== ""), ...rest];
    done = "";
  }
  return normalPath(`${done}/${pending.join("/")}`);
}

function refused(message: string): PlannedRun {
  return { kind: "refused", message };
}

function noCommand({ setup }: PlanInput): string {
  return `the template names no command, and image "${setup.container.image ?? ""}" is not used here: add command`;
}

function noProgram({ setup }: PlanInput): string {
  const image = setup.container.image ?? "";
  return `program "${setup.argv[0] ?? ""}" is not on this machine, and image "${image}" is not used here: install it, or use --runtime docker`;
}

function mountImpossible(path: string): string {
  return `nothing can be mounted at ${path}: it lies in a folder that is this machine's, and that takes no overlay`;
}

function pathTaken(path: string): string {
  return `path ${path} exists on this machine: in isolation plain a step may only use paths that do not (see --isolation)`;
}
