/** Writes a folder or file as a zip. */

import { createWriteStream } from "node:fs";
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
  const failed = new Promise<never>((_resolve, reject) => archive.once("error", reject));
  const written = pipeline(archive.outputStream, output);
  const outcome = Promise.race([written, failed]);
  // Heard at the end; it may fail while the tree is still being walked.
  outcome.catch(() => undefined);
  try {
    for await (const entry of walkTree(source, name)) addEntry(archive, entry);
    archive.end();
    await outcome;
  } catch (error) {
    output.destroy();
    await written.catch(() => undefined);
    throw error;
  }
}

/** Files are read one after the other, when their turn comes. */
function addEntry(archive: ZipFile, { path, name, info, kind, target }: TreeEntry): void {
  const { mtime } = info;
  const mode = info.mode & 0o777;
  if (kind === "folder") {
    archive.addEmptyDirectory(name, { mtime, mode: mode | FOLDER_MODE });
  } else if (kind === "link") {
    archive.addBuffer(Buffer.from(target), name, { mtime, mode: LINK_MODE, compress: false });
  } else {
    archive.addReadStreamLazy(name, { mtime, mode: mode | FILE_MODE }, (give) => {
      openRegular(path).then(
        (handle) => give(null, handle.createReadStream()),
        (error: unknown) => archive.emit("error", error),
      );
    });
  }
}
