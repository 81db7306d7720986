import fc from "fast-check";
import { expect, test } from "vitest";
import { type LogOptions, readLog, readTail } from "./logs.js";
import type { LogSource } from "./runtime/port.js";
import { terminationMessage } from "./termination-message.js";

const MIB = 1024 * 1024;
const torn =
  "[the log breaks off here, in the middle of a line, as it does on a full disk: what came after it is missing]\n";

/** `o` stdout, `e` stderr; as podman's monitor writes it: `P` a part, `F` the end of a line. A second each. */
type Piece = readonly [tag: "oP" | "oF" | "eP" | "eF", text: string];

function timeOf(second: number): string {
  return `${new Date(second * 1000).toISOString().slice(0, 19)}.000000000`;
}

function recordOf([tag, text]: Piece, second: number): string {
  return `${timeOf(second)}+00:00 ${tag.startsWith("o") ? "stdout" : "stderr"} ${tag[1]} ${text}\n`;
}

function logOf(pieces: readonly Piece[], rest = ""): LogSource & { grow(bytes: string): void } {
  let bytes = Buffer.from(pieces.map(recordOf).join("") + rest);
  let grown: () => void = () => undefined;
  return {
    size: async () => bytes.length,
    read: async (offset, maxBytes) => bytes.subarray(offset, offset + maxBytes),
    grown: (size, signal) =>
      new Promise((resolve) => {
        grown = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
        if (bytes.length > size) resolve();
      }),
    grow(more) {
      bytes = Buffer.concat([bytes, Buffer.from(more)]);
      grown();
    },
  };
}

async function text(log: LogSource, options: LogOptions = {}, ended: Promise<unknown> = Promise.resolve()) {
  const blocks: Uint8Array[] = [];
  for await (const block of readLog(log, ended, options)) blocks.push(block);
  return Buffer.concat(blocks).toString();
}

const running = new Promise<never>(() => undefined);
const mixed: readonly Piece[] = [
  ["oF", "first"],
  ["oP", "long "],
  ["eP", "trou"],
  ["oP", "line "],
  ["eF", "ble"],
  ["eF", "more"],
  ["oF", "ends"],
  ["oP", "prompt: "],
];

test.each<[string, LogOptions, string]>([
  ["whole", {}, "first\ntrouble\nmore\nlong line ends\nprompt: "],
  ["one stream", { stream: "stdout" }, "first\nlong line ends\nprompt: "],
  ["the other", { stream: "stderr" }, "trouble\nmore\n"],
  ["since a moment in a line: the line whole", { sinceMs: 6000 }, "long line ends\nprompt: "],
  ["since its beginning's end", { sinceMs: 7000 }, "prompt: "],
  ["since later", { sinceMs: 8000 }, ""],
  ["the last line, which lacks its end", { tailLines: 1 }, "prompt: "],
  ["the last lines, of which one has other lines in it", { tailLines: 2 }, "long line ends\nprompt: "],
  ["lines are counted, not parts", { tailLines: 4 }, "trouble\nmore\nlong line ends\nprompt: "],
  ["of one stream its own are counted", { tailLines: 2, stream: "stderr" }, "trouble\nmore\n"],
  ["so many bytes of lines", { limitBytes: 12 }, "first\ntroubl"],
  [
    "the time of a line is that of its end",
    { timestamps: true, tailLines: 2 },
    `${timeOf(6)}Z long line ends\n${timeOf(7)}Z prompt: `,
  ],
])("parts of both streams between each other: %s", async (_, options, expected) => {
  expect(await text(logOf(mixed), options)).toBe(expected);
  expect(await text(logOf(mixed), options, running)).toBe(expected);
});

test("two lines that lack their ends do not run into each other", async () => {
  const log = logOf([
    ["oP", "out"],
    ["eP", "err"],
    ["eP", "or"],
  ]);
  expect(await text(log)).toBe("out\nerror");
});

test("followed, a line is told when its end comes, and the last one when its container ends", async () => {
  const log = logOf([
    ["oP", "wait"],
    ["eF", "said"],
  ]);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const told: string[] = [];
  for await (const block of readLog(log, ended, { follow: true })) {
    told.push(Buffer.from(block).toString());
    if (told.length === 1) log.grow(recordOf(["oF", "ed"], 2) + recordOf(["eP", "la"], 3));
    if (told.length === 2) {
      log.grow(recordOf(["eP", "st"], 4));
      end();
    }
  }
  expect(told).toEqual(["said\n", "waited\n", "last"]);
});

