/** All commands by name, each loaded only when it is called. */

import type { CommandModule } from "./module.js";

export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

export const commandTable: readonly CommandEntry[] = [
  { name: "run", summary: "run workflows here, now, and wait for their end", load: () => import("./run.js") },
  { name: "up", summary: "keep a place running that takes submitted workflows", load: () => import("./up.js") },
  { name: "submit", summary: "hand workflows to the place that is up", load: () => import("./submit.js") },
  { name: "list", aliases: ["ls"], summary: "list workflows", load: () => import("./list.js") },
  { name: "get", summary: "show a workflow and its steps", load: () => import("./get.js") },
  { name: "logs", summary: "show what steps wrote", load: () => import("./logs.js") },
  { name: "wait", summary: "wait for workflows to end", load: () => import("./wait.js") },
  { name: "retry", summary: "run a failed workflow again, only what is not done", load: () => import("./retry.js") },
  { name: "shell", summary: "open a shell in a step as it left its files", load: () => import("./shell.js") },
  { name: "cp", summary: "copy output artifacts to a folder", load: () => import("./cp.js") },
  { name: "stop", summary: "stop workflows; exit handlers run", load: () => import("./stop.js") },
  { name: "terminate", summary: "end workflows at once", load: () => import("./terminate.js") },
  { name: "suspend", summary: "start no more steps", load: () => import("./suspend.js") },
  { name: "resume", summary: "go on with a suspended workflow", load: () => import("./resume.js") },
  { name: "node", summary: "set the outcome of a suspended step", load: () => import("./node-set.js") },
  {
    name: "delete",
    aliases: ["rm"],
    summary: "delete workflows and what they left",
    load: () => import("./delete.js"),
  },
  { name: "lint", summary: "check files, start nothing", load: () => import("./lint.js") },
  { name: "version", summary: "print the version", load: () => import("./version.js") },
];

export function findCommand(name: string): CommandEntry | undefined {
  return commandTable.find((entry) => entry.name === name || entry.aliases?.includes(name) === true);
}
