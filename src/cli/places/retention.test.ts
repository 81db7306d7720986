import { expect, test } from "vitest";
import type { Place } from "./places.js";
import { placesToRemove } from "./retention.js";

const day = 24 * 3600 * 1000;
const now = Date.parse("2026-11-30T00:00:00Z");

function place(uid: string, daysOld: number, bytes: number, kind: "run" | "up" = "run"): Place {
  const createdAt = new Date(now - daysOld * day).toISOString();
  return { folder: `/runs/${uid}`, kind, uid, index: { v: 1, kind, uid, createdAt, workflows: [], bytes } };
}

test.each<[string, readonly Place[], readonly string[]]>([
  ["young and small stays", [place("a", 1, 10), place("b", 29, 10)], []],
  ["30 days", [place("a", 29, 10), place("b", 31, 10)], ["b"]],
  ["2 GiB, the oldest go", [place("a", 1, 1.5e9), place("b", 2, 1e9), place("c", 3, 10)], ["b", "c"]],
  ["what still runs has no size, and stays", [place("a", 1, 3e9), place("b", 2, 0)], ["a"]],
  ["the place that is up is never removed", [place("up", 400, 9e9, "up")], []],
])("%s", (_, places, removed) => {
  expect(placesToRemove(places, now).map(({ uid }) => uid)).toEqual(removed);
});
