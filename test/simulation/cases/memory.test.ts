/** I9: of pods that have come and gone nothing is remembered. The whole 100,000: `npx tsx scripts/pods-gone.ts`. */

import { expect, test } from "vitest";
import { comeAndGone } from "./come-and-gone.js";

const COUNT = 1000;

test(`${COUNT} pods have come and gone: queues, maps and caches hold nothing of them`, async () => {
  const nothing = { left: 0, controller: 0, cached: 0, kubelet: 0, timers: 0, errors: [] };
  expect(await comeAndGone(COUNT)).toEqual({ pods: COUNT, ...nothing });
}, 120_000);
