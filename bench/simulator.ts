/**
 * How fast the simulator plays: random workflows of about ten nodes, faults on, by one thread. The ratio is to taking the
 * same workflows through JSON text, so that machines can be compared.
 */

import { planOf } from "../test/simulation/generate/plan.js";
import { usualPlay } from "../test/simulation/parallel/batch.js";
import { Pool } from "../test/simulation/parallel/pool.js";
import { verdict } from "./lib/measure.js";

const TARGET_A_SECOND = 100;
/** Until the code is warm: for about a thousand workflows the compiler still makes it faster. */
const WARM_UP = { from: 1, count: 1000 };
const MEASURED = { from: 1001, count: 2000 };
const BARE_ROUNDS = 20;

/** Milliseconds of one workflow through text and back. */
function bare(): number {
  const seeds = Array.from({ length: 500 }, (_, index) => MEASURED.from + index);
  const workflows = seeds.flatMap((seed) => planOf(seed).workflows);
  const start = performance.now();
  for (let round = 0; round < BARE_ROUNDS; round++) {
    for (const workflow of workflows) JSON.parse(JSON.stringify(workflow));
  }
  return (performance.now() - start) / workflows.length / BARE_ROUNDS;
}

async function main(): Promise<void> {
  const pool = await Pool.open({ threads: 1, play: usualPlay });
  const play = (seeds: typeof MEASURED) =>
    pool.play(
      seeds,
      () => true,
      () => undefined,
    );
  await play(WARM_UP);
  const start = performance.now();
  const { workflows, nodes, faults, broken } = await play(MEASURED);
  const ms = performance.now() - start;
  await pool.close();
  if (broken.length > 0) throw new Error(`seed ${broken[0]?.seed} is broken`);
  const perSecond = workflows / (ms / 1000);
  console.log(
    `simulator, one thread: ${perSecond.toFixed(0)} workflows a second, each of ${(nodes / workflows).toFixed(1)} nodes ` +
      `and ${(faults / workflows).toFixed(1)} faults; ratio to its JSON text ${(ms / workflows / bare()).toFixed(0)} ` +
      `(target ${TARGET_A_SECOND} a second: ${verdict(perSecond >= TARGET_A_SECOND)})`,
  );
}

await main();
