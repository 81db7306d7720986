import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logTime, parseLogLine } from "../../log-format.js";
import { lossNote, writeOverEnd } from "./log-loss.js";
import { LogWriter } from "./log-writer.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tiphys-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const time = logTime(1_700_000_000_000_000_000n);
const line = (text: string): string => `${time} stdout F ${text}\n`;

function texts(path: string): readonly string[] {
  const lines = readFileSync(path, "latin1").split("\n").slice(0, -1);
  return lines.map(
    (one) =>
      parseLogLine(Buffer.from(`${one}\n`))
        ?.bytes.toString()
        .trimEnd() ?? `?${one}`,
  );
}

test("a note takes the place of the last lines, and the log stays a log", () => {
  const path = join(folder, "log.0");
  writeFileSync(path, ["one", "two", "three", "four", "five"].map(line).join(""));
  writeOverEnd(path, lossNote(12, time, "whole"));
  expect(texts(path)).toEqual(["one", "two", "[12 bytes of the log are missing here: the disk was full]"]);
});

test("a torn line is ended by the note behind it", () => {
  const path = join(folder, "log.0");
  writeFileSync(path, `${line("one")}${time} stdout F half a li`);
  writeFileSync(path, lossNote(5, time, "torn"), { flag: "a" });
  expect(texts(path)).toEqual(["one", "half a li", "[5 bytes of the log are missing here: the disk was full]"]);
});

test("a log too short for the note is left as it is", () => {
  const path = join(folder, "log.0");
  writeFileSync(path, line("one"));
  writeOverEnd(path, lossNote(12, time, "whole"));
  expect(texts(path)).toEqual(["one"]);
});

test("a disk that is full for good holds nobody up", async () => {
  symlinkSync("/dev/full", join(folder, "log.0"));
  let rooms = 0;
  const log = new LogWriter({ folder, segmentBytes: 1000, makeRoom: () => rooms++ });
  await log.pump(Readable.from(Array.from({ length: 50 }, () => Buffer.alloc(100_000, "x\n"))), "stdout");
  await log.close();
  // One wait, not one for each of the many batches.
  expect(rooms).toBe(20);
});

test("where no next file can be made, the one there is goes on", async () => {
  mkdirSync(join(folder, "log.1"));
  const log = new LogWriter({ folder, segmentBytes: 10, makeRoom: () => undefined });
  await log.pump(Readable.from(["one\n", "two\n", "three\n"].map((text) => Buffer.from(text))), "stdout");
  await log.close();
  expect(texts(join(folder, "log.0"))).toEqual(["one", "two", "three"]);
});

test("a log that is gone when its loss is to be told fails nobody", async () => {
  symlinkSync("/dev/full", join(folder, "log.0"));
  const log = new LogWriter({ folder, segmentBytes: 1000, makeRoom: () => undefined });
  await log.pump(Readable.from([Buffer.from("one\n")]), "stdout");
  rmSync(join(folder, "log.0"));
  await expect(log.close()).resolves.toBeUndefined();
});
