import { expect, test } from "vitest";
import { parseDotenv } from "./dotenv.js";

test.each<[string, Readonly<Record<string, string>>]>([
  ["A=1\nB = two words \n", { A: "1", B: "two words" }],
  ["export A=1\n# comment\n\nB=x # remark\n", { A: "1", B: "x" }],
  ['A=\'single # kept\'\nB="line\\nbreak \\"q\\""', { A: "single # kept", B: 'line\nbreak "q"' }],
  ['A="several\nlines"\nB=2', { A: "several\nlines", B: "2" }],
  ["A='it\\n stays'", { A: "it\\n stays" }],
  ["A=\r\nB=2\r\n", { A: "", B: "2" }],
  ["A=1\nA=2", { A: "2" }],
  ["\uFEFFA=1", { A: "1" }],
  ["A=a=b", { A: "a=b" }],
])("%j", (text, expected) => {
  const parsed = parseDotenv(text);
  expect(parsed.ok && Object.fromEntries(parsed.value)).toEqual(expected);
});

test.each([
  ["A=1\nnonsense\n", 2, "expected KEY=VALUE"],
  ['A="never\nends\n', 1, 'the " that begins here does not end'],
])("%j is refused with its line", (text, line, message) => {
  expect(parseDotenv(text)).toEqual({ ok: false, error: { line, message } });
});
