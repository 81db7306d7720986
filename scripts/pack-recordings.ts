/** `tsx scripts/pack-recordings.ts RUNS`: packs the recordings of our own workflows, so that any clone can replay them. */

import { join } from "node:path";
import { packCases, readCases } from "../test/conformance/replay/recording.js";

const runs = process.argv[2];
if (runs === undefined) {
  console.error("usage: tsx scripts/pack-recordings.ts FOLDER (the one that holds variants, random and hang)");
  process.exitCode = 2;
} else {
  const cases = ["variants", "random", "hang"].flatMap((name) => readCases(join(runs, name)));
  packCases(cases);
  console.log(`${cases.length} recordings packed`);
}
