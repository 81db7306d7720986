import { execFileSync } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyRegular } from "./copy-regular.js";
import { temporaryFolder } from "./testing/folder.js";

test("what was put in the place of a file is neither waited for nor followed", async () => {
  const { path, remove } = await temporaryFolder();
  await writeFile(join(path, "file"), "content");
  await symlink("file", join(path, "link"));
  execFileSync("sh", ["-c", `mkfifo "$0"`, join(path, "pipe")]);
  await expect(copyRegular(join(path, "pipe"), join(path, "copy"))).rejects.toMatchObject({ code: "failed" });
  await expect(copyRegular(join(path, "link"), join(path, "copy"))).rejects.toMatchObject({ code: "ELOOP" });
  await copyRegular(join(path, "file"), join(path, "copy"));
  expect(await readFile(join(path, "copy"), "utf8")).toBe("content");
  await expect(copyRegular(join(path, "file"), join(path, "copy"))).rejects.toMatchObject({ code: "EEXIST" });
  await remove();
});
