/** How this process compiles its code once a place is up. */

import { setFlagsFromString } from "node:v8";

/**
 * From here on most code is called a few times for each step. Interpreting it until it is known to be hot costs a short
 * workflow a tenth of its steps' time, and so does the optimizing compiler, which works beside the steps: it comes later. All
 * this not earlier: what Node has compiled ahead of itself does not count under other flags.
 */
export function compileForSteps(): void {
  for (const flag of flagsFor(process.versions.v8)) setFlagsFromString(flag);
}

/** Only what was tried: V8 prints a complaint of its own about a flag that it does not know. */
export function flagsFor(v8: string): readonly string[] {
  switch (v8.split(".")[0]) {
    // Node 20
    case "11":
      return ["--always-sparkplug", "--interrupt-budget=270000"];
    // Node 22 and 24 have a third compiler in between.
    case "12":
    case "13":
      return ["--always-sparkplug"];
    default:
      return [];
  }
}
