import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { FilePart } from "../port.js";
import { readFileInView } from "./read-file.js";
import { exportFromView } from "./read-view.js";
import { normalPath, placesOf, type View } from "./view.js";

const folder = await mkdtemp(join(tmpdir(), "tiphys-view-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const machine = join(folder, "machine");

const view: View = {
  kind: "sandbox",
  folder: join(folder, "fs"),
  mounts: [
    { path: "/data", source: join(folder, "volume") },
    { path: "/data/inner", source: join(folder, "inner") },
  ],
  overlays: [machine],
  links: [],
  shared: ["/proc", join(machine, "shared")],
  own: ["/scratch"],
  moved: [],
  standIn: undefined,
};

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const upper = join(view.folder, "upper", machine);
await write(join(machine, "lower-only"), "lower");
await write(join(machine, "both"), "lower");
await write(join(upper, "both"), "upper");
await write(join(machine, "merged/a"), "a");
await write(join(upper, "merged/b"), "b");
execFileSync("/bin/sh", ["-c", 'mkfifo "$@"', "sh", join(machine, "merged/pipe"), join(upper, "merged/other-pipe")]);
await write(join(folder, "volume/file"), "volume");
await write(join(folder, "inner/file"), "inner");
await write(join(view.folder, "own/scratch/file"), "tmp");
await write(join(view.folder, "root/top"), "top");
await mkdir(join(view.folder, "root", machine), { recursive: true });
await symlink("../data/file", join(view.folder, "own/scratch/link"));
await symlink("/scratch/loop", join(view.folder, "own/scratch/loop"));

test.each([
  ["/data/file", "volume"],
  ["/data/inner/file", "inner"],
  ["/scratch/file", "tmp"],
  ["/scratch/../scratch//file", "tmp"],
  ["/scratch/link", "volume"],
  ["/top", "top"],
  [`${machine}/lower-only`, "lower"],
  [`${machine}/both`, "upper"],
  [`${machine}/merged/a`, "a"],
  [`${machine}/merged/b`, "b"],
  ["/scratch/loop", undefined],
  ["/scratch/none", undefined],
  ["/data", undefined],
])("reads %s", async (path, content) => {
  expect((await read(path, 4096))?.toString()).toBe(content);
});

function read(path: string, maxBytes: number, part?: FilePart): Promise<Buffer | undefined> {
  return readFileInView(view, path, { maxBytes, part });
}

test("of a long file no more is read than is asked for", async () => {
  const long = join(folder, "volume/long");
  await writeFile(long, "x");
  // A hole: more than can be held in memory, and nothing on the disk.
  await truncate(long, 2 ** 40);
  expect((await read("/data/long", 1_000_000))?.length).toBe(1_000_000);
  expect((await read("/data/file", 3))?.toString()).toBe("vol");
  await appendFile(long, "the end");
  expect((await read("/data/long", 5, "end"))?.toString()).toBe("e end");
  expect((await read("/data/file", 4096, "end"))?.toString()).toBe((await read("/data/file", 4096))?.toString());
});

test("a folder in two layers is exported whole, and given back", async () => {
  const exported = await exportFromView(view, `${machine}/merged`, join(folder, "scratch"));
  const path = exported?.hostPath ?? "";
  expect(await readFile(join(path, "a"), "utf8")).toBe("a");
  expect(await readFile(join(path, "b"), "utf8")).toBe("b");
  // What cannot be copied is left out, as where a folder lies in one layer.
  expect(await readdir(path)).toEqual(["a", "b"]);
  await exported?.dispose();
  await expect(readFile(join(path, "a"))).rejects.toThrow("ENOENT");
});

// Others refuse such names themselves.
test.runIf(process.platform === "linux").each([
  ["machine", join(machine, "merged")],
  ["step", join(upper, "merged")],
])("of a folder in two layers a name of the %s's that is not UTF-8 is told", async (_, layer) => {
  const file = Buffer.from(join(layer, "caf\xE9"), "latin1");
  await writeFile(file, "x");
  const exported = exportFromView(view, `${machine}/merged`, join(folder, "scratch"));
  await expect(exported).rejects.toThrow(`the name of the file caf\uFFFD in ${machine}/merged is not UTF-8; rename it`);
  await rm(file);
});

test.each([
  ["/", join(machine, "home/exports")],
  [machine, join(machine, "home/exports")],
  [join(machine, "shared"), join(machine, "shared/home/exports")],
  ["/data", join(folder, "volume/home/exports")],
])("%s, which holds the folder that it would be put together in, is no output", async (path, inside) => {
  await mkdir(join(machine, "shared"), { recursive: true });
  await expect(exportFromView(view, path, inside)).rejects.toThrow(`the folder ${path} is this machine's`);
  await expect(readdir(inside)).rejects.toThrow("ENOENT");
});

test("a folder of a volume is exported as it lies", async () => {
  const scratch = join(folder, "scratch");
  expect((await exportFromView(view, "/data/inner", scratch))?.hostPath).toBe(join(folder, "inner"));
  expect(await exportFromView(view, "/nothing", scratch)).toBeUndefined();
});

test.each([
  ["/proc/1", { upper: undefined, lower: "/proc/1" }],
  ["/dev/x", { upper: join(view.folder, "root/dev/x"), lower: undefined }],
  ["/database", { upper: join(view.folder, "root/database"), lower: undefined }],
])("%s lies where it should", (path, places) => {
  expect(placesOf(view, path)).toEqual(places);
});

test("normal paths", () => {
  expect(["/a//b/../c/.", "a", "/../..", "/"].map(normalPath)).toEqual(["/a/c", "/a", "/", "/"]);
});
