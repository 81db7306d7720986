import fc from "fast-check";
import { expect, test } from "vitest";
import { LineFramer, logTime, MAX_LINE_BYTES, parseLogLine } from "./log-format.js";

const time = "2026-01-02T03:04:05.678901234Z";

function lines(log: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0; start < log.length; ) {
    const end = log.indexOf(10, start) + 1;
    found.push(log.subarray(start, end));
    start = end;
  }
  return found;
}

test("times have nanoseconds", () => {
  expect(logTime(1_767_323_045_678_901_234n)).toBe(time);
  expect(logTime(0n)).toBe("1970-01-01T00:00:00.000000000Z");
});

test("whole lines are F, the rest of a stream is P", () => {
  const framer = new LineFramer("stdout");
  expect(framer.push(Buffer.from("a\nb"), time).toString()).toBe(`${time} stdout F a\n`);
  expect(framer.push(Buffer.from("c\n\nd"), time).toString()).toBe(`${time} stdout F bc\n${time} stdout F \n`);
  expect(framer.end(time).toString()).toBe(`${time} stdout P d\n`);
  expect(framer.end(time).length).toBe(0);
});

test("whatever bytes come in whatever pieces, the same come out", () => {
  const bytes = fc.uint8Array({ maxLength: 3 * MAX_LINE_BYTES, size: "max" }).map((array) => Buffer.from(array));
  const text = fc
    .string({ maxLength: 200, unit: fc.constantFrom("a", "\n", "\r", "\0", "é") })
    .map((one) => Buffer.from(one));
  fc.assert(
    fc.property(fc.array(fc.oneof(text, bytes), { maxLength: 6 }), (chunks) => {
      const framer = new LineFramer("stderr");
      const log = Buffer.concat([...chunks.map((chunk) => framer.push(chunk, time)), framer.end(time)]);
      const parsed = lines(log).map(parseLogLine);
      expect(parsed.every((line) => line?.stream === "stderr" && line.time === time)).toBe(true);
      expect(Buffer.concat(parsed.map((line) => line?.bytes ?? Buffer.alloc(0))).equals(Buffer.concat(chunks))).toBe(
        true,
      );
      expect(lines(log).every((line) => line.length <= MAX_LINE_BYTES + 50)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test.each(["", "torn", `${time} stdout`, `${time} stdin F x\n`, `${time} stdout X x\n`])("not a line: %j", (text) => {
  expect(parseLogLine(Buffer.from(text))).toBeUndefined();
});

test.each([
  ["2026-01-02T03:04:05.678901234+00:00", time],
  ["2026-01-02T05:34:05.678901234+02:30", time],
  ["2026-01-01T23:04:05.678901234-04:00", time],
  ["2026-13-02T03:04:05.678901234+02:00", "2026-13-02T03:04:05.678901234+02:00"],
])("podman's monitor says %s", (said, utc) => {
  const line = parseLogLine(Buffer.from(`${said} stdout F a\0b\n`));
  expect(line).toEqual({ time: utc, stream: "stdout", full: true, bytes: Buffer.from("a\0b\n") });
  expect(parseLogLine(Buffer.from(`${said} stderr P \n`))).toMatchObject({ stream: "stderr", full: false });
  expect(parseLogLine(Buffer.from(`${said} stdout`))).toBeUndefined();
});
