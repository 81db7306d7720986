/** The recorded lives of pods under the real Argo, played here: each ends as Argo's where Argo is right, else as the rulings say. */

import { expect, test } from "vitest";
import { packedCases, readCases, recordedFolder } from "./case.js";
import { judge } from "./judge.js";
import { knownWrong } from "./known-wrong.js";
import { whyLeftOut } from "./left-out.js";
import { rulings } from "./rulings.js";

/** Kinds that are not built, and what needs a server of its own. */
const LEFT_OUT_MAX = 5;

const packed = packedCases();

test.each(packed)("$name", async (one) => {
  const verdict = await judge(one);
  const why = verdict.kind === "wrong" ? verdict.why.join("\n") : "";
  if (one.name in knownWrong) expect(why, `${one.name} is right: it leaves the list`).not.toBe("");
  else expect(why).toBe("");
  if (verdict.kind === "left-out") expect(whyLeftOut(one)).toBe(verdict.why);
});

test("nearly all cases are played, and each entry of the lists is a case", () => {
  expect(packed.length).toBeGreaterThan(200);
  expect(packed.filter((one) => whyLeftOut(one) !== undefined).length).toBeLessThanOrEqual(LEFT_OUT_MAX);
  const names = packed.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(knownWrong), ...Object.keys(rulings)]));
});

const folder = recordedFolder("lifecycle");
if (folder === undefined) console.log("the folder the cases were packed from does not lie beside this project");

test.skipIf(folder === undefined)("the packed cases are those of the folder", () => {
  expect(packed).toEqual(readCases(folder ?? ""));
});
