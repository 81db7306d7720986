import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolder } from "./make-folder.js";

const base = mkdtempSync(join(tmpdir(), "tiphys-folder-"));
afterAll(() => rmSync(base, { recursive: true }));

test("makes what is missing on the way, and leaves what is there", () => {
  const folder = join(base, "a/b/c");
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);
  expect(statSync(join(base, "a/b")).mode & 0o777).toBe(0o700);
});

test("refuses a file in its place, or on the way", () => {
  const file = join(base, "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect(() => makeFolder(join(file, "below"))).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
});

test.runIf(existsSync("/proc/self"))("comes to an end where no folder can be made", () => {
  expect(() => makeFolder("/proc/tiphys/below")).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
