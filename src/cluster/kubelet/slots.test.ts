import { expect, test } from "vitest";
import { Slots } from "./slots.js";

test("oldest first, and a slot is given back once", () => {
  const slots = new Slots(2);
  const seen: string[] = [];
  const request = (uid: string) =>
    slots.request({ uid, admit: () => seen.push(`${uid} runs`), wait: (message) => seen.push(`${uid} ${message}`) });
  for (const uid of ["a", "b", "c", "d", "e"]) request(uid);
  slots.release("d");
  slots.release("a");
  slots.release("a");
  slots.release("c");
  expect(seen).toEqual([
    "a runs",
    "b runs",
    "c waits for a slot (2 of 2)",
    "d waits for a slot (2 of 2)",
    "e waits for a slot (2 of 2)",
    "c runs",
    "e runs",
  ]);
});

test("a pod found running keeps its slot though there are too many", () => {
  const slots = new Slots(1);
  const seen: string[] = [];
  slots.take("old1");
  slots.take("old2");
  slots.request({ uid: "new", admit: () => seen.push("runs"), wait: () => seen.push("waits") });
  slots.release("old1");
  expect(seen).toEqual(["waits"]);
  slots.release("old2");
  expect(seen).toEqual(["waits", "runs"]);
});
