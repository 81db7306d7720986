/** `npm run conformance -- DIR [NAME…]`: replays recordings of the real Argo controller and prints each difference. */

import { existsSync } from "node:fs";
import { knownDifferences } from "../test/conformance/known-differences.js";
import { packedCases, type RecordedCase, readCases } from "../test/conformance/replay/recording.js";
import { replay } from "../test/conformance/replay/replay.js";

function main(args: readonly string[]): number {
  const [folder, ...names] = args;
  if (folder !== undefined && !existsSync(folder)) {
    console.error(`no folder ${folder}: give one with recordings, or none for those packed into this project`);
    return 2;
  }
  return report(folder === undefined ? packedCases() : readCases(folder, names));
}

function report(cases: readonly RecordedCase[]): number {
  const counts = { equal: 0, different: 0, "left-out": 0 };
  for (const one of cases) {
    const result = replay(one);
    counts[result.kind]++;
    if (result.kind === "left-out") console.log(`- ${one.id}: left out, ${result.why}`);
    if (result.kind !== "different") continue;
    const known = knownDifferences[one.id];
    console.log(`✖ ${one.id}${known === undefined ? "" : `  (known: ${known})`}`);
    for (const { path, ours, argos } of result.differences) {
      console.log(`    ${path}\n      ours: ${short(ours)}\n      Argo: ${short(argos)}`);
    }
  }
  console.log(`${counts["left-out"]} left out`);
  console.log(`${counts.equal} equal, ${counts.different} different`);
  return 0;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 400 ? text : `${text.slice(0, 400)}…`;
}

process.exitCode = main(process.argv.slice(2));
