import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleWorker } from "../testing/bundle-worker.js";
import { type Listing, readListing, temporaryFolder, writeListing } from "../testing/folder.js";
import { type RawEntry, type RawZipEntry, rawTar, rawZip } from "../testing/raw-archives.js";
import { openArchiver } from "./archiver.js";
import { isGzippedTar } from "./detect.js";
import { defaultUnpackLimits, type PackFormat, type UnpackLimits } from "./format.js";
import { packHere, unpackHere } from "./run.js";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let at: (name: string) => string;

beforeEach(async () => {
  folder = await temporaryFolder();
  at = (name) => join(folder.path, name);
});
afterEach(() => folder.remove());

const formats: readonly PackFormat[] = [
  { kind: "tar", level: -1 },
  { kind: "tar", level: 0 },
  { kind: "tar", level: 9 },
  { kind: "tar", level: -2 },
  { kind: "tar", level: 99 },
  { kind: "zip" },
];

const tree: Listing = {
  "a.txt": "a",
  empty: "",
  "sub/deep/b": "b".repeat(100_000),
  "sub/link": "-> deep/b",
  "sub/up": "-> ../a.txt",
  none: "/",
  [`${"long".repeat(40)}/${"name".repeat(30)}`]: "pax",
  ünïcode: "ü",
};

test.each(formats)("a folder survives %j", async (format) => {
  await writeListing(at("tree"), tree);
  await chmod(at("tree/a.txt"), 0o4751);
  await utimes(at("tree/a.txt"), 1000, 1_000_000);
  await packHere({ source: at("tree"), name: "tree", target: at("archive"), format });
  await unpackHere({ source: at("archive"), target: at("out"), format: format.kind });
  expect(await readListing(at("out"))).toEqual(tree);
  const info = await stat(at("out/a.txt"));
  expect([info.mode & 0o7777, info.mtimeMs]).toEqual([0o751, 1_000_000_000]);
  expect(await readdir(folder.path)).toEqual(["archive", "out", "tree"]);
});

test.each(formats)("a file survives %j", async (format) => {
  await writeFile(at("file"), "x");
  await packHere({ source: at("file"), name: "file", target: at("archive"), format });
  await unpackHere({ source: at("archive"), target: at("out"), format: format.kind });
  expect(await readFile(at("out"), "utf8")).toBe("x");
});

test("what is packed has one top-level entry with its own name, and no owner", async () => {
  await writeListing(at("tree"), { x: "1" });
  const request = { source: at("tree"), name: "named", format: { kind: "tar", level: -1 } } as const;
  await packHere({ ...request, target: at("one") });
  await packHere({ ...request, target: at("two") });
  const tar = gunzipSync(await readFile(at("one")));
  expect(tar.toString("latin1", 0, 7)).toBe("named/\0");
  expect(tar.toString("latin1", 108, 115)).toBe("000000 ");
  expect(await readFile(at("one"))).toEqual(await readFile(at("two")));
});

test("several top-level entries become a folder", async () => {
  await writeFile(
    at("archive"),
    gzipSync(
      rawTar([
        { name: "./a", content: "1" },
        { name: "b/", type: "5" },
      ]),
    ),
  );
  await unpackHere({ source: at("archive"), target: at("out"), format: "tar" });
  expect(await readListing(at("out"))).toEqual({ a: "1", b: "/" });
});

test("an archive of nothing becomes an empty folder", async () => {
  await writeFile(at("archive"), gzipSync(rawTar([])));
  await unpackHere({ source: at("archive"), target: at("out"), format: "tar" });
  expect(await readListing(at("out"))).toEqual({});
});

interface Hostile {
  readonly what: string;
  readonly entries: readonly RawEntry[];
  readonly message: string;
}

