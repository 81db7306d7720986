import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeTree } from "./remove-tree.js";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tiphys-remove-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function made(name: string, make: (folder: string) => void): string {
  const folder = join(root, name);
  mkdirSync(folder);
  make(folder);
  return folder;
}

test.each<[string, (folder: string) => void]>([
  ["little", (folder) => mkdirSync(join(folder, "home/.config"), { recursive: true })],
  ["much", (folder) => Array.from({ length: 100 }, (_, index) => writeFileSync(join(folder, `${index}`), ""))],
  ["deep", (folder) => mkdirSync(join(folder, Array.from({ length: 60 }, () => "d").join("/")), { recursive: true })],
  [
    "large",
    (folder) => {
      writeFileSync(join(folder, "file"), "");
      truncateSync(join(folder, "file"), 5 * 1024 * 1024);
    },
  ],
  [
    "locked",
    (folder) => {
      mkdirSync(join(folder, "locked/inner"), { recursive: true });
      chmodSync(join(folder, "locked"), 0o500);
    },
  ],
])("%s: all of it goes", async (name, make) => {
  const folder = made(name, make);
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

test("a link goes, and what it leads to stays; nothing happens when there is nothing", async () => {
  const kept = made("kept", (folder) => writeFileSync(join(folder, "file"), "text"));
  const folder = made("linking", (one) => symlinkSync(kept, join(one, "link")));
  await removeTree(folder);
  await removeTree(folder);
  expect([existsSync(folder), existsSync(join(kept, "file"))]).toEqual([false, true]);
});
