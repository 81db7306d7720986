/** The recorded lives of pods under the real Argo, played here: each ends as Argo's where Argo is right, else as the rulings say. */

import { expect, test } from "vitest";
import { packedCases, readCases, recordedFolders } from "./case.js";
import { judge } from "./judge.js";
import { knownWrong } from "./known-wrong.js";
import { whyLeftOut } from "./left-out.js";
import { rulings } from "./rulings.js";

/** Kinds that are not built, and what needs a server of its own. */
const LEFT_OUT_MAX = 6;

const packed = packedCases();

test.each(packed)("$id", async (one) => {
  const verdict = await judge(one);
  const why = verdict.kind === "wrong" ? verdict.why.join("\n") : "";
  if (one.name in knownWrong) expect(why, `${one.name} is right: it leaves the list`).not.toBe("");
  else expect(why).toBe("");
  if (verdict.kind === "left-out") expect(whyLeftOut(one)).toBe(verdict.why);
});

test("nearly all cases are played, and each entry of the lists is a case", () => {
  expect(packed.length).toBeGreaterThan(200);
  expect(packed.filter((one) => whyLeftOut(one) !== undefined).length).toBeLessThanOrEqual(LEFT_OUT_MAX);
  const names = packed.flatMap(({ id, name }) => [id, name]);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(knownWrong), ...Object.keys(rulings)]));
});

const folders = recordedFolders();
if (folders.length === 0) console.log("the folders that the cases were packed from do not lie beside this project");

test.skipIf(folders.length === 0)("the packed cases are those of the folders", () => {
  expect(packed).toEqual(folders.flatMap((folder) => readCases(folder)));
});
