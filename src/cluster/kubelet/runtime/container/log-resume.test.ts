import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resumeLog } from "./log-resume.js";
import { SkipFirst } from "./skip-first.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiphys-log-"));
});
afterEach(() => rm(folder, { recursive: true }));

const line = (stream: string, tag: string, text: string) => `2026-01-02T03:04:05.678901234Z ${stream} ${tag} ${text}\n`;

test("nothing was logged", async () => {
  expect(await resumeLog(folder, undefined)).toEqual({ bytes: { stdout: 0, stderr: 0 }, segment: 0 });
});

test("bytes of both streams over all segments, without what the log added; a torn line is cut off", async () => {
  await writeFile(join(folder, "log.0"), line("stdout", "F", "abc") + line("stderr", "P", "de"));
  const whole = line("stdout", "P", "fg") + line("stdout", "F", "");
  await writeFile(join(folder, "log.10"), `${whole}2026-01-02T03:04:05.6789`);
  expect(await resumeLog(folder, undefined)).toEqual({ bytes: { stdout: 4 + 2 + 1, stderr: 2 }, segment: 10 });
  expect(await readFile(join(folder, "log.10"), "utf8")).toBe(whole);
});

test("what is known is not counted", async () => {
  await writeFile(join(folder, "log.3"), "x");
  expect(await resumeLog(folder, { stdout: 5, stderr: 6 })).toEqual({ bytes: { stdout: 5, stderr: 6 }, segment: 3 });
});

test.each([
  [0, ["ab", "cd"], "abcd"],
  [1, ["ab", "cd"], "bcd"],
  [2, ["ab", "cd"], "cd"],
  [3, ["ab", "cd"], "d"],
  [9, ["ab", "cd"], ""],
])("skips %d bytes of %j", async (bytes, chunks, expected) => {
  const skip = new SkipFirst(bytes);
  for (const chunk of chunks) skip.write(chunk);
  skip.end();
  const parts: Buffer[] = [];
  for await (const part of skip) parts.push(Buffer.from(part));
  expect(Buffer.concat(parts).toString()).toBe(expected);
  expect(skip.passed).toBe(expected.length);
});
