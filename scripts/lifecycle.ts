/**
 * `npm run lifecycle -- DIR [NAME…]`: plays recorded lives of pods under the real Argo, and prints what differs from what
 * is right. Without DIR: the cases packed into this project; `--pack` packs them anew.
 */

import { existsSync } from "node:fs";
import { type LifecycleCase, packCases, packedCases, readCases, recordedFolders } from "../test/lifecycle/case.js";
import { judge } from "../test/lifecycle/judge.js";
import { knownWrong } from "../test/lifecycle/known-wrong.js";

async function main(args: readonly string[]): Promise<number> {
  const [folder, ...names] = args;
  if (folder === "--pack") {
    packCases(recordedFolders().flatMap((recorded) => readCases(recorded)));
    return 0;
  }
  if (folder !== undefined && !existsSync(folder)) {
    console.error(`no folder ${folder}: give one with cases, or none for those packed into this project`);
    return 2;
  }
  const cases = folder === undefined ? packedCases() : readCases(folder, names);
  return report(cases);
}

async function report(cases: readonly LifecycleCase[]): Promise<number> {
  const counts = { right: 0, wrong: 0, "left-out": 0 };
  for (const one of cases) {
    const verdict = await judge(one);
    counts[verdict.kind]++;
    if (verdict.kind === "right") console.log(`✔ ${one.id}`);
    if (verdict.kind === "left-out") console.log(`- ${one.id}: left out, ${verdict.why}`);
    if (verdict.kind !== "wrong") continue;
    const known = knownWrong[one.name];
    console.log(`✖ ${one.id}  (${known === undefined ? one.about : `known: ${known}`})`);
    for (const text of verdict.why) console.log(`    ${text}`);
  }
  console.log(`${counts.right} right, ${counts.wrong} wrong, ${counts["left-out"]} left out`);
  return counts.wrong === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
