import { spawnSync } from "node:child_process";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeScratch, sweepIncoming } from "./incoming.js";
import { readListing, temporaryFolder } from "./testing/folder.js";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const DAY_MS = 24 * 3600 * 1000;
/** Of a process that has ended. */
const deadPid = spawnSync("true").pid;

async function left(name: string): Promise<number> {
  const path = join(folder.path, ".incoming", name);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "content"), "x");
  return (await stat(join(path, "content"))).ctimeMs;
}

test("what a killed process left is removed after a day, whatever it is named after", async () => {
  const times = [await left(`put-${deadPid}-aaaaaa`), await left("put-bbbbbb")];
  await sweepIncoming(folder.path, Math.min(...times) + DAY_MS - 1);
  expect(Object.keys(await readListing(folder.path))).toHaveLength(2);
  await sweepIncoming(folder.path, Math.max(...times) + DAY_MS);
  expect(await readListing(folder.path)).toEqual({ ".incoming": "/" });
});

test("what a living process writes stays, however old it is", async () => {
  const scratch = await makeScratch(folder.path);
  const { ctimeMs } = await stat(scratch);
  await sweepIncoming(folder.path, ctimeMs + 10 * DAY_MS);
  expect((await stat(scratch)).isDirectory()).toBe(true);
});

test("a store that nobody wrote to has nothing to sweep", async () => {
  await expect(sweepIncoming(join(folder.path, "none"), 0)).resolves.toBeUndefined();
});
