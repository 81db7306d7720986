/** Parses one command's words with commander and runs it. */

import { Command, CommanderError, type Option } from "commander";
import { type GlobalFlags, makeContext } from "../context.js";
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { tellIgnoredTargets } from "../places/target-variables.js";
import type { Ports } from "../ports.js";
import type { CommandDefinition } from "./module.js";
import type { CommandEntry } from "./table.js";

export interface CommandCall {
  readonly args: readonly string[];
  readonly globals: GlobalFlags;
  readonly ports: Ports;
}

export async function callCommand(
  entry: CommandEntry,
  definition: CommandDefinition,
  { args, globals, ports }: CommandCall,
): Promise<number> {
  const command = commandOf(entry, definition, ports);
  try {
    command.parse(withoutBooleanValues(args, command), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return parseOutcome(error, entry);
    throw error;
  }
  const look = command.opts<{ color?: boolean; utf8?: boolean; quiet?: boolean }>();
  const context = makeContext(ports, globals, {
    noColor: look.color === false,
    noUtf8: look.utf8 === false,
    quiet: look.quiet === true,
  });
  if (entry.name !== "version" && entry.name !== "lint") tellIgnoredTargets(context);
  return definition.run(context, { args: command.args, options: () => command.opts() });
}

/** The command as commander knows it: also what the tests of all flags look at. */
export function commandOf(entry: CommandEntry, definition: CommandDefinition, ports: Ports): Command {
  const command = new Command(`tiphys ${entry.name}`);
  command.description(`${entry.summary.charAt(0).toUpperCase()}${entry.summary.slice(1)}.`);
  for (const alias of entry.aliases ?? []) command.alias(alias);
  command.helpOption("-h, --help", "show this");
  command.option("--no-color", "no colours");
  command.option("--no-utf8", "only ASCII symbols");
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => ports.stdout.write(text),
    // Errors come back as exceptions and are told in one place.
    writeErr: () => undefined,
    getOutHelpWidth: () => Math.min(120, ports.stdout.columns ?? 100),
    getOutHasColors: () => false,
  });
  definition.define(command);
  for (const option of command.options) nameInFaults(option);
  return command;
}

/** What is wrong with a value says which flag it was given to. */
function nameInFaults(option: Option): void {
  const { parseArg } = option;
  if (parseArg === undefined) return;
  option.argParser((value, before) => {
    try {
      return parseArg(value, before);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      throw new CliError(error.exitCode, `${option.long ?? option.flags}: ${error.message}`, error.hint);
    }
  });
}

/** `--strict=false` as Argo's flags take it: commander knows `--strict` and `--no-strict` only. */
function withoutBooleanValues(args: readonly string[], command: Command): string[] {
  const booleans = new Set(command.options.filter((option) => option.isBoolean()).map((option) => option.long ?? ""));
  const words: string[] = [];
  for (const [index, word] of args.entries()) {
    if (word === "--") return [...words, ...args.slice(index)];
    const match = /^--(?:no-)?([\w-]+)=(true|false)$/.exec(word);
    const [, name = "", value] = match ?? [];
    if (!booleans.has(`--${name}`) && !booleans.has(`--no-${name}`)) words.push(word);
    else if (value === "true") {
      if (booleans.has(`--${name}`)) words.push(`--${name}`);
    } else if (booleans.has(`--no-${name}`)) words.push(`--no-${name}`);
  }
  return words;
}

function parseOutcome(error: CommanderError, entry: CommandEntry): number {
  if (error.exitCode === 0) return exitCodes.succeeded;
  const [message = "", ...hints] = error.message.replace(/^error: /, "").split("\n");
  const hint = hints.join(" ").replace(/^\(|\)$/g, "");
  throw new CliError(exitCodes.badInput, message, hint || `see tiphys ${entry.name} --help`);
}
