/** Reads an output artifact as it lies in its store: for `cp`, and for whoever shows it. */

import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Artifact, ArtifactDriver, ArtifactLocation } from "../core/model/argo/artifact.js";
import type { Archiver } from "./archive/index.js";
import { completeLocation, driverOf, keyOf } from "./locate.js";
import { isInPlace, placeRepository } from "./place.js";
import { ArtifactError } from "./port.js";
import { type FolderStores, folderOf, folderStoresOf, type StoresOptions, storesOf } from "./stores.js";

export interface OpenedArtifact {
  /** Last part of its key; a folder, which comes as a tar, with `.tgz` behind it. */
  readonly fileName: string;
  /** `fs` for one in the place's own folder. */
  readonly driver: ArtifactDriver | "fs";
  /** To be read once; what was made for it is removed when reading ends or is given up. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ArtifactReader {
  /**
   * `defaults`: the rest of the location where the artifact names a key alone (the workflow's or template's archive
   * location, or its repository); left out: the place. Rejects with {@link ArtifactError}, code `not-found` among others.
   */
  open(artifact: Artifact, defaults?: ArtifactLocation): Promise<OpenedArtifact>;
}

export function artifactReader(options: StoresOptions, archiver: Archiver): ArtifactReader {
  const stores = storesOf(options);
  const folders = folderStoresOf(options);
  return {
    open: async (artifact, defaults = placeRepository) => {
      const whole = completeLocation(artifact, defaults);
      const driver = isInPlace(whole) ? "fs" : driverOf(whole);
      if (driver === undefined) throw new ArtifactError("not-found", `artifact ${artifact.name} has no location`);
      const fileName = basename(keyOf(whole) ?? artifact.name) || artifact.name;
      const folder = folderOf(folders, whole);
      if (folder !== undefined) {
        const path = await folder.find(whole);
        if (!(await stat(path)).isDirectory()) return { driver, fileName, bytes: createReadStream(path) };
        return { driver, fileName: `${fileName}.tgz`, bytes: await packed({ path, fileName, folders, archiver }) };
      }
      const scratch = await folders.place.scratch();
      try {
        await stores(whole)?.get(whole, join(scratch, "content"));
        return { driver, fileName, bytes: readOnce(join(scratch, "content"), scratch) };
      } catch (error) {
        await rm(scratch, { recursive: true, force: true });
        throw error;
      }
    },
  };
}

interface Packing {
  readonly path: string;
  readonly fileName: string;
  readonly folders: FolderStores;
  readonly archiver: Archiver;
}

async function packed({ path, fileName, folders, archiver }: Packing): Promise<AsyncIterable<Uint8Array>> {
  const scratch = await folders.place.scratch();
  const target = join(scratch, "content");
  try {
    await archiver.pack({ source: path, name: fileName, target, format: { kind: "tar", level: -1 } });
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
  return readOnce(target, scratch);
}

async function* readOnce(path: string, scratch: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