const hostileTars: readonly Hostile[] = [
  { what: "a name upwards", entries: [{ name: "../evil" }], message: 'goes upwards ("..")' },
  { what: "a name down and up", entries: [{ name: "a/../../evil" }], message: 'goes upwards ("..")' },
  { what: "an absolute name", entries: [{ name: "/tmp/evil" }], message: "absolute name" },
  { what: "a drive", entries: [{ name: "C:\\evil" }], message: "absolute name" },
  { what: "a network share", entries: [{ name: "\\\\host\\evil" }], message: "absolute name" },
  {
    what: "an absolute link, then a file through it",
    entries: [
      { name: "l", type: "2", linkname: "/tmp" },
      { name: "l/evil", content: "x" },
    ],
    message: "leaves the archive",
  },
  { what: "a link upwards", entries: [{ name: "d/l", type: "2", linkname: "../../x" }], message: "leaves the archive" },
  {
    what: "a file through an inner link",
    entries: [
      { name: "d/", type: "5" },
      { name: "l", type: "2", linkname: "d" },
      { name: "l/x", content: "x" },
    ],
    message: 'entries below "l", which is not a folder',
  },
  {
    what: "a chain of links that climbs",
    entries: [
      { name: "d/e/", type: "5" },
      { name: "d/e/root", type: "2", linkname: "../.." },
      { name: "d/e/out", type: "2", linkname: "root/../x" },
    ],
    message: "leaves the archive",
  },
  {
    what: "a hard link outside",
    entries: [{ name: "h", type: "1", linkname: "/etc/passwd" }],
    message: "absolute name",
  },
  { what: "a hard link upwards", entries: [{ name: "h", type: "1", linkname: "../x" }], message: "goes upwards" },
  {
    what: "a hard link to a link",
    entries: [
      { name: "f", content: "1" },
      { name: "l", type: "2", linkname: "f" },
      { name: "h", type: "1", linkname: "l" },
    ],
    message: "not to a file of the archive",
  },
  {
    what: "a hard link through a link",
    entries: [
      { name: "d/f", content: "1" },
      { name: "l", type: "2", linkname: "d" },
      { name: "h", type: "1", linkname: "l/f" },
    ],
    message: 'entries below "l"',
  },
  { what: "a device", entries: [{ name: "n", type: "3" }], message: "is a character-device" },
  { what: "a pipe", entries: [{ name: "p", type: "6" }], message: "is a fifo" },
  { what: "no name", entries: [{ name: ".", content: "x" }], message: "names its root" },
  {
    what: "a file in a folder's place",
    entries: [
      { name: "a/", type: "5" },
      { name: "a", content: "x" },
    ],
    message: 'both a folder and something else as "a"',
  },
];

test.each(hostileTars)("hostile tar: $what", async ({ entries, message }) => {
  await mkdir(at("in"));
  await writeFile(at("archive"), gzipSync(rawTar(entries)));
  await expect(unpackHere({ source: at("archive"), target: at("in/out"), format: "tar" })).rejects.toMatchObject({
    name: "ArtifactError",
    code: "invalid",
    message: expect.stringContaining(message),
  });
  expect(await readListing(folder.path)).toMatchObject({ in: "/" });
  expect(await readdir(folder.path)).toEqual(["archive", "in"]);
});

test("links that stay inside are kept, hard ones are files, later entries count, setuid goes", async () => {
  const entries: readonly RawEntry[] = [
    { name: "top/d/f", content: "1", mode: 0o6755 },
    { name: "top/l", type: "2", linkname: "d/f" },
    { name: "top/h", type: "1", linkname: "top/d/f" },
    { name: "top/./h", type: "1", linkname: "top/h" },
    { name: "top/x", type: "2", linkname: "d" },
    { name: "top/x", content: "now a file" },
    { name: "top/d/", type: "5", mode: 0o500 },
  ];
  await writeFile(at("archive"), rawTar(entries));
  await unpackHere({ source: at("archive"), target: at("out"), format: "tar" });
  expect(await readListing(at("out"))).toEqual({ "d/f": "1", l: "-> d/f", h: "1", x: "now a file" });
  expect((await lstat(at("out/d/f"))).mode & 0o7777).toBe(0o755);
  expect((await lstat(at("out/d"))).mode & 0o777).toBe(0o700);
});

