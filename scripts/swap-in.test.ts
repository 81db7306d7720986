import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type SwapOptions, swapIn } from "./swap-in.js";

async function builds() {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-build-"));
  const target = join(folder, "dist");
  const swap = async (name: string, before: SwapOptions["before"] = "kept until the next build"): Promise<void> => {
    const fresh = join(folder, `dist.${name}`);
    await mkdir(fresh);
    await writeFile(join(fresh, "entry.js"), `chunk-${name}.js`);
    await writeFile(join(fresh, `chunk-${name}.js`), name);
    await writeFile(join(fresh, "worker.cjs"), name);
    await swapIn({ fresh, target, entry: "entry.js", before });
  };
  /** As Node starts the program: the entry, then what it names. */
  const start = async (): Promise<string> =>
    readFile(join(target, await readFile(join(target, "entry.js"), "utf8")), "utf8");
  return { folder, target, swap, start };
}

test("who starts the program while it is built finds the old or the new build, whole", async () => {
  const { folder, target, swap, start } = await builds();
  await swap("a");
  const started = new Set<string>();
  let isOver = false;
  const starting = (async () => {
    while (!isOver) started.add(await start());
  })();
  for (const name of ["b", "c", "d", "e", "f", "g"]) await swap(name);
  isOver = true;
  await starting;
  expect(started.size).toBeGreaterThan(1);
  expect(await start()).toBe("g");
  expect(await readdir(folder)).toEqual(["dist"]);
  expect((await readdir(target)).sort()).toEqual(["chunk-f.js", "chunk-g.js", "entry.js", "worker.cjs"]);
});

test("what is left of the build before goes at once where the folder is to be packed", async () => {
  const { target, swap } = await builds();
  await swap("a");
  await swap("b", "removed");
  expect((await readdir(target)).sort()).toEqual(["chunk-b.js", "entry.js", "worker.cjs"]);
});
