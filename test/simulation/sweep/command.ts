/** `npm run simulate -- --sweep [NAME…] [--at crash:17]`. */

import { parseArgs } from "node:util";
import { messageOf } from "../../../src/core/std/message.js";
import { parseFaultAt, textOf, UnknownError } from "./fault-at.js";
import { type Sample, samples } from "./sample.js";
import { type Divergence, perturb, type Recorded, record, sweep, WrongBeforeFaultsError } from "./sweep.js";

type Write = (text: string) => void;

interface Counts {
  readonly runs: number;
  readonly diverged: number;
}

/** Answers the exit code: 1 when something diverged, 2 when there is nothing of what was asked for. */
export async function sweepCommand(args: readonly string[], write: Write): Promise<number> {
  try {
    const { values, positionals } = flagsOf(args);
    const chosen = samples(positionals);
    return await (values.at === undefined ? many(chosen, write) : one(chosen, values.at, write));
  } catch (error) {
    if (!(error instanceof UnknownError)) throw error;
    write(`${error.message}\n`);
    return 2;
  }
}

function flagsOf(args: readonly string[]): {
  readonly values: { readonly at?: string };
  readonly positionals: readonly string[];
} {
  try {
    const options = { sweep: { type: "boolean" }, at: { type: "string" } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UnknownError(messageOf(error));
  }
}

async function many(chosen: readonly Sample[], write: Write): Promise<number> {
  let [runs, diverged] = [0, 0];
  for (const sample of chosen) {
    const counts = await all(sample, write);
    runs += counts.runs;
    diverged += counts.diverged;
  }
  write(`${chosen.length} workflows, ${runs} runs, ${diverged} diverge\n`);
  return diverged === 0 ? 0 : 1;
}

async function all(sample: Sample, write: Write): Promise<Counts> {
  try {
    const recorded = await record(sample);
    const counts = await allOf(recorded, write);
    const { writes, events } = recorded.recording;
    const { runs, diverged } = counts;
    write(`${sample.name}: ${writes.length} writes, ${events.length} events, ${runs} runs, ${diverged} diverge\n`);
    return counts;
  } catch (error) {
    if (!(error instanceof WrongBeforeFaultsError)) throw error;
    write(`${error.message}\n`);
    return { runs: 1, diverged: 1 };
  }
}

async function allOf(recorded: Recorded, write: Write): Promise<Counts> {
  let [runs, diverged] = [0, 0];
  for await (const divergence of sweep(recorded)) {
    runs++;
    if (divergence === undefined) continue;
    diverged++;
    write(divergenceText(divergence));
  }
  return { runs, diverged };
}

/** Just that run, with its history. */
async function one(chosen: readonly Sample[], at: string, write: Write): Promise<number> {
  const [sample, ...others] = chosen;
  if (sample === undefined || others.length > 0) throw new UnknownError("--at goes with the name of one sample");
  const { played, divergence } = await perturb(await record(sample), parseFaultAt(at));
  write(
    `${played.world.history.print()}\n${divergence === undefined ? "nothing diverges\n" : divergenceText(divergence)}`,
  );
  return divergence === undefined ? 0 : 1;
}

/** What differs, and the command that repeats just that run. */
export function divergenceText({ sample, at, why }: Divergence): string {
  const lines = why.map((text) => `    ${text}\n`).join("");
  return `${sample} diverges: npm run simulate -- --sweep ${sample} --at ${textOf(at)}\n${lines}`;
}
