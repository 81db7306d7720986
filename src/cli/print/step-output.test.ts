import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter, terminalLine, wholeLineMax } from "./step-output.js";

const esc = "\x1b";

test.each([
  ["plain", "plain"],
  [`${esc}[31mred${esc}[0m`, `${esc}[31mred${esc}[0m${esc}[0m`],
  [`${esc}[38;5;196mred`, `${esc}[38;5;196mred${esc}[0m`],
  [`a${esc}[2Kb${esc}[1Ac`, "abc"],
  [`${esc}[?25lhidden${esc}[?1049h`, "hidden"],
  [`${esc}]0;title\x07text`, "text"],
  [`${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, "link"],
  [`${esc}(Bcharset${esc}=x`, "charsetx"],
  ["10%\r20%\r30%", "30%"],
  ["10%\r100%\r", "100%"],
  ["done\r\r", "done"],
  ["windows\r", "windows"],
  ["\x07bell\x00", "bell"],
  ["tab\there", "tab\there"],
  ["\x9b31mc1", "31mc1"],
  [`broken ${esc}`, "broken "],
  [`broken ${esc}[31`, "broken "],
])("%j", (line, expected) => {
  expect(terminalLine(line, "keep")).toBe(expected);
});

test("without colours nothing of an escape is left", () => {
  expect(terminalLine(`${esc}[31mred${esc}[0m ${esc}[1;3`, "drop")).toBe("red ");
});

test("whatever a step writes, no control but colour reaches the terminal", () => {
  const hostile = fc.array(
    fc.constantFrom(esc, "[", "]", "31m", "2J", "\x07", "\r", "a", "0;", "\\", "\x9b", "P", "?"),
  );
  fc.assert(
    fc.property(hostile, (parts) => {
      const shown = terminalLine(parts.join(""), "keep").replace(/\x1b\[[\d;:]*m/g, "");
      expect(shown).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/);
    }),
  );
});

test("lines come out whole, whatever the chunks", () => {
  const text = "one\n你好\nthree\r\nend";
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (sizes) => {
      const bytes = new TextEncoder().encode(text);
      const splitter = new LineSplitter();
      const lines: string[] = [];
      let at = 0;
      for (let turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        lines.push(...splitter.push(bytes.subarray(at, at + size)));
        at += size;
      }
      lines.push(...splitter.end());
      expect(lines).toEqual(["one", "你好", "three\r", "end"]);
    }),
  );
});

test("an endless line is kept within bounds, its newest state first", () => {
  const splitter = new LineSplitter();
  for (let turn = 0; turn < 100; turn++) splitter.push(new TextEncoder().encode(`${turn}%${" ".repeat(100)}\r`));
  splitter.push(new TextEncoder().encode("x".repeat(1_000_000)));
  const [line = ""] = splitter.end();
  expect(line).toBe(`${"x".repeat(4096)}… (995904 more characters)`);
  expect(terminalLine(line, "drop").startsWith("xxx")).toBe(true);
});

test("a long line that someone else reads is whole, in linear time", () => {
  const splitter = new LineSplitter(wholeLineMax);
  const chunk = new TextEncoder().encode("y".repeat(64 * 1024));
  for (let turn = 0; turn < 200; turn++) expect(splitter.push(chunk)).toEqual([]);
  const lines = splitter.push(new TextEncoder().encode("!\nnext\n"));
  expect(lines.map((line) => line.length)).toEqual([200 * 64 * 1024 + 1, 4]);
  expect(splitter.end()).toEqual([]);
});

test("what is cut of a line does not count against the next", () => {
  const splitter = new LineSplitter(4);
  const push = (text: string): readonly string[] => splitter.push(new TextEncoder().encode(text));
  expect([...push("abcdefg"), ...push("hi\njk\nlmnopq\r12"), ...push("345\n")]).toEqual([
    "abcd… (5 more characters)",
    "jk",
    "1234… (1 more characters)",
  ]);
});
