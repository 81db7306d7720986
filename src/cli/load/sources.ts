/** Manifest arguments -> texts: files, folders, addresses, stdin. What cannot be read is a problem, not an exception. */

import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { nearestName, textLengthMax } from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import type { Ports } from "../ports.js";

export interface SourceText {
  /** Absolute path, address, or `stdin`: as positions name it. */
  readonly file: string;
  readonly text: string;
  readonly origin: "file" | "folder" | "pipe" | "url";
}

export interface Sources {
  readonly texts: readonly SourceText[];
  readonly problems: readonly Problem[];
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);
const SKIPPED_FOLDERS = new Set(["node_modules", ".git", ".terraform", ".venv"]);
/** Who names a folder with more has named another than was meant: it would be read for minutes. */
const FILES_MAX = 5000;

/** In the order given; the files of a folder by name. */
export async function readSources(ports: Ports, names: readonly string[]): Promise<Sources> {
  const texts: SourceText[] = [];
  const problems: Problem[] = [];
  for (const name of names) {
    const read = await readOne(ports, name);
    texts.push(...read.texts);
    problems.push(...read.problems);
  }
  return { texts, problems };
}

async function readOne(ports: Ports, name: string): Promise<Sources> {
  if (name === "-") return readStdin(ports);
  if (isAddress(name)) return readUrl(ports, name);
  const path = resolve(ports.cwd, name);
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await readFolder(path, name);
    const origin = found.isFile() ? "file" : "pipe";
    return fromRead(await readText(path), { path, name, origin });
  } catch (error) {
    const reason = reasonOf(error);
    const hint = reason === REASONS["ENOENT"] ? await nearbyHint(path, name) : undefined;
    return refuse("no-file", `${name}: ${reason}`, hint);
  }
}

export function isAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/** The text of a flag that takes one file; undefined with what is wrong with it. */
export async function readSingle(
  ports: Ports,
  name: string,
): Promise<{ readonly source: SourceText | undefined; readonly problem: Problem | undefined }> {
  const { texts, problems } = await readSources(ports, [name]);
  const [source] = texts;
  if (source?.origin !== "folder") return { source, problem: problems[0] };
  return { source: undefined, problem: problemOf("no-file", `${name}: is a folder`) };
}

export interface ManifestFiles {
  readonly files: readonly string[];
  /** There are more, which were not looked for. */
  readonly isCutOff: boolean;
}

/** Every manifest below a folder, by name; folders of other tools are left out. */
export async function manifestFiles(folder: string): Promise<ManifestFiles> {
  const files: string[] = [];
  const open = [folder];
  for (let next = open.shift(); next !== undefined && files.length <= FILES_MAX; next = open.shift()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) open.push(path);
      } else if (EXTENSIONS.has(extname(entry.name)) && (await isFile(path, entry))) files.push(path);
    }
  }
  return { files: files.slice(0, FILES_MAX), isCutOff: files.length > FILES_MAX };
}

/** Also behind a link. Editors leave links that lead nowhere (`.#ci.yaml`), and who reads a pipe waits for its writer. */
async function isFile(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

async function readFolder(path: string, name: string): Promise<Sources> {
  const { files, isCutOff } = await manifestFiles(path);
  if (isCutOff) {
    const message = `${name}: more than ${FILES_MAX} .yaml, .yml and .json files are in this folder`;
    return refuse("too-large", message, "name the files or folders in it that are meant");
  }
  if (files.length === 0) return refuse("no-file", `${name}: no .yaml, .yml or .json file in this folder`);
  const texts: SourceText[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    const read = await readInFolder(file, join(name, relative(path, file)));
    texts.push(...read.texts);
    problems.push(...read.problems);
  }
  return { texts, problems };
}

async function readInFolder(path: string, name: string): Promise<Sources> {
  try {
    return fromRead(await readText(path), { path, name, origin: "folder" });
  } catch (error) {
    return refuse("no-file", `${name}: ${reasonOf(error)}`);
  }
}

type ReadText = { readonly text: string } | { readonly tooLarge: true };

/** Of a pipe or device nobody knows the size before it was read. */
export async function readText(path: string): Promise<ReadText> {
  const handle = await open(path);
  try {
    if ((await handle.stat()).size > BYTES_MAX) return { tooLarge: true };
    return await textOf(handle.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 }));
  } finally {
    await handle.close();
  }
}

const BYTES_MAX = textLengthMax * 2;

/** Reads no further than a manifest can be. */
async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<ReadText> {
  const taken: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    taken.push(chunk);
    length += chunk.length;
    if (length > BYTES_MAX) return { tooLarge: true };
  }
  const text = decodeText(Buffer.concat(taken));
  return text.length > textLengthMax ? { tooLarge: true } : { text };
}

/**
 * UTF-8 text, or UTF-16 with a byte order mark (as Windows' own editors write it); bytes that are neither become U+FFFD, which
 * the reader of documents refuses.
 */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.toString("utf8");
}

function fromRead(
  read: ReadText,
  { path, name, origin }: { readonly path: string; readonly name: string; readonly origin: SourceText["origin"] },
): Sources {
  if ("tooLarge" in read) {
    const size = `larger than ${textLengthMax / 1024 / 1024} MB: a manifest is never that large`;
    return refuse("too-large", `${name}: ${size}`);
  }
  return { texts: [{ file: path, text: read.text, origin }], problems: [] };
}

async function readStdin(ports: Ports): Promise<Sources> {
  return fromRead(await textOf(ports.stdin.read()), { path: "stdin", name: "stdin", origin: "pipe" });
}

const URL_TIMEOUT_MS = 30_000;

async function readUrl(ports: Ports, url: string): Promise<Sources> {
  const abort = new AbortController();
  const timer = ports.clock.after(URL_TIMEOUT_MS, () => abort.abort());
  try {
    const response = await fetch(url, { signal: abort.signal, redirect: "follow" });
    if (!response.ok) return refuse("no-file", `${url}: the server answered ${response.status} ${response.statusText}`);
    const read = response.body === null ? { text: "" } : await textOf(response.body);
    return fromRead(read, { path: url, name: url, origin: "url" });
  } catch (error) {
    const reason = abort.signal.aborted ? "no answer within 30 s" : networkReason(error);
    return refuse("no-file", `${url}: ${reason}`);
  } finally {
    timer.cancel();
    // Of what was not read to its end, no more is sent.
    abort.abort();
  }
}

function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function refuse(code: "no-file" | "too-large", message: string, hint?: string): Sources {
  return { texts: [], problems: [problemOf(code, message, hint)] };
}

function problemOf(code: "no-file" | "too-large", message: string, hint?: string): Problem {
  return { code, severity: "error", path: "", message, ...(hint === undefined ? {} : { hint }) };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  EISDIR: "is a folder",
  ELOOP: "a symbolic link that leads back to itself",
  ENXIO: "is a socket, not a file",
};

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return REASONS[code] ?? error.message;
}

/** The file that was meant, among those in the same folder. */
async function nearbyHint(path: string, name: string): Promise<string | undefined> {
  const beside = await readdir(dirname(path)).catch(() => []);
  const stemOf = (file: string): string => file.slice(0, file.length - extname(file).length);
  const last = basename(name);
  const files = beside.filter((entry) => EXTENSIONS.has(extname(entry)) && entry !== last);
  // Endings are alike by themselves: they make no name a near one.
  const stem = nearestName(stemOf(last), files.map(stemOf));
  const near = files.find((file) => stemOf(file) === stem);
  return near === undefined ? undefined : `did you mean "${join(dirname(name), near)}"?`;
}
