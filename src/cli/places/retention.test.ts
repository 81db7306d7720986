import { mkdtemp, readdir, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeContext } from "../context.js";
import { FakePlaces } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import type { PlaceOptions } from "../ports.js";
import { writeIndex } from "./files.js";
import { makePlaceFolder } from "./folders.js";
import { allPlaces, type Place } from "./places.js";
import { placesToRemove, sweepPlaces } from "./retention.js";

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

test("places that are over the limits go, once an hour; those that are owned stay", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-sweep-"));
  const host = new FakePlaces();
  const ports = fakePorts({ cwd, host });
  const context = makeContext(ports, { namespace: undefined, verbose: false }, {});
  const old = new Date(ports.clock.now() - 40 * day).toISOString();
  for (const uid of ["owned", "free"]) {
    const folder = await makePlaceFolder(context.home, "run", uid);
    await host.create(folder, {} as PlaceOptions);
    await writeIndex(folder, { v: 1, kind: "run", uid, createdAt: old, workflows: [], bytes: 1 });
  }
  const free = host.places.get(join(context.home, "runs/free"));
  if (free !== undefined) free.owned = false;
  await sweepPlaces(context);
  expect((await allPlaces(context)).map(({ uid }) => uid)).toEqual(["owned"]);
});

test("a folder whose owner died before it wrote an index goes after an hour; what this version cannot read stays", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-sweep-"));
  const host = new FakePlaces();
  const ports = fakePorts({ cwd, host });
  const context = makeContext(ports, { namespace: undefined, verbose: false }, {});
  for (const [uid, minutesOld] of Object.entries({ old: 61, young: 59, owned: 61, newer: 61 })) {
    const folder = await makePlaceFolder(context.home, "run", uid);
    if (uid === "owned") await host.create(folder, {} as PlaceOptions);
    if (uid === "newer") await writeFile(join(folder, "index.json"), '{"v":2}');
    const made = (ports.clock.now() - minutesOld * 60_000) / 1000;
    await utimes(folder, made, made);
  }
  expect(await allPlaces(context)).toEqual([]);
  await sweepPlaces(context);
  expect((await readdir(join(context.home, "runs"))).toSorted()).toEqual(["newer", "owned", "young"]);
});
