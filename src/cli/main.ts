/** The command line: finds the command, loads it, and turns whatever goes wrong into a text and a code. */

import { commandTable, findCommand } from "./commands/table.js";
import type { GlobalFlags } from "./context.js";
import { CliError } from "./errors.js";
import { exitCodes } from "./exit-codes.js";
import { takeGlobalFlags } from "./global-flags.js";
import type { Ports } from "./ports.js";
import { shellWord } from "./print/shell-words.js";

/** Runs one command; resolves with the exit code when everything is written. Never rejects for what a user can do. */
export async function main(argv: readonly string[], ports: Ports): Promise<number> {
  const code = await dispatch(argv, ports).catch(async (error: unknown) => {
    const { reportError, tellerOf } = await import("./report-error.js");
    return reportError(error, tellerOf(ports, argv));
  });
  await ports.stdout.settled();
  return lostOutput(ports, code);
}

/** Who sends the answer into a file must not take half of it for the whole. */
async function lostOutput({ stdout, stderr }: Ports, code: number): Promise<number> {
  if (stdout.fault === undefined) return code;
  const { writeFault } = await import("./report-error.js");
  stderr.write(`error: stdout took only a part of it: ${writeFault(stdout.fault)}\n`);
  return code === exitCodes.succeeded ? exitCodes.internal : code;
}

async function dispatch(argv: readonly string[], ports: Ports): Promise<number> {
  if (argv.length === 1 && argv[0] === "--version") return dispatch(["version", "--short"], ports);
  const { globals, rest } = takeGlobalFlags(argv);
  const at = rest.findIndex((word) => !word.startsWith("-"));
  const word = at === -1 ? undefined : rest[at];
  if (word === undefined) return overview(rest, ports);
  const others = rest.filter((_, index) => index !== at);
  if (word === "help") return help(others, globals, ports);
  return call(word, { args: others, globals, ports });
}

interface Calling {
  readonly args: readonly string[];
  readonly globals: GlobalFlags;
  readonly ports: Ports;
}

async function call(word: string, { args, globals, ports }: Calling): Promise<number> {
  const entry = findCommand(word);
  if (entry === undefined) throw await unknownCommand(word);
  const [{ callCommand }, command] = await Promise.all([import("./commands/call.js"), entry.load()]);
  return callCommand(entry, command, { args, globals, ports });
}

function help(words: readonly string[], globals: GlobalFlags, ports: Ports): Promise<number> | number {
  const [word] = words;
  return word === undefined ? overview([], ports) : call(word, { args: ["--help"], globals, ports });
}

/** `tiphys` alone, or with `--help`. */
function overview(flags: readonly string[], ports: Ports): number {
  const unknown = flags.find((flag) => flag !== "--help" && flag !== "-h");
  if (unknown !== undefined) throw new CliError(exitCodes.badInput, `unknown flag ${unknown}`, "see tiphys --help");
  const width = Math.max(...commandTable.map((entry) => entry.name.length));
  const lines = commandTable.map((entry) => `  ${entry.name.padEnd(width)}   ${entry.summary}`);
  ports.stdout.write(
    [
      "Runs Argo Workflows on this machine.",
      "",
      "Usage: tiphys COMMAND [FLAGS]",
      "",
      ...lines,
      "",
      "Try:  tiphys run hello.yaml",
      "      tiphys COMMAND --help",
      "",
    ].join("\n"),
  );
  return exitCodes.succeeded;
}

async function unknownCommand(word: string): Promise<CliError> {
  const { nearestName } = await import("../core/model/codec/suggest.js");
  if (/\.(ya?ml|json)$/.test(word)) {
    return new CliError(exitCodes.badInput, `"${word}" is no command`, `did you mean: tiphys run ${shellWord(word)}`);
  }
  const names = commandTable.flatMap((entry) => [entry.name, ...(entry.aliases ?? [])]);
  const near = nearestName(word, names);
  const hint = near === undefined ? "see tiphys --help" : `did you mean "${near}"?`;
  return new CliError(exitCodes.badInput, `"${word}" is no command`, hint);
}
