/** Reads a zip into a folder. */

import { type Entry, openPromise, type ZipFile } from "yauzl";
import { ArtifactError } from "../port.js";
import type { EntryTimes, SafeRoot } from "./safe-root.js";

const TYPE_MASK = 0o170000;
const LINK = 0o120000;
const FOLDER = 0o040000;
const FILE = 0o100000;
/** Made on Unix: only then the attributes hold a mode. */
const UNIX = 3;
const LINK_BYTES_MAX = 4096;

export async function unpackZip(source: string, root: SafeRoot): Promise<void> {
  const archive = await openPromise(source, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  try {
    for await (const entry of archive.eachEntry()) await unpackEntry(archive, entry, root);
  } finally {
    archive.close();
  }
  await root.finish();
}

async function unpackEntry(archive: ZipFile, entry: Entry, root: SafeRoot): Promise<void> {
  const name = entry.fileName;
  const { type, times } = attributesOf(entry);
  if (entry.isEncrypted()) throw new ArtifactError("unsupported", `the archive's entry "${name}" is encrypted`);
  if (name.endsWith("/") || type === FOLDER) return root.folder(name, times);
  if (type !== LINK && type !== FILE) {
    throw new ArtifactError("invalid", `the archive's entry "${name}" is neither file, folder nor link`);
  }
  const content = await archive.openReadStreamPromise(entry);
  // It may fail before anyone reads; who reads then hears of it.
  content.on("error", () => undefined);
  try {
    if (type === FILE) await root.file(name, content, times);
    else await root.symbolicLink(name, await shortText(content, name));
  } finally {
    content.destroy();
  }
}

function attributesOf(entry: Entry): { readonly type: number; readonly times: EntryTimes } {
  const isUnix = entry.versionMadeBy >> 8 === UNIX;
  const attributes = isUnix ? entry.externalFileAttributes >>> 16 : 0;
  const mode = attributes & 0o777;
  const type = attributes & TYPE_MASK;
  return {
    type: type === 0 ? FILE : type,
    times: { mode: mode === 0 ? (entry.fileName.endsWith("/") ? 0o755 : 0o644) : mode, mtime: entry.getLastModDate() },
  };
}

async function shortText(content: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > LINK_BYTES_MAX) throw new ArtifactError("invalid", `the link "${name}" has too long a target`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
