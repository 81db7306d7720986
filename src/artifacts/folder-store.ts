/** Artifacts as files and folders below one folder of this machine. */

import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Artifact } from "../core/model/argo/artifact.js";
import type { Result } from "../core/std/result.js";
import { copyTree } from "./copy-tree.js";
import { INCOMING, makeScratch } from "./incoming.js";
import { ArtifactError, type ArtifactStore, artifactErrorOf, errnoOf, type PutMode } from "./port.js";

export interface FolderStoreOptions {
  /** Made when something is put there. */
  readonly folder: string;
  /** Relative path of an artifact, without `..`; or what is wrong with its location. */
  readonly pathOf: (artifact: Artifact) => Result<string>;
  /** What to tell a person who asks for an artifact that is not there. */
  readonly missing: (artifact: Artifact, path: string) => string;
}

/** Of puts to one key at once each may find what another has just put. */
const REPLACE_TRIES = 20;

export class FolderStore implements ArtifactStore {
  readonly #options: FolderStoreOptions;

  constructor(options: FolderStoreOptions) {
    this.#options = options;
  }

  async put(artifact: Artifact, hostPath: string, mode: PutMode = "copy"): Promise<void> {
    const target = this.#locate(artifact);
    try {
      const own = await this.scratch();
      try {
        const content = join(own, "content");
        await bring(hostPath, content, mode);
        await flush(content);
        await mkdir(dirname(target), { recursive: true });
        await replace(content, target, own);
        await flush(dirname(target));
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    } catch (error) {
      throw artifactErrorOf(error, `${artifact.name} cannot be put to ${target}`);
    }
  }

  async get(artifact: Artifact, hostPath: string): Promise<void> {
    const path = await this.find(artifact);
    try {
      await copyTree(path, hostPath);
    } catch (error) {
      throw artifactErrorOf(error, `${artifact.name} cannot be read from ${path}`);
    }
  }

  /** The file or folder of this machine that the artifact is, to be read only. Rejects with {@link ArtifactError}. */
  async find(artifact: Artifact): Promise<string> {
    const path = this.#locate(artifact);
    try {
      const [root, real] = await Promise.all([realpath(this.#options.folder), realpath(path)]);
      if (!real.startsWith(`${root}/`)) throw new ArtifactError("invalid", `${path} leads out of its store`);
      return real;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== "ENOENT" && errno !== "ENOTDIR") throw artifactErrorOf(error, `${artifact.name} cannot be read`);
      throw new ArtifactError("not-found", this.#options.missing(artifact, path));
    }
  }

  /** {@link makeScratch} of this store. */
  scratch(): Promise<string> {
    return makeScratch(this.#options.folder);
  }

  #locate(artifact: Artifact): string {
    const path = this.#options.pathOf(artifact);
    if (!path.ok) throw new ArtifactError("invalid", path.error);
    if (path.value === INCOMING || path.value.startsWith(`${INCOMING}/`)) {
      throw new ArtifactError("invalid", `the key "${path.value}" is the store's own`);
    }
    return join(this.#options.folder, path.value);
  }
}

/** By renaming where that is allowed and the source lies on the same file system. */
async function bring(source: string, target: string, mode: PutMode): Promise<void> {
  if (mode === "move") {
    try {
      await rename(source, target);
      return;
    } catch (error) {
      if (errnoOf(error) !== "EXDEV") throw error;
    }
  }
  await copyTree(source, target);
}

/** Over whatever is there. A folder cannot be exchanged in one step: between two there may be nothing. */
async function replace(content: string, target: string, own: string): Promise<void> {
  for (let left = REPLACE_TRIES; ; left--) {
    try {
      return await rename(content, target);
    } catch (error) {
      const occupied = ["ENOTEMPTY", "EEXIST", "EISDIR", "ENOTDIR"].includes(errnoOf(error) ?? "");
      if (!occupied || left === 0) throw error;
      await rename(target, join(own, `replaced-${left}`)).catch((gone: unknown) => {
        if (errnoOf(gone) !== "ENOENT") throw gone;
      });
    }
  }
}

/** A single file, or the entry list of a folder: what a crash of the machine could take from under a saved status. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a folder.
    if (!(await stat(path)).isDirectory()) throw error;
  } finally {
    await handle.close();
  }
}
