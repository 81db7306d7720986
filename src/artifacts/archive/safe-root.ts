/**
 * Writes an archive's entries below one folder that nobody else writes to. Whatever names and links the archive holds, nothing
 * is made or changed outside that folder: parents are real folders, files are made new, links stay inside.
 */

import { constants, type Stats } from "node:fs";
import { chmod, link, lstat, mkdir, open, rm, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { linkLeaves } from "../links.js";
import { ArtifactError } from "../port.js";
import type { UnpackLimits } from "./format.js";

export interface EntryTimes {
  readonly mode: number;
  readonly mtime: Date | undefined;
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export class SafeRoot {
  readonly #root: string;
  readonly #limits: UnpackLimits;
  readonly #packedBytes: number;
  /** Folders that are known to be real. */
  readonly #folders = new Set<string>([""]);
  /** Set last, so that a read-only folder can be filled and a folder's time is its own. */
  readonly #folderTimes = new Map<string, EntryTimes>();
  #entries = 0;
  #bytes = 0;

  /** `root` exists, is empty, and no one else writes to it. */
  constructor(root: string, packedBytes: number, limits: UnpackLimits) {
    this.#root = root;
    this.#packedBytes = packedBytes;
    this.#limits = limits;
  }

  async folder(name: string, times: EntryTimes): Promise<void> {
    const path = this.#admit(name);
    if (path === "") return;
    await this.#makeFolder(path);
    this.#folderTimes.set(path, times);
  }

  async file(name: string, content: AsyncIterable<Uint8Array>, times: EntryTimes): Promise<void> {
    const path = await this.#vacate(name);
    const handle = await open(join(this.#root, path), CREATE, 0o600);
    try {
      for await (const chunk of content) {
        this.#count(chunk.length);
        await handle.writeFile(chunk);
      }
      await handle.chmod(times.mode & 0o777);
      if (times.mtime !== undefined) await handle.utimes(times.mtime, times.mtime);
    } finally {
      await handle.close();
    }
  }

  async symbolicLink(name: string, target: string): Promise<void> {
    const path = await this.#vacate(name);
    const depth = path.split("/").length - 1;
    if (linkLeaves(target, depth)) {
      throw new ArtifactError("invalid", `the link ${name} -> ${target} leaves the archive`);
    }
    await symlink(target, join(this.#root, path));
  }

  /** To a file that came before. */
  async hardLink(name: string, target: string): Promise<void> {
    const source = this.#pathOf(target);
    await this.#requireFolders(dirnameOf(source));
    const info = await this.#look(source);
    if (info?.isFile() !== true) {
      throw new ArtifactError("invalid", `the hard link ${name} -> ${target} is not to a file of the archive`);
    }
    // Written so by tar for a file that it was given twice: the file is there.
    if (this.#pathOf(name) === source) return;
    const path = await this.#vacate(name);
    await link(join(this.#root, source), join(this.#root, path));
  }

  /** After the last entry. */
  async finish(): Promise<void> {
    const deepestFirst = [...this.#folderTimes].sort(([a], [b]) => b.length - a.length);
    for (const [path, { mode, mtime }] of deepestFirst) {
      const whole = join(this.#root, path);
      // A later entry may have put something else in the folder's place.
      if ((await this.#look(path))?.isDirectory() !== true) continue;
      await chmod(whole, (mode & 0o777) | 0o700);
      if (mtime !== undefined) await utimes(whole, mtime, mtime);
    }
  }

  /** A name that may be used, as a relative path. */
  #admit(name: string): string {
    this.#entries += 1;
    const { entriesMax } = this.#limits;
    if (this.#entries > entriesMax)
      throw new ArtifactError("too-large", `the archive has more than ${entriesMax} entries`);
    return this.#pathOf(name);
  }

  #pathOf(name: string): string {
    const { nameBytesMax, depthMax } = this.#limits;
    const fail = (why: string): never => {
      throw new ArtifactError("invalid", `the archive's entry "${name.slice(0, 200)}" ${why}`);
    };
    if (Buffer.byteLength(name) > nameBytesMax) fail("has too long a name");
    if (name.startsWith("/") || /^[A-Za-z]:[\\/]/.test(name) || name.startsWith("\\\\")) fail("has an absolute name");
    if (name.includes("\0")) fail("has a NUL in its name");
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.includes("..")) fail('goes upwards ("..")');
    if (parts.length > depthMax) fail("lies too deep");
    return parts.join("/");
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    const { bytesMax, ratioMax, ratioFromBytes } = this.#limits;
    if (this.#bytes > bytesMax) throw new ArtifactError("too-large", `the archive holds more than ${bytesMax} bytes`);
    if (this.#bytes > ratioFromBytes && this.#bytes > ratioMax * this.#packedBytes) {
      throw new ArtifactError("too-large", `the archive grows to more than ${ratioMax} times its size`);
    }
  }

  /** The entry's path, its parents made, and nothing there: a later entry of the same name counts. */
  async #vacate(name: string): Promise<string> {
    const path = this.#admit(name);
    if (path === "") throw new ArtifactError("invalid", `the archive's entry "${name}" names its root`);
    await this.#makeFolder(dirnameOf(path));
    const info = await this.#look(path);
    if (info?.isDirectory() === true) {
      throw new ArtifactError("invalid", `the archive has both a folder and something else as "${name}"`);
    }
    if (info !== undefined) await rm(join(this.#root, path));
    return path;
  }

  async #makeFolder(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    await this.#makeFolder(dirnameOf(path));
    const info = await this.#look(path);
    if (info === undefined) await mkdir(join(this.#root, path), { mode: 0o755 });
    else if (!info.isDirectory()) throw throughLink(path);
    this.#folders.add(path);
  }

  async #requireFolders(path: string): Promise<void> {
    if (this.#folders.has(path)) return;
    await this.#requireFolders(dirnameOf(path));
    if ((await this.#look(path))?.isDirectory() !== true) throw throughLink(path);
  }

  async #look(path: string): Promise<Stats | undefined> {
    return lstat(join(this.#root, path)).catch(() => undefined);
  }
}

function throughLink(path: string): ArtifactError {
  return new ArtifactError("invalid", `the archive has entries below "${path}", which is not a folder`);
}

function dirnameOf(path: string): string {
  const folder = dirname(path);
  return folder === "." ? "" : folder;
}