const hostileZips: readonly (Omit<Hostile, "entries"> & { readonly entries: readonly RawZipEntry[] })[] = [
  { what: "a name upwards", entries: [{ name: "../evil" }], message: "invalid relative path" },
  { what: "an absolute name", entries: [{ name: "/evil" }], message: "absolute path" },
  { what: "backslashes upwards", entries: [{ name: "a\\..\\..\\evil" }], message: "invalid relative path" },
  {
    what: "a link that leaves",
    entries: [{ name: "l", mode: 0o120777, content: "/etc" }],
    message: "leaves the archive",
  },
  {
    what: "a file through a link",
    entries: [
      { name: "d/", mode: 0o040755 },
      { name: "l", mode: 0o120777, content: "d" },
      { name: "l/x", content: "x" },
    ],
    message: 'entries below "l"',
  },
  { what: "a device", entries: [{ name: "n", mode: 0o020666 }], message: "neither file, folder nor link" },
  {
    what: "a wrong size",
    entries: [{ name: "f", content: "x".repeat(100), claimedSize: 5 }],
    message: "too many bytes",
  },
];

test.each(hostileZips)("hostile zip: $what", async ({ entries, message }) => {
  await mkdir(at("in"));
  await writeFile(at("archive"), rawZip(entries));
  await expect(unpackHere({ source: at("archive"), target: at("in/out"), format: "zip" })).rejects.toMatchObject({
    name: "ArtifactError",
    message: expect.stringContaining(message),
  });
  expect(await readdir(folder.path)).toEqual(["archive", "in"]);
  expect(await readdir(at("in"))).toEqual([]);
});

const tight: UnpackLimits = {
  ...defaultUnpackLimits,
  bytesMax: 10_000,
  entriesMax: 5,
  ratioFromBytes: 1000,
  ratioMax: 4,
};

test.each<{
  readonly what: string;
  readonly entries: readonly RawEntry[];
  readonly limits: UnpackLimits;
  readonly message: string;
}>([
  {
    what: "too many entries",
    entries: Array.from({ length: 6 }, (_, index) => ({ name: `f${index}` })),
    limits: tight,
    message: "more than 5 entries",
  },
  {
    what: "too many bytes",
    entries: [{ name: "f", content: "x".repeat(11_000) }],
    limits: { ...tight, ratioMax: 1e9 },
    message: "more than 10000 bytes",
  },
  {
    what: "a bomb",
    entries: [{ name: "f", content: "x".repeat(9000) }],
    limits: tight,
    message: "more than 4 times its size",
  },
])("limits: $what", async ({ entries, limits, message }) => {
  await writeFile(at("archive"), gzipSync(rawTar(entries)));
  await expect(unpackHere({ source: at("archive"), target: at("out"), format: "tar", limits })).rejects.toMatchObject({
    code: "too-large",
    message: expect.stringContaining(message),
  });
  expect(await readdir(folder.path)).toEqual(["archive"]);
});

test("limits: too deep, too long a name", async () => {
  const deep: RawEntry = { name: `${"a/".repeat(40)}x` };
  await writeFile(at("archive"), rawTar([deep]));
  const request = { source: at("archive"), target: at("out"), format: "tar" } as const;
  await expect(unpackHere({ ...request, limits: { ...tight, depthMax: 40 } })).rejects.toThrow("lies too deep");
  await expect(unpackHere({ ...request, limits: { ...tight, nameBytesMax: 40 } })).rejects.toThrow("too long a name");
});

test.each<readonly [what: string, bytes: Buffer]>([
  ["cut short", gzipSync(rawTar([{ name: "f", content: "x".repeat(5000) }])).subarray(0, 40)],
  ["no tar", gzipSync(Buffer.from("text".repeat(1000)))],
  ["noise", Buffer.from("noise".repeat(1000))],
])("a broken archive is an error: %s", async (_what, bytes) => {
  await writeFile(at("archive"), bytes);
  for (const format of ["tar", "zip"] as const) {
    await expect(unpackHere({ source: at("archive"), target: at("out"), format })).rejects.toMatchObject({
      name: "ArtifactError",
    });
  }
  expect(await readdir(folder.path)).toEqual(["archive"]);
});

