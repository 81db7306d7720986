/** The command line of the simulator. */

import { parseArgs } from "node:util";
import { faultText } from "./faults/fault.js";
import { electionPlanOf } from "./generate/elections.js";
import { planOf, usualLimits } from "./generate/plan.js";
import { type Plan, type RunResult, run } from "./run.js";
import { shrink } from "./shrink.js";

type Write = (text: string) => void;

/** Answers the exit code: 1 when something was broken. */
export async function main(args: readonly string[], write: Write): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string" },
      from: { type: "string", default: "1" },
      count: { type: "string" },
      minutes: { type: "string" },
      pods: { type: "string", default: String(usualLimits.podsMax) },
      check: { type: "boolean", default: false },
      whole: { type: "boolean", default: false },
      elections: { type: "boolean", default: false },
    },
  });
  const limits = { ...usualLimits, podsMax: Number(values.pods) };
  const make = (seed: number): Plan => (values.elections ? electionPlanOf(seed, limits.podsMax) : planOf(seed, limits));
  const more = values.check ? { engineCheck: "each pass" as const } : {};
  if (values.seed !== undefined) return one({ ...make(Number(values.seed)), ...more }, !values.whole, write);
  const until = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
  const from = Number(values.from);
  const count = values.count === undefined ? Number.POSITIVE_INFINITY : Number(values.count);
  let [workflows, faults, broken] = [0, 0, 0];
  for (let seed = from; seed < from + count && Date.now() < until; seed++) {
    const plan = { ...make(seed), ...more };
    const result = await run(plan);
    workflows += plan.workflows.length;
    faults += result.faults;
    if (result.broken.length > 0) {
      broken++;
      write(
        `seed ${seed}: ${result.broken.map(({ invariant, message }) => `${invariant}: ${message}`).join("\n    ")}\n`,
      );
    }
    if ((seed - from) % 1000 === 999) write(`${total(workflows, faults, broken)}\n`);
  }
  write(`${total(workflows, faults, broken)}\n`);
  return broken === 0 ? 0 : 1;
}

function total(workflows: number, faults: number, broken: number): string {
  return `${workflows} workflows, ${faults} faults, ${broken} broken`;
}

async function one(plan: Plan, shrinks: boolean, write: Write): Promise<number> {
  const result = await run(plan);
  const isBroken = result.broken.length > 0;
  const shown = isBroken && shrinks ? await shrink(plan, result) : { plan, result };
  write(story(shown.plan, shown.result));
  return result.broken.length === 0 ? 0 : 1;
}

/** What was run, what happened, what is broken. */
export function story(plan: Plan, { world, broken }: RunResult): string {
  const faults = plan.faults.map((fault) => `  ${faultText(fault)}\n`).join("");
  const said = broken.map(({ invariant, message }) => `${invariant}: ${message}\n`).join("");
  const { seed, latencyMaxMs, survival, controllers } = plan;
  const options = `seed ${seed}, latency to ${latencyMaxMs} ms, containers ${survival}, ${controllers} controller(s)\n`;
  const workflows = plan.workflows.map((workflow) => `${JSON.stringify(workflow.spec)}\n`).join("");
  return `${options}${workflows}faults:\n${faults}\n${world.history.print()}\n${said === "" ? "nothing is broken\n" : said}`;
}
