import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { textLengthMax } from "../../core/model/index.js";
import { fakePorts } from "../fakes/ports.js";
import { findRunnable, runnableLines } from "./runnable.js";
import { manifestFiles, readSources } from "./sources.js";

const manifest = "kind: Workflow\n";

async function folderOf(files: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-sources-"));
  for (const file of files) await writeFile(join(folder, file), manifest);
  return folder;
}

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/wf.yaml`;
}

test("of a folder only files are read: no pipe is waited for, a link that leads nowhere is no fault", async () => {
  const folder = await folderOf(["a.yaml", "b.json", "c.txt"]);
  await symlink("someone@machine:1", join(folder, ".#a.yaml"));
  await symlink("/", join(folder, "root.yaml"));
  await symlink("a.yaml", join(folder, "d.yaml"));
  await mkdir(join(folder, "e.yaml"));
  execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', join(folder, "f.yaml")]);
  const { texts, problems } = await readSources(fakePorts({ cwd: folder }), ["."]);
  expect(problems).toEqual([]);
  expect(texts.map(({ file }) => file.slice(folder.length + 1))).toEqual(["a.yaml", "b.json", "d.yaml"]);
});

test("UTF-16 is read as well from stdin and from an address", async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(manifest, "utf16le")]);
  const url = await served((_, response) => response.end(bytes));
  const ports = fakePorts({ cwd: "/" });
  const stdin = { isTTY: false, read: () => chunksOf(bytes) };
  const { texts } = await readSources({ ...ports, stdin }, ["-", url]);
  expect(texts.map(({ text }) => text)).toEqual([manifest, manifest]);
});

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

test("no more is read than a manifest can be, wherever it comes from", async () => {
  const chunk = Buffer.alloc(1024 * 1024, "a");
  let sent = 0;
  const url = await served((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on("drain", more);
    more();
  });
  const endless = async function* (): AsyncIterable<Uint8Array> {
    for (;;) yield chunk;
  };
  const ports = { ...fakePorts({ cwd: "/" }), stdin: { isTTY: false, read: endless } };
  const { texts, problems } = await readSources(ports, ["-", url]);
  expect(texts).toEqual([]);
  expect(problems.map(({ code }) => code)).toEqual(["too-large", "too-large"]);
  expect(sent).toBeLessThan(4 * textLengthMax);
});

test("a folder with more files than are read is refused, none of it is left out without a word", async () => {
  const folder = await folderOf([]);
  for (const part of ["a", "b"]) {
    await mkdir(join(folder, part));
    for (let file = 0; file < 2500; file += 1) writeFileSync(join(folder, part, `${file}.yaml`), manifest);
  }
  const ports = fakePorts({ cwd: folder });
  const { files, isCutOff } = await manifestFiles(folder);
  expect({ files: files.length, isCutOff }).toEqual({ files: 5000, isCutOff: false });
  await mkdir(join(folder, "c"));
  await writeFile(join(folder, "c", "one-too-many.yaml"), manifest);
  const { texts, problems } = await readSources(ports, ["."]);
  expect(texts).toEqual([]);
  expect(problems).toEqual([
    {
      code: "too-large",
      severity: "error",
      path: "",
      message: ".: more than 5000 .yaml, .yml and .json files are in this folder",
      hint: "name the files or folders in it that are meant",
    },
  ]);
  expect(runnableLines(await findRunnable(folder)).at(-1)).toBe(
    "only the first 500 .yaml, .yml and .json files were looked at",
  );
});

test("the command for a file whose name has a blank can be copied", async () => {
  const folder = await folderOf([]);
  await writeFile(
    join(folder, "a b.yaml"),
    `apiVersion: argoproj.io/v1alpha1\n${manifest}metadata: {name: a}\nspec: {}\n`,
  );
  expect(runnableLines(await findRunnable(folder))[0]).toBe("tiphys run 'a b.yaml'");
});
