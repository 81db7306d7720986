import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openArchiver, type PackFormat } from "./archive/index.js";
import { copyTree } from "./copy-tree.js";
import { temporaryFolder } from "./testing/folder.js";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "out/sub"), { recursive: true });
});
afterEach(() => folder.remove());

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const inSub = (name: string): Buffer => Buffer.concat([Buffer.from(join(folder.path, "out/sub/")), latin1(name)]);

const wrongs: Readonly<Record<string, { readonly make: () => Promise<void>; readonly said: string }>> = {
  "a file": {
    make: () => writeFile(inSub("caf\xE9.txt"), "x"),
    said: "the name of the file %/sub/caf\\xE9.txt is not UTF-8; rename it",
  },
  "a folder": {
    make: async () => void (await mkdir(inSub("\xFF"))),
    said: "the name of the file %/sub/\\xFF is not UTF-8; rename it",
  },
  "a link's target": {
    make: () => symlink(latin1("\xE9"), inSub("link")),
    said: "the target of the link %/sub/link -> \\xE9 is not UTF-8; rename it",
  },
};

const formats: readonly PackFormat[] = [{ kind: "tar", level: -1 }, { kind: "zip" }];

// Others refuse such names themselves.
const onLinux = test.runIf(process.platform === "linux");

onLinux.each(
  Object.entries(wrongs).flatMap(([what, wrong]) =>
    formats.map((format) => [what, format.kind, format, wrong] as const),
  ),
)("%s that is not UTF-8 is named when it cannot be packed: %s", async (_, __, format, { make, said }) => {
  await make();
  const target = join(folder.path, "archive");
  const packed = openArchiver({}).pack({ source: join(folder.path, "out"), name: "out", target, format });
  await expect(packed).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining(said.replace("%", "out")),
  });
  expect(await readdir(folder.path)).toEqual(["out"]);
});

onLinux.each(Object.entries(wrongs))(
  "%s that is not UTF-8 is named when it cannot be copied",
  async (_, { make, said }) => {
    await make();
    await expect(copyTree(join(folder.path, "out"), join(folder.path, "copy"))).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(said.replace("%/", "")),
    });
  },
);

test("names in UTF-8 are no trouble, whatever stands in them", async () => {
  for (const name of ["ünï", "\uFFFD", "日本", "a\nb"]) await writeFile(join(folder.path, "out/sub", name), "x");
  await copyTree(join(folder.path, "out"), join(folder.path, "copy"));
  expect(await readdir(join(folder.path, "copy/sub"))).toHaveLength(4);
});
