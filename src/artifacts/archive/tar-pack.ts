/** Writes a folder or file as a gzipped tar. */

import { createWriteStream, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip, type Gzip, constants as zlib } from "node:zlib";
import { type Header, type Pack, pack } from "tar-stream";
import { ArtifactError } from "../port.js";
import { openRegular } from "./read-regular.js";
import { type TreeEntry, walkTree } from "./tree.js";

export interface TarRequest {
  readonly source: string;
  readonly name: string;
  readonly target: string;
  readonly level: number;
}

type EntryHeader = Partial<Header> & Pick<Header, "name">;

const HUFFMAN_ONLY = -2;

export async function packTar({ source, name, target, level }: TarRequest): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, gzipOf(level), createWriteStream(target, { flags: "wx" }));
  // Heard below; a failure of the disk must not be unhandled while an entry is still being read.
  written.catch(() => undefined);
  try {
    // A failure of the disk ends the archive, and with it the entry that is just being added.
    for await (const entry of walkTree(source, name)) await addEntry(archive, entry);
    archive.finalize();
  } catch (error) {
    archive.destroy(error instanceof Error ? error : undefined);
    // What ended it first: of a full disk the entry only knows that its archive is gone.
    await written;
    throw error;
  }
  await written;
}

function gzipOf(level: number): Gzip {
  if (level === HUFFMAN_ONLY) return createGzip({ strategy: zlib.Z_HUFFMAN_ONLY });
  return createGzip({ level: Math.max(-1, Math.min(9, Math.trunc(level))) });
}

async function addEntry(archive: Pack, { path, name, info, kind, target }: TreeEntry): Promise<void> {
  switch (kind) {
    case "folder":
      return addEmpty(archive, { ...headerOf(`${name}/`, info), type: "directory" });
    case "link":
      return addEmpty(archive, { ...headerOf(name, info), type: "symlink", linkname: target });
    case "file":
      return addFile(archive, path, name);
  }
}

function addEmpty(archive: Pack, header: EntryHeader): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(header, (error) => (error ? reject(error) : resolve())).on("error", told);
  });
}

/** So many bytes as the file had when it was opened: a step's background process may still write. */
async function addFile(archive: Pack, path: string, name: string): Promise<void> {
  const handle = await openRegular(path);
  try {
    const info = await handle.stat();
    const header: EntryHeader = { ...headerOf(name, info), type: "file", size: info.size };
    if (info.size === 0) return await addNothing(archive, header);
    const content = wholeContent(handle, info.size, path);
    await new Promise<void>((resolve, reject) => {
      const entry = archive.entry(header, (error) => (error ? reject(error) : resolve())).on("error", told);
      copyInto(entry, content).catch(reject);
    });
  } finally {
    await handle.close();
  }
}

/** A file without content: its entry is not over before it is told so. */
function addNothing(archive: Pack, header: EntryHeader): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry(header, "", (error) => (error ? reject(error) : resolve())).on("error", told);
  });
}

/** An entry whose archive ends says so by its callback, and once more as an event that somebody has to hear. */
function told(): void {
  // Its promise is rejected.
}

/** Its header is written: a file that became shorter meanwhile cannot be packed any more. */
async function* wholeContent(handle: FileHandle, size: number, path: string): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const chunk of handle.createReadStream({ start: 0, end: size - 1, autoClose: false })) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new ArtifactError("failed", `${path} became shorter while it was read`);
}

type PackedFile = ReturnType<Pack["entry"]>;

async function copyInto(entry: PackedFile, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content) if (!entry.write(chunk)) await drainOf(entry);
  entry.end(null);
}

function drainOf(entry: PackedFile): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      entry.off("drain", done);
      entry.off("close", done);
      resolve();
    };
    entry.on("drain", done);
    entry.on("close", done);
  });
}

/** Owners of this machine mean nothing on another. */
function headerOf(name: string, info: Stats): EntryHeader {
  return { name, mode: info.mode & 0o777, mtime: info.mtime, uid: 0, gid: 0 };
}
