/** The flags of `npm run simulate`, read strictly: a seed that was mistyped must not play another run. */

import { parseArgs } from "node:util";
import { messageOf } from "../../src/core/std/message.js";
import { usualLimits } from "./generate/plan.js";

export interface Flags {
  /** One run, with its history; else many. */
  readonly seed: number | undefined;
  readonly from: number;
  readonly count: number;
  readonly minutes: number;
  readonly workers: number;
  readonly pods: number;
  readonly engineCheck: "each pass" | "off";
  readonly plans: "usual" | "elections" | "losses" | "engine";
  /** Whether a broken run is shown as it was, or as small as it can be made. */
  readonly shown: "whole" | "shrunk";
  readonly kinds: "told" | "left out";
}

export const usage = `npm run simulate -- [flags]

  --seed N       plays one run and prints its history; a broken one is made smaller first
  --whole        with --seed: prints a broken run as it was
  --from N       the first of many seeds (1)
  --count N      how many seeds (as many as there are until Ctrl-C)
  --minutes M    how long
  --workers N    threads that share the seeds (1)
  --pods N       pods of one workflow, at most about (${usualLimits.podsMax})
  --elections    two controllers, and hand-overs between them
  --losses       machines are lost, one after the other, and pods are deleted on them
  --engine       the engine alone, without a world around it
  --check        decides each pass a second time from nothing
  --kinds        prints at the end how often each kind of fault came about

npm run simulate -- --sweep [NAME…] [--at KIND:N]

  every fault at every position of our sample workflows, or of those named; with --at just that run, with its history
`;

export class FlagError extends Error {
  override readonly name = "FlagError";
}

export function readFlags(args: readonly string[]): Flags {
  const values = parsed(args);
  const numberOf = (flag: "seed" | "from" | "count" | "workers" | "pods"): number | undefined =>
    wholeNumber(flag, values[flag]);
  checkTogether(values);
  return {
    seed: numberOf("seed"),
    from: numberOf("from") ?? 1,
    count: numberOf("count") ?? Number.POSITIVE_INFINITY,
    minutes: minutesOf(values.minutes),
    workers: numberOf("workers") ?? 1,
    pods: numberOf("pods") ?? usualLimits.podsMax,
    engineCheck: values.check === true ? "each pass" : "off",
    plans: plansOf(values),
    shown: values.whole === true ? "whole" : "shrunk",
    kinds: values.kinds === true ? "told" : "left out",
  };
}

type Values = ReturnType<typeof parsed>;

/** Flags that mean nothing beside one another. */
function checkTogether(values: Values): void {
  if (values.whole === true && values.seed === undefined) throw new FlagError("--whole goes with --seed");
  for (const flag of ["elections", "losses", "check"] as const)
    if (values.engine === true && values[flag] === true)
      throw new FlagError(`--engine plays without a world: --${flag} is for runs with one`);
  for (const flag of ["from", "count", "minutes", "workers"] as const)
    if (values.seed !== undefined && values[flag] !== undefined)
      throw new FlagError(`--seed plays one run: --${flag} is for many`);
}

function plansOf({ engine, elections, losses }: Values): Flags["plans"] {
  if (elections === true && losses === true)
    throw new FlagError("--elections and --losses are runs of two kinds: --losses has some with two controllers");
  if (engine === true) return "engine";
  if (losses === true) return "losses";
  return elections === true ? "elections" : "usual";
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seed: { type: "string" },
        from: { type: "string" },
        count: { type: "string" },
        minutes: { type: "string" },
        workers: { type: "string" },
        pods: { type: "string" },
        check: { type: "boolean" },
        elections: { type: "boolean" },
        losses: { type: "boolean" },
        engine: { type: "boolean" },
        whole: { type: "boolean" },
        kinds: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw new FlagError(messageOf(error));
  }
}

function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value;
  throw new FlagError(`--${flag} takes a whole number above 0, not '${text}'`);
}

function minutesOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new FlagError(`--minutes takes a number above 0, not '${text}'`);
}
