/** The command line of the simulator. */

import { type EnginePlan, enginePlanOf } from "./engine/plan.js";
import { play as playEngine } from "./engine/play.js";
import { shrinkEngine } from "./engine/shrink.js";
import { engineStory } from "./engine/story.js";
import { faultText } from "./faults/fault.js";
import { FlagError, type Flags, readFlags, usage } from "./flags.js";
import { brokenText, kindsText, type PlayOptions, planFor, type Tally, tallyText } from "./parallel/batch.js";
import { Pool } from "./parallel/pool.js";
import { type Plan, type RunResult, run } from "./run.js";
import { shrink } from "./shrink.js";

type Write = (text: string) => void;

const TOLD_EVERY_WORKFLOWS = 1000;

/**
 * Answers the exit code: 1 when something was broken, 2 when the flags say nothing that can be done. Once `isStopped`,
 * no seed is begun any more, and what was played is summed up.
 */
export async function main(args: readonly string[], write: Write, isStopped: () => boolean): Promise<number> {
  let flags: Flags;
  try {
    flags = readFlags(args);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    write(`${error.message}\n\n${usage}`);
    return 2;
  }
  const play: PlayOptions = { podsMax: flags.pods, engineCheck: flags.engineCheck, plans: flags.plans };
  if (flags.seed === undefined) return many(flags, play, { write, isStopped });
  if (flags.plans === "engine") return oneOfEngine(enginePlanOf(flags.seed, flags.pods), flags.shown, write);
  return one(planFor(flags.seed, play), flags.shown, write);
}

interface Terminal {
  readonly write: Write;
  readonly isStopped: () => boolean;
}

async function many(flags: Flags, play: PlayOptions, { write, isStopped }: Terminal): Promise<number> {
  const pool = await Pool.open({ threads: flags.workers, play });
  const startedAt = performance.now();
  const what = flags.plans === "engine" ? "changes" : "faults";
  const goesOn = (): boolean => !isStopped() && performance.now() - startedAt < flags.minutes * 60_000;
  try {
    const tally = await pool.play(flags, goesOn, progress(write, what));
    write(speedText(tally, performance.now() - startedAt, flags.workers));
    if (flags.kinds === "told") write(kindsText(tally));
    write(`${tallyText(tally, what)}\n`);
    return tally.broken.length === 0 ? 0 : 1;
  } finally {
    await pool.close();
  }
}

/** Broken runs at once, the running total now and then. */
function progress(write: Write, what: "faults" | "changes"): (sum: Tally) => void {
  let toldBroken = 0;
  let toldWorkflows = 0;
  return (sum) => {
    write(brokenText({ ...sum, broken: sum.broken.slice(toldBroken) }));
    toldBroken = sum.broken.length;
    if (sum.workflows - toldWorkflows < TOLD_EVERY_WORKFLOWS) return;
    toldWorkflows = sum.workflows;
    write(`${tallyText(sum, what)}\n`);
  };
}

/** `threads`: how many shared the work. */
export function speedText({ workflows, nodes }: Tally, ms: number, threads: number): string {
  const [all, allNodes, each] = [workflows, nodes, workflows / threads].map((count) =>
    (count / (ms / 1000)).toFixed(0),
  );
  return `${all} workflows (${allNodes} nodes) a second, by ${threads} thread(s): ${each} each\n`;
}

async function one(plan: Plan, shown: Flags["shown"], write: Write): Promise<number> {
  const result = await run(plan);
  const isBroken = result.broken.length > 0;
  const told = isBroken && shown === "shrunk" ? await shrink(plan, result) : { plan, result };
  write(story(told.plan, told.result));
  return isBroken ? 1 : 0;
}

async function oneOfEngine(plan: EnginePlan, shown: Flags["shown"], write: Write): Promise<number> {
  const result = playEngine(plan);
  const told = result.isBroken && shown === "shrunk" ? await shrinkEngine(plan, result) : { plan, result };
  write(engineStory(told.plan, told.result));
  return result.isBroken ? 1 : 0;
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
