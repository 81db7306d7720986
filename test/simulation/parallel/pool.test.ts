import { expect, test } from "vitest";
import { playBatch, usualPlay } from "./batch.js";
import { Pool } from "./pool.js";

test("threads come to what one after the other comes to", async () => {
  const seeds = { from: 1, count: 50 };
  const pool = await Pool.open({ threads: 2, play: usualPlay });
  try {
    const shared = await pool.play(
      seeds,
      () => true,
      () => undefined,
    );
    expect(shared).toEqual(await playBatch(seeds, usualPlay));
    expect(shared.workflows).toBeGreaterThan(50);
  } finally {
    await pool.close();
  }
});
