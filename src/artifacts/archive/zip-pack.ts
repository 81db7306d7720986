/** Writes a folder or file as a zip. */

import { createWriteStream, type ReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { openRegular } from "./read-regular.js";
import { type TreeEntry, walkTree } from "./tree.js";

const LINK_MODE = 0o120777;
const FILE_MODE = 0o100000;
const FOLDER_MODE = 0o040000;

export async function packZip(source: string, name: string, target: string): Promise<void> {
  const archive = new ZipFile();
  const output = createWriteStream(target, { flags: "wx" });
  const failed = new Promise<never>((_resolve, reject) => archive.on("error", reject));
  const written = pipeline(archive.outputStream, output);
  const outcome = Promise.race([written, failed]);
  // Heard at the end; it may fail while the tree is still being walked.
  outcome.catch(() => undefined);
  const files = new Reading();
  try {
    for await (const entry of walkTree(source, name)) addEntry(archive, entry, files);
    archive.end();
    await outcome;
  } catch (error) {
    output.destroy();
    await written.catch(() => undefined);
    await files.close();
    throw error;
  }
}

/** The file that is being read for the archive; there is one at a time. */
class Reading {
  #isClosed = false;
  #current: Promise<ReadStream | undefined> = Promise.resolve(undefined);

  open(path: string): Promise<ReadStream> {
    const opened = this.#isClosed ? Promise.reject(new Error("closed")) : this.#content(path);
    this.#current = opened.catch(() => undefined);
    return opened;
  }

  /** The archive is given up: nobody reads the file to its end, which would close it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const stream = await this.#current;
    if (stream === undefined || stream.closed) return;
    const closed = new Promise<void>((resolve) => stream.once("close", resolve));
    stream.destroy();
    await closed;
  }

  async #content(path: string): Promise<ReadStream> {
    return (await openRegular(path)).createReadStream();
  }
}

/** Files are read one after the other, when their turn comes. */
function addEntry(archive: ZipFile, { path, name, info, kind, target }: TreeEntry, files: Reading): void {
  const { mtime } = info;
  const mode = info.mode & 0o777;
  if (kind === "folder") {
    archive.addEmptyDirectory(name, { mtime, mode: mode | FOLDER_MODE });
  } else if (kind === "link") {
    archive.addBuffer(Buffer.from(target), name, { mtime, mode: LINK_MODE, compress: false });
  } else {
    archive.addReadStreamLazy(name, { mtime, mode: mode | FILE_MODE }, (give) => {
      const fail = (error: unknown): void => void archive.emit("error", error);
      files.open(path).then((content) => give(null, content.on("error", fail)), fail);
    });
  }
}
