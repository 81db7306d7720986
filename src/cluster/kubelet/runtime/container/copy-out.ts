/** Reads files as a container saw them: from its mounts on this machine, else copied out by the program. */

import { access, constants, lstat, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, posix } from "node:path";
import { type ReadPart, readRegular } from "../host/read-regular.js";
import type { ExportedPath, Mount } from "../port.js";
import { type Cli, CommandError } from "./cli.js";
import type { ContainerDetails } from "./details.js";
import type { RootFiles } from "./root-files.js";

export interface CopySource {
  readonly cli: Cli;
  readonly rootFiles: RootFiles;
  readonly details: ContainerDetails;
  /** Where copies are put. */
  readonly scratch: string;
}

/** Undefined when there is none, or it is not a regular file (a pipe would never end). */
export async function readContainerFile(
  source: CopySource,
  path: string,
  wanted: ReadPart,
): Promise<Buffer | undefined> {
  const direct = await inMounts(source.details.mounts, path);
  if (direct.kind === "absent") return undefined;
  if (direct.kind === "found") {
    const content = await readRegular(direct.hostPath, wanted).catch((error: unknown) =>
      isRefused(error) ? "refused" : Promise.reject(error),
    );
    if (content !== "refused") return content;
  }
  const copy = await copyOut(source, path);
  if (copy === undefined) return undefined;
  try {
    return await copiedFile(copy.hostPath, wanted);
  } finally {
    await copy.dispose();
  }
}

/** A file or folder; undefined when there is none. */
export async function exportContainerPath(source: CopySource, path: string): Promise<ExportedPath | undefined> {
  const direct = await inMounts(source.details.mounts, path);
  if (direct.kind === "absent") return undefined;
  if (direct.kind === "found" && direct.isFile && (await isReadable(direct.hostPath))) {
    return { hostPath: direct.hostPath, dispose: () => Promise.resolve() };
  }
  return copyOut(source, path);
}

async function copiedFile(path: string, wanted: ReadPart): Promise<Buffer | undefined> {
  return (await lstat(path)).isFile() ? readRegular(path, wanted) : undefined;
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

type Direct =
  | { readonly kind: "found"; readonly hostPath: string; readonly isFile: boolean }
  | { readonly kind: "absent" }
  /** In the container's own layer, or behind a link or a right that this user lacks: the program knows. */
  | { readonly kind: "elsewhere" };

/** Links are left to the program: inside the container they may lead anywhere. */
async function inMounts(mounts: readonly Mount[], path: string): Promise<Direct> {
  const wanted = posix.normalize(`/${path}`);
  const mount = mounts.filter((one) => isWithin(wanted, one.path)).toSorted((a, b) => b.path.length - a.path.length)[0];
  if (mount === undefined) return { kind: "elsewhere" };
  const rest = wanted.slice(posix.normalize(mount.path).replace(/\/$/, "").length).split("/").filter(Boolean);
  let hostPath = mount.source;
  let isFile = false;
  for (const name of ["", ...rest]) {
    hostPath = name === "" ? hostPath : join(hostPath, name);
    try {
      const info = await lstat(hostPath);
      if (info.isSymbolicLink()) return { kind: "elsewhere" };
      isFile = info.isFile();
    } catch (error) {
      return { kind: isRefused(error) ? "elsewhere" : "absent" };
    }
  }
  return { kind: "found", hostPath, isFile };
}

function isWithin(path: string, folder: string): boolean {
  const base = posix.normalize(folder).replace(/\/$/, "");
  return path === base || path.startsWith(`${base}/`);
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM");
}

const MISSING =
  /could not find the file|no such container:path|could not be found|no such file or directory|not a directory/i;

async function copyOut(source: CopySource, path: string): Promise<ExportedPath | undefined> {
  const { cli, details, scratch, rootFiles } = source;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(scratch, "copy-"));
  const hostPath = join(folder, posix.basename(posix.normalize(path)) || "root");
  const dispose = (): Promise<void> => rootFiles.remove([folder]);
  // A link that is named itself stands for what it leads to; podman always sees it so.
  const follow = cli.program.name === "docker" ? ["--follow-link"] : [];
  const args = ["cp", ...follow, `${details.id}:${posix.normalize(`/${path}`)}`, hostPath];
  const reply = await cli.run(args);
  if (reply.exitCode === 0) return { hostPath, dispose };
  await rm(folder, { recursive: true, force: true });
  if (MISSING.test(reply.stderr)) return undefined;
  throw new CommandError(cli.program.name, args, reply);
}
