import { getEventListeners } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SegmentedLog } from "./log-files.js";
import { type LogOptions, readLog, readTail } from "./logs.js";
import { MemoryLog } from "./memory-log.js";
import type { LogSource } from "./runtime/port.js";

const folder = await mkdtemp(join(tmpdir(), "tiphys-logs-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(source: LogSource, options: LogOptions = {}, ended: Promise<unknown> = Promise.resolve()) {
  return (await text(source, options, ended)).match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function logOf(count: number): MemoryLog {
  const log = new MemoryLog();
  for (let index = 0; index < count; index++) {
    log.write(index % 2 === 0 ? "stdout" : "stderr", Buffer.from(`line ${index}\n`), index * 1000);
  }
  return log;
}

test.each([0, 1, 3, 5000])("the last %i lines", async (count) => {
  const lines = await read(logOf(5000), { tailLines: count });
  expect(lines).toEqual(Array.from({ length: count }, (_, index) => `line ${5000 - count + index}\n`));
});

test("more lines than there are: all", async () => {
  expect(await read(logOf(3), { tailLines: 10 })).toHaveLength(3);
});

test("since a moment, one stream", async () => {
  expect(await read(logOf(10), { sinceMs: 6000 })).toEqual(["line 6\n", "line 7\n", "line 8\n", "line 9\n"]);
  expect(await read(logOf(5), { stream: "stderr" })).toEqual(["line 1\n", "line 3\n"]);
});

test.each(["+00:00", "+05:30"])("the same is read of a log whose times have the offset %s", async (offset) => {
  const ours = logOf(10);
  const lines = (await ours.read(0, await ours.size())).toString().split("\n").slice(0, -1);
  const zoned = lines.map((line) => {
    const there = offset === "+00:00" ? line : new Date(Date.parse(line.slice(0, 30)) + 19_800_000).toISOString();
    return `${there.slice(0, 19)}${line.slice(19, 29)}${offset}${line.slice(30)}\n`;
  });
  const at = await mkdtemp(join(folder, "zoned-"));
  await writeFile(join(at, "log.0"), zoned.join(""));
  const theirs = new SegmentedLog(at, "log.");
  const options: LogOptions[] = [{}, { sinceMs: 6000 }, { stream: "stderr" }, { timestamps: true }, { tailLines: 3 }];
  for (const wish of options) {
    expect(await text(theirs, wish)).toBe(await text(ours, wish));
  }
});

test("a line that is kept in parts has its time once", async () => {
  const log = new MemoryLog();
  const long = "x".repeat(700_000);
  log.write("stdout", Buffer.from(`${long}\nshort\n`), 0);
  const text: string[] = [];
  for await (const block of readLog(log, Promise.resolve(), { timestamps: true })) text.push(String(block));
  const time = "1970-01-01T00:00:00.000000000Z";
  expect(text.join("")).toBe(`${time} ${long}\n${time} short\n`);
});

test.each<[string, LogOptions, string]>([
  ["in the middle of a line", { limitBytes: 9 }, "line 0\nli"],
  ["of the last lines", { limitBytes: 10, tailLines: 2 }, "line 3\nlin"],
  ["more than there is", { limitBytes: 1000, tailLines: 1 }, "line 4\n"],
  ["times count too", { limitBytes: 33, timestamps: true }, "1970-01-01T00:00:00.000000000Z li"],
  ["none", { limitBytes: 0 }, ""],
])("at most so many bytes: %s", async (_name, options, expected) => {
  expect(await text(logOf(5), options)).toBe(expected);
});

test("followed, a log ends with the last byte that may be told, though its container goes on", async () => {
  const log = new MemoryLog();
  const read = text(log, { follow: true, limitBytes: 10 }, new Promise(() => undefined));
  log.write("stdout", Buffer.from("line 0\n"), 0);
  await new Promise((resolve) => setImmediate(resolve));
  log.write("stdout", Buffer.from("line 1\n"), 0);
  expect(await read).toBe("line 0\nlin");
});

async function text(source: LogSource, options: LogOptions, ended: Promise<unknown> = Promise.resolve()) {
  const blocks: Uint8Array[] = [];
  for await (const block of readLog(source, ended, options)) blocks.push(block);
  return Buffer.concat(blocks).toString();
}

test("what was torn by a crash is no line", async () => {
  const whole = "2026-01-02T03:04:05.678901234Z stdout F whole\n";
  const torn = [
    "2026-01-02T03:04:0\n",
    "\n",
    "2026-01-02T03:04:05.678901234Z stdout Q tag\n",
    "no log at all, but as long as a line of one\n",
  ];
  await writeFile(join(folder, "torn.0"), `${whole}${torn.join("")}${whole}`);
  const log = new SegmentedLog(folder, "torn.");
  expect(await text(log, {})).toBe("whole\nwhole\n");
});

test("the tail of one stream, by bytes", async () => {
  const log = logOf(3);
  log.write("stdout", Buffer.from("x".repeat(100_000)), 0);
  log.write("stderr", Buffer.from("noise\n".repeat(50_000)), 0);
  log.end(0);
  const tail = await readTail(log, "stdout", 99_990);
  expect(tail.toString()).toBe("x".repeat(99_990));
  expect((await readTail(log, "stdout", 1_000_000)).toString()).toBe(`line 0\nline 2\n${"x".repeat(100_000)}`);
});

test("followed until the container ends, with its last words", async () => {
  const log = new MemoryLog();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const lines = read(log, { follow: true }, ended);
  log.write("stdout", Buffer.from("one\n"), 0);
  await new Promise((resolve) => setImmediate(resolve));
  log.write("stdout", Buffer.from("two\nthree"), 0);
  log.end(0);
  end();
  expect(await lines).toEqual(["one\n", "two\n", "three"]);
});

test("an aborted reader stops at once", async () => {
  const stop = new AbortController();
  const lines = read(new MemoryLog(), { follow: true, signal: stop.signal }, new Promise(() => undefined));
  stop.abort();
  expect(await lines).toEqual([]);
});

test("segments are one log, in order of their numbers", async () => {
  const line = (text: string) => `2026-01-02T03:04:05.678901234Z stdout F ${text}\n`;
  for (const number of [0, 1, 2, 10]) await writeFile(join(folder, `log.${number}`), line(`segment ${number}`));
  const log = new SegmentedLog(folder, "log.");
  expect(await read(log)).toEqual([0, 1, 2, 10].map((number) => `segment ${number}\n`));
  expect(await read(log, { tailLines: 2 })).toEqual(["segment 2\n", "segment 10\n"]);
  const grown = log.grown(await log.size(), new AbortController().signal);
  await writeFile(join(folder, "log.11"), line("segment 11"));
  await grown;
  expect(await read(log, { tailLines: 1 })).toEqual(["segment 11\n"]);
});

test("a log whose folder is not there yet is seen once it is", async () => {
  const log = new SegmentedLog(join(folder, "later"), "log.");
  const grown = log.grown(0, new AbortController().signal);
  await mkdir(join(folder, "later"));
  await writeFile(join(folder, "later", "log.0"), "2026-01-02T03:04:05.678901234Z stdout F here\n");
  await grown;
  expect(await read(log)).toEqual(["here\n"]);
});

test("waiting for a log to grow leaves nothing behind on the signal", async () => {
  const { signal } = new AbortController();
  await writeFile(join(folder, "grows.0"), "12345");
  const log = new SegmentedLog(folder, "grows.");
  for (let seen = 0; seen < 5; seen++) await log.grown(seen, signal);
  const grown = log.grown(5, signal);
  await writeFile(join(folder, "grows.0"), "1234567");
  await grown;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
