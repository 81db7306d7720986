import { expect, test } from "vitest";
import { Later } from "./later.js";

test("calls wait for what is due now, come in order, and one that throws stops no other", async () => {
  const seen: string[] = [];
  const later = new Later((error) => seen.push(String(error)));
  setImmediate(() => seen.push("due"));
  later.call(() => seen.push("a"));
  later.call(() => {
    throw new Error("b");
  });
  later.call(() => {
    seen.push("c");
    later.call(() => seen.push("e"));
  });
  later.call(() => seen.push("d"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual(["due", "a", "Error: b", "c", "d", "e"]);
});
