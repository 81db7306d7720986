/** All commands by name; nothing of them is loaded before one is called. */

import type { CommandDefinition } from "./module.js";

export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly load: () => Promise<CommandDefinition>;
}

type Working = typeof import("./all.js");

/** Only `version` is so quick that the others would be felt. */
function load(name: keyof Working): () => Promise<CommandDefinition> {
  return async () => (await import("./all.js"))[name];
}

export const commandTable: readonly CommandEntry[] = [
  { name: "run", summary: "run workflows here, now, and wait for their end", load: load("run") },
  { name: "up", summary: "keep a place running that takes submitted workflows", load: load("up") },
  { name: "submit", summary: "hand workflows to the place that is up", load: load("submit") },
  { name: "list", aliases: ["ls"], summary: "list workflows", load: load("list") },
  { name: "get", summary: "show a workflow and its steps", load: load("get") },
  { name: "logs", summary: "show what steps wrote", load: load("logs") },
  { name: "wait", summary: "wait for workflows to end", load: load("wait") },
  { name: "retry", summary: "run a failed workflow again, only what is not done", load: load("retry") },
  { name: "shell", summary: "open a shell in a step as it left its files", load: load("shell") },
  { name: "cp", summary: "copy output artifacts to a folder", load: load("cp") },
  { name: "stop", summary: "stop workflows; exit handlers run", load: load("stop") },
  { name: "terminate", summary: "end workflows at once", load: load("terminate") },
  { name: "suspend", summary: "start no more steps", load: load("suspend") },
  { name: "resume", summary: "go on with a suspended workflow", load: load("resume") },
  { name: "node", summary: "set the outcome of a suspended step", load: load("nodeSet") },
  {
    name: "delete",
    aliases: ["rm"],
    summary: "delete workflows and what they left",
    load: load("deletion"),
  },
  { name: "lint", summary: "check files, start nothing", load: load("lint") },
  { name: "controller", summary: "free all pods before an uninstall (--release)", load: load("controller") },
  { name: "version", summary: "print the version", load: async () => (await import("./version.js")).command },
];

export function findCommand(name: string): CommandEntry | undefined {
  return commandTable.find((entry) => entry.name === name || entry.aliases?.includes(name) === true);
}
