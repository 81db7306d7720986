/** 100,000 pods (or `--pods N`) come and go; prints what is remembered of them, and exits with 1 unless it is nothing. */

import { parseArgs } from "node:util";
import { comeAndGone } from "../test/simulation/cases/come-and-gone.js";

const { values } = parseArgs({ options: { pods: { type: "string", default: "100000" } } });
const startedAt = performance.now();
const { pods, errors, ...remembered } = await comeAndGone(Number(values.pods));
const isNothing = errors.length === 0 && Object.values(remembered).every((count) => count === 0);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(
  `${pods} pods in ${seconds} s: ${isNothing ? "nothing is remembered" : JSON.stringify({ ...remembered, errors: errors.slice(0, 5) })}`,
);
process.exitCode = isNothing ? 0 : 1;
