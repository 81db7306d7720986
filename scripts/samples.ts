/** `npm run samples -- [NAME…]`: Argo's samples by the built program on this machine's programs, compared with a node. */

import type { Difference } from "../test/conformance/replay/compare.js";
import { judgeAll, runnableHere, type Verdict } from "../test/samples/judge.js";
import { notSucceeding } from "../test/samples/known.js";
import { findSamples } from "../test/samples/recordings.js";

async function main(names: readonly string[]): Promise<number> {
  const samples = findSamples(names);
  if (samples === undefined) {
    console.error("Argo's samples do not lie beside this project: ../shared/argo/examples and ../shared/argo/samples");
    return 2;
  }
  const verdicts = await judgeAll(await runnableHere(samples, console.log), { parallel: 2, onVerdict: print });
  const succeeded = verdicts.filter((verdict) => verdict.succeeded);
  console.log(`${succeeded.length} of ${verdicts.length} succeeded as on the cluster`);
  return 0;
}

function print({ recording: { name }, run, took, succeeded, differences }: Verdict): void {
  const reason = notSucceeding[name];
  console.log(
    `${succeeded ? "✔" : "✖"} ${name} ${(took / 1000).toFixed(1)}s${reason === undefined ? "" : `  ${reason}`}`,
  );
  if (succeeded || reason !== undefined) return;
  if (run.workflow === undefined || differences.length === 0)
    console.log(indented(`exit ${run.exitCode}\n${run.stderr}`));
  else for (const difference of differences) printDifference(difference);
}

function printDifference({ path, ours, argos }: Difference): void {
  console.log(`    ${path}\n      ours: ${short(ours)}\n      Argo: ${short(argos)}`);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "    ").trimEnd();
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 400 ? text : `${text.slice(0, 400)}…`;
}

process.exitCode = await main(process.argv.slice(2));
