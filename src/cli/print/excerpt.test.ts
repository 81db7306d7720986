import { expect, test } from "vitest";
import { excerptLines } from "./excerpt.js";
import { plainStyle } from "./style.js";
import { displayWidth } from "./width.js";

function shown(text: string, fault: string, columns: number): readonly string[] {
  const column = text.indexOf(fault) + 1;
  return excerptLines({ text, line: 8, column, length: fault.length }, "", { style: plainStyle, columns });
}

test("a long line is cut to what is around the fault", () => {
  const text = `${"a".repeat(50)} fault ${"b".repeat(50)}`;
  expect(shown(text, "fault", 60)).toEqual([
    "   8 │ …aaaaaaaaaaaaaaaaaaaaaaa fault bbbbbbbbbbbbbbbbbbbbb…",
    "     │                          ^^^^^",
  ]);
});

test.each([
  ["wide characters", "日本語"],
  ["characters of two code units", "😀"],
])("a long line of %s is no wider than the screen, and the carets stand below the fault", (_, piece) => {
  const [line = "", carets = ""] = shown(`${piece.repeat(20)}fault${piece.repeat(20)}`, "fault", 60);
  expect(displayWidth(line)).toBeLessThanOrEqual(60);
  expect(line).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  expect(displayWidth(carets.slice(0, carets.indexOf("^")))).toBe(displayWidth(line.slice(0, line.indexOf("fault"))));
});
