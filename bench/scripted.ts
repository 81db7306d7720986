/** Our own cost of a step, and of many at once: scripted steps on the memory store. */

import { chain, fanOut, median, scriptedCluster, timeWorkflow } from "./lib/cluster.js";

const STEPS = 40;
const ROUNDS = 7;

async function main(): Promise<void> {
  const cluster = await scriptedCluster();
  await timeWorkflow(cluster.client, "warm-up", chain(STEPS));
  const overheads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await timeWorkflow(cluster.client, `one-${round}`, chain(1));
    const many = await timeWorkflow(cluster.client, `many-${round}`, chain(STEPS));
    overheads.push((many - one) / (STEPS - 1));
  }
  console.log(`scripted step: p50 ${median(overheads).toFixed(2)} ms a step (target 3 ms)`);
  const thousand = await timeWorkflow(cluster.client, "fan-1000", fanOut(1000));
  console.log(`fan-out of 1,000: ${(thousand / 1000).toFixed(2)} s (target 3 s)`);
  const fiveThousand = await timeWorkflow(cluster.client, "fan-5000", fanOut(5000));
  console.log(
    `fan-out of 5,000: ${(fiveThousand / 1000).toFixed(2)} s, ${(fiveThousand / thousand).toFixed(1)} times that (target 6 times)`,
  );
  await cluster.close();
}

await main();
