/** The engine alone against what the real Argo v4.1.2 did: every difference is known, and they are few. */

import { describe, expect, test } from "vitest";
import { knownDifferences } from "./known-differences.js";
import type { Difference } from "./replay/compare.js";
import { packedCases, type RecordedCase, readCases, sampleRecordingsFolder } from "./replay/recording.js";
import { replay } from "./replay/replay.js";

/** Of the recordings that use only what is built. */
const EQUAL_MIN = 0.95;

const samples = sampleRecordingsFolder();
if (samples === undefined)
  console.log("recordings of Argo's samples are left out: they do not lie beside this project");
const cases = [...packedCases(), ...(samples === undefined ? [] : readCases(samples))];
const counts = { equal: 0, different: 0 };

describe.each(foldersOf(cases))("%s", (folder) => {
  test.each(cases.filter(({ id }) => folderOf(id) === folder))("$id", (one) => {
    const result = replay(one);
    if (result.kind === "left-out") return;
    const differences = result.kind === "different" ? result.differences : [];
    if (folder === "hang") expect(oursAt(differences, "phase")).not.toContain("not ended");
    else counts[result.kind]++;
    expect(differences.filter(isDefect)).toEqual([]);
    // A difference that is gone leaves the list too.
    expect({ differs: differences.length > 0, list: textOf(one, differences) }).toEqual({
      differs: one.id in knownDifferences,
      list: one.id in knownDifferences ? expect.anything() : "",
    });
  });
});

// The packed ones alone are the odd ones: variants and random workflows, made to find what differs.
test.skipIf(samples === undefined)(`${EQUAL_MIN * 100} % of the recordings are equal`, () => {
  expect(counts.equal).toBeGreaterThan(100);
  expect(counts.equal / (counts.equal + counts.different)).toBeGreaterThanOrEqual(EQUAL_MIN);
});

function foldersOf(all: readonly RecordedCase[]): readonly string[] {
  return [...new Set(all.map(({ id }) => folderOf(id)))];
}

function folderOf(id: string): string {
  return id.split("/")[0] ?? "";
}

function oursAt(differences: readonly Difference[], path: string): string {
  return String(differences.find((one) => one.path === path)?.ours ?? "");
}

/** The replay found the engine contradicting itself. */
function isDefect({ path }: Difference): boolean {
  return path === "replay";
}

function textOf({ id }: RecordedCase, differences: readonly Difference[]): string {
  return differences
    .map(({ path, ours, argos }) => `${id} ${path}\n  ours: ${JSON.stringify(ours)}\n  Argo: ${JSON.stringify(argos)}`)
    .join("\n");
}
