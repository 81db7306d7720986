/** Argo's own samples on real processes: they end as they ended on a real node, or the reason is known. */

import { beforeAll, describe, expect, test } from "vitest";
import { judgeAll, runnableHere, type Verdict } from "../samples/judge.js";
import { notSucceeding } from "../samples/known.js";
import { findSamples } from "../samples/recordings.js";

/** Of 103. */
const SUCCEEDING_MIN = 70;

const samples = findSamples();
if (samples === undefined) console.log("Argo's samples are left out: they do not lie beside this project");

describe.skipIf(samples === undefined)("Argo's samples with --runtime host", () => {
  let verdicts: readonly Verdict[] = [];

  beforeAll(async () => {
    if (samples === undefined) return;
    verdicts = await judgeAll(await runnableHere(samples, console.log), { parallel: 2 });
  }, 900_000);

  test("all but those whose reason is known succeed, with the nodes, outputs and logs of the cluster", () => {
    const failed = verdicts.filter(({ succeeded }) => !succeeded);
    const surprising = failed.filter(({ recording }) => !(recording.name in notSucceeding));
    expect(surprising.map(explained)).toEqual([]);
    expect(failed.map(({ recording }) => recording.name).sort()).toEqual(Object.keys(notSucceeding).sort());
  });

  test(`at least ${SUCCEEDING_MIN} succeed`, () => {
    const count = verdicts.filter(({ succeeded }) => succeeded).length;
    console.log(`${count} of ${verdicts.length} succeeded as on the cluster`);
    expect(count).toBeGreaterThanOrEqual(SUCCEEDING_MIN);
  });

  test("what is refused is refused for that reason", () => {
    const refused = verdicts.filter(({ run }) => run.exitCode === 3);
    expect(refused.length).toBeGreaterThan(0);
    const others = refused.filter(({ recording, run }) => !run.stderr.includes(reasonOf(recording.name)));
    expect(others.map(explained)).toEqual([]);
  });

  test("a difference that is gone leaves the list of those that are known", () => {
    expect(verdicts.filter(({ isOutdated }) => isOutdated).map(({ recording }) => recording.name)).toEqual([]);
  });

  test("no run prints a warning of the machinery below", () => {
    expect(verdicts.filter(({ run }) => /Warning|^ {4}at /m.test(run.stderr)).map(explained)).toEqual([]);
  });
});

function reasonOf(name: string): string {
  return (notSucceeding[name] ?? "").split(";")[0] ?? "";
}

function explained({ recording, run, differences }: Verdict): unknown {
  return { name: recording.name, exitCode: run.exitCode, stderr: run.stderr, differences };
}
