/** Reads a tar, gzipped or not, into a folder. */

import { createReadStream } from "node:fs";
import { pipeline as pipe } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Extract, extract } from "tar-stream";
import { ArtifactError } from "../port.js";
import { isGzip } from "./detect.js";
import type { EntryTimes, SafeRoot } from "./safe-root.js";

export async function unpackTar(source: string, root: SafeRoot): Promise<void> {
  const file = createReadStream(source);
  const extractor = extract();
  // The reader of the entries is told of errors by the iterator; the callback only keeps them from being unheard.
  if (await isGzip(source)) pipe(file, createGunzip(), extractor, () => undefined);
  else pipe(file, extractor, () => undefined);
  try {
    for await (const entry of extractor) await unpackEntry(entry, root);
  } finally {
    file.destroy();
  }
  await root.finish();
}

type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

async function unpackEntry(entry: Entry, root: SafeRoot): Promise<void> {
  const { name, type, mode = 0o644, mtime, linkname } = entry.header;
  const times: EntryTimes = { mode, mtime };
  switch (type) {
    case "file":
    case "contiguous-file":
      return root.file(name, bytesOf(entry), times);
    case "directory":
      await root.folder(name, times);
      break;
    case "symlink":
      await root.symbolicLink(name, linkname ?? "");
      break;
    case "link":
      await root.hardLink(name, linkname ?? "");
      break;
    default:
      throw new ArtifactError("invalid", `the archive's entry "${name}" is a ${type}`);
  }
  entry.resume();
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
}