test("of a line without an end only so much is held; the other stream's lines stand in it, each for itself", async () => {
  const part = "x".repeat(MIB / 2);
  const log = logOf([
    ["oP", part],
    ["oP", part],
    ["oP", "!"],
    ["eF", "said"],
    ["oP", "?"],
    ["oF", ""],
  ]);
  expect(await text(log)).toBe(`${part}${part}!\nsaid\n?\n`);
  expect(await text(log, { stream: "stdout" })).toBe(`${part}${part}!?\n`);
});

test("the end of a log is found though one stream has said nothing for long", async () => {
  const noise = Array.from({ length: 30_000 }, (): Piece => ["eF", "a line of the other stream, of some length"]);
  const log = logOf([["oP", "too far away "], ...noise, ["oF", "end"]]);
  expect(await text(log, { tailLines: 1 })).toBe("end\n");
  expect(await text(logOf([["oP", "near "], ...noise.slice(0, 5000), ["oF", "end"]]), { tailLines: 1 })).toBe(
    "near end\n",
  );
});

const pieces = fc.array(
  fc.tuple(
    fc.constantFrom("oP", "oF", "eP", "eF"),
    fc.oneof(fc.constantFrom("", "x".repeat(9000)), fc.nat().map(String)),
  ),
  { maxLength: 60 },
);

test("whatever is said in parts, each line is told whole and once; the last lines are the end of all", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(12), async (said, count) => {
      const log = logOf([...said, ["oF", "."], ["eF", "."]]);
      const streams = { stdout: await text(log, { stream: "stdout" }), stderr: await text(log, { stream: "stderr" }) };
      const own = (letter: string) =>
        said.filter(([tag]) => tag.startsWith(letter)).map(([tag, part]) => part + (tag.endsWith("F") ? "\n" : ""));
      expect(streams).toEqual({ stdout: `${own("o").join("")}.\n`, stderr: `${own("e").join("")}.\n` });
      const lines = (await text(log)).split("\n");
      const each = [...streams.stdout.split("\n").slice(0, -1), ...streams.stderr.split("\n").slice(0, -1)];
      expect(lines.slice(0, -1).sort()).toEqual(each.sort());
      const all = (await text(log)).split(/(?<=\n)/);
      expect(await text(log, { tailLines: count })).toBe(all.slice(all.length - Math.min(count, all.length)).join(""));
    }),
  );
});

test.each<[string, string, LogOptions, string]>([
  ["half a time", "2026-01-02T03:04:0", {}, `one\nhalf\n${torn}`],
  ["no stream", `${timeOf(2)}+00:00 `, {}, `one\nhalf\n${torn}`],
  ["half a line", `${timeOf(2)}+00:00 stdout F two, thr`, {}, `one\nhalf\n${torn}`],
  ["of the last lines", "2026-01", { tailLines: 1 }, `half\n${torn}`],
  ["stdout alone says what it said", "2026-01", { stream: "stdout" }, "one\nhalf"],
])("a log that breaks off says so when its container has ended: %s", async (_, rest, options, expected) => {
  const log = logOf(
    [
      ["oF", "one"],
      ["oP", "half"],
    ],
    rest,
  );
  expect(await text(log, options)).toBe(expected);
  expect(await text(log, { ...options, follow: true })).toBe(expected);
  expect(await text(log, options, running)).not.toContain("breaks off");
});

test("what begins behind a line that broke off before it began is a line", async () => {
  const log = logOf([["oF", "one"]], `2026-01-02T03:04:${recordOf(["oF", "two"], 2)}${recordOf(["eF", "three"], 3)}`);
  expect(await text(log)).toBe("one\ntwo\nthree\n");
});

test("a result and a last message are of whole lines, and know nothing of a disk", async () => {
  const log = logOf(mixed, "2026-01-02T03:04:0");
  expect(String(await readTail(log, "stdout", 100))).toBe("first\nlong line ends\nprompt: ");
  expect(String(await readTail(log, "both", 25))).toBe("e\nlong line ends\nprompt: ");
  const handle = { readFile: async () => undefined, log: () => log } as unknown as Parameters<
    typeof terminationMessage
  >[0];
  const main = { name: "main", image: "x", terminationMessagePolicy: "FallbackToLogsOnError" as const };
  expect(await terminationMessage(handle, main, 1)).toBe("first\ntrouble\nmore\nlong line ends\nprompt: ");
});