test.each<readonly [what: string, bytes: Buffer, isTar: boolean]>([
  ["a gzipped tar", gzipSync(rawTar([{ name: "f" }])), true],
  ["a tar", rawTar([{ name: "f" }]), false],
  ["gzipped text", gzipSync(Buffer.from("text".repeat(1000))), false],
  ["gzipped nothing", gzipSync(Buffer.alloc(0)), false],
  ["something that begins like gzip", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), false],
  ["an empty file", Buffer.alloc(0), false],
])("unasked, only a gzipped tar is unpacked: %s", async (_what, bytes, isTar) => {
  await writeFile(at("file"), bytes);
  expect(await isGzippedTar(at("file"))).toBe(isTar);
});

test("packing fails in words where something cannot be read, and leaves no archive", async () => {
  const format: PackFormat = { kind: "tar", level: -1 };
  const packing = packHere({ source: at("none"), name: "x", target: at("archive"), format });
  await expect(packing).rejects.toMatchObject({ code: "not-found" });
  expect(await readdir(folder.path)).toEqual([]);
});

/** Files below the folder that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const files = await readdir("/proc/self/fd");
  const paths = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => "")));
  return paths.filter((path) => path.startsWith(folder.path));
}

const bothKinds: readonly PackFormat[] = [{ kind: "tar", level: -1 }, { kind: "zip" }];

test.runIf(process.platform === "linux").each(bothKinds)(
  "an archive that cannot be written: its own words, and no file stays open, %j",
  async (format) => {
    await writeListing(at("tree"), { a: "a".repeat(1_000_000), b: "b".repeat(1_000_000) });
    const packing = packHere({ source: at("tree"), name: "tree", target: at("none/archive"), format });
    await expect(packing).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining("none/archive"),
    });
    expect(await openFiles()).toEqual([]);
  },
);

test.runIf(process.platform === "linux")("a file that fails while it is read is an error of the zip", async () => {
  // Opens as a regular file, and has no byte at its beginning that could be read.
  const packing = packHere({ source: "/proc/self/mem", name: "mem", target: at("archive"), format: { kind: "zip" } });
  await expect(packing).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("EIO") });
  expect(await readdir(folder.path)).toEqual([]);
});

// It says that it has 4096 bytes, and has fewer: as a file that is cut while it is read.
const shorter = "/sys/kernel/uevent_seqnum";

test.runIf(existsSync(shorter))("a file that becomes shorter while it is packed is named", async () => {
  const packing = packHere({ source: shorter, name: "x", target: at("archive"), format: { kind: "tar", level: 0 } });
  await expect(packing).rejects.toMatchObject({ message: expect.stringContaining(`${shorter} became shorter`) });
  expect(await readdir(folder.path)).toEqual([]);
});

test("large trees go through the thread, and come back the same; its errors too", { timeout: 60_000 }, async () => {
  const archiver = openArchiver({ worker: await bundleWorker(folder.path) });
  const large = Object.fromEntries(Array.from({ length: 220 }, (_, index) => [`d${index % 7}/f${index}`, `${index}`]));
  await writeListing(at("tree"), large);
  for (const format of [{ kind: "tar", level: -1 }, { kind: "zip" }] as const) {
    const archive = at(`archive-${format.kind}`);
    await archiver.pack({ source: at("tree"), name: "tree", target: archive, format });
    await archiver.unpack({ source: archive, target: at(`out-${format.kind}`), format: format.kind });
    expect(await readListing(at(`out-${format.kind}`))).toEqual(large);
  }
  await writeFile(at("noise"), Buffer.alloc(100_000, 7));
  await expect(archiver.unpack({ source: at("noise"), target: at("out"), format: "tar" })).rejects.toMatchObject({
    name: "ArtifactError",
    message: expect.stringContaining("cannot be unpacked"),
  });
  await archiver.close();
});

test("a thread that cannot run fails what it was asked, and the next one is asked anew", async () => {
  await writeFile(at("broken.mjs"), "throw new Error('cannot start');");
  const archiver = openArchiver({ worker: pathToFileURL(at("broken.mjs")) });
  await writeFile(at("archive"), Buffer.alloc(100_000, 7));
  for (const target of [at("one"), at("two")]) {
    const unpacking = archiver.unpack({ source: at("archive"), target, format: "tar" });
    await expect(unpacking).rejects.toMatchObject({ name: "ArtifactError", message: "cannot start" });
  }
  await archiver.close();
});
