/** One run of the engine, told for people: the workflow, what was done, what the engine was told and made of it. */

import type { Game } from "./game.js";
import type { EnginePlan } from "./plan.js";

export function engineStory({ seed, workflow, acts, options }: EnginePlan, { history, broken }: Game): string {
  const done = acts.map(({ act }) => act).join(", ");
  const said = broken.map(({ invariant, message }) => `${invariant}: ${message}\n`).join("");
  const head = `seed ${seed}, ${JSON.stringify(options)}\n${JSON.stringify(workflow.spec)}\nacts: ${done}\n`;
  return `${head}\n${history.print()}\n${said === "" ? "nothing is broken\n" : said}`;
}
