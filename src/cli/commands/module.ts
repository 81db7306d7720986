/** What a command's file exports as `command`. */

import type { Command } from "commander";
import type { Context } from "../context.js";

export interface CommandDefinition {
  /** Arguments, flags, examples. */
  define(command: Command): void;
  /** The exit code. Rejects with CliError, ProblemsError, PlaceError or ApiError for what the user can understand. */
  run(context: Context, call: Call): Promise<number>;
}

export interface Call {
  readonly args: readonly string[];
  /** The flags, as {@link CommandDefinition.define} declared them. */
  options<T extends object>(): T;
}

/** For flags that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Shown below the flags. */
export function examples(command: Command, lines: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}
