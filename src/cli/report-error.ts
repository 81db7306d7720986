/** Whatever ended a command -> a text on stderr and an exit code; never a stack trace. */

import { relative } from "node:path";
import { messageOf } from "../core/std/message.js";
import type { Problem } from "../core/std/problem.js";
import { ApiError, TransportError } from "../kube/errors.js";
import type { Context } from "./context.js";
import { CliError, CliErrors, ProblemsError } from "./errors.js";
import { exitCodes } from "./exit-codes.js";
import { PlaceError, type PlaceErrorCode, type Ports } from "./ports.js";
import { annotation } from "./print/ci.js";
import { inOrder, problemsText } from "./print/problems.js";
import { styleFor } from "./print/style.js";

/** Where it is told, and how that looks. */
export type Teller = Pick<Context, "ports" | "err">;

/** Of a command whose own flags may never have been read: those for its looks are looked for among its words. */
export function tellerOf(ports: Ports, argv: readonly string[]): Teller {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const without = (look: string): boolean =>
    words.some((word) => [`--no-${look}`, `--no-${look}=true`, `--${look}=false`].includes(word));
  const flags = { noColor: without("color"), noUtf8: without("utf8") };
  return { ports, err: styleFor({ isTTY: ports.stderr.isTTY, env: ports.env, ...flags }) };
}

export function reportError(error: unknown, teller: Teller): number {
  if (error instanceof CliErrors) return error.errors.map((one) => reportError(one, teller))[0] ?? exitCodes.internal;
  if (error instanceof ProblemsError) return reportProblems(error, teller);
  const told = explain(error);
  const { ports, err } = teller;
  ports.stderr.write(`${err.paint.red("error:")} ${told.message}\n`);
  if (told.hint !== undefined) ports.stderr.write(`  ${told.hint.replaceAll("\n", "\n  ")}\n`);
  return told.exitCode;
}

interface Told {
  readonly exitCode: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

const PLACE_CODES: Readonly<Record<PlaceErrorCode, number>> = {
  owned: exitCodes.failed,
  absent: exitCodes.failed,
  silent: exitCodes.internal,
  forbidden: exitCodes.cannotRun,
  store: exitCodes.internal,
  runtime: exitCodes.cannotRun,
  script: exitCodes.badInput,
  "not-yet": exitCodes.cannotRun,
};

function explain(error: unknown): Told {
  if (error instanceof CliError) return error;
  if (error instanceof PlaceError) return { ...error, exitCode: PLACE_CODES[error.code], message: error.message };
  if (error instanceof ApiError) {
    // What the API refuses as invalid is the user's input, whatever let it through until then.
    const exitCode = error.reason === "Invalid" ? exitCodes.badInput : exitCodes.failed;
    return { exitCode, message: error.message };
  }
  if (error instanceof TransportError) {
    const hint = "the process that owns the place may just have ended; try again";
    return { exitCode: exitCodes.internal, message: `no answer from the place: ${error.message}`, hint };
  }
  const message = messageOf(error);
  if (isSystemError(error)) return { exitCode: exitCodes.internal, ...systemWords(error) };
  return { exitCode: exitCodes.internal, message: `internal error: ${message}`, hint: firstFrame(error) };
}

interface SystemError extends Error {
  readonly code?: string;
  readonly path?: string;
  readonly syscall?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error;
}

const ELSEWHERE = "TIPHYS_HOME=DIR puts what tiphys keeps into another folder";

/** What the system refuses to people who did nothing wrong: what it means, and the way out. */
const refusals: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  EROFS: { message: "the file system is read-only", hint: ELSEWHERE },
  EACCES: { message: "permission denied", hint: ELSEWHERE },
  EPERM: { message: "permission denied", hint: ELSEWHERE },
  ENOSPC: { message: "no space is left on the disk", hint: `make room; ${ELSEWHERE}` },
  EDQUOT: { message: "this user's disk quota is used up", hint: `make room; ${ELSEWHERE}` },
  ENOTDIR: { message: "a file stands where a folder should be", hint: ELSEWHERE },
  EEXIST: { message: "a file stands where a folder should be", hint: ELSEWHERE },
  EMFILE: { message: "too many files are open", hint: "ulimit -n NUMBER lets a process open more" },
};

const noFolder = { message: "no folder can be made there", hint: ELSEWHERE };

/** Of a folder that the user named, where the fault is one of that folder. */
export function userFolderFault(error: unknown): string | undefined {
  const isOfFolder =
    isSystemError(error) && /^(?:EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|EISDIR)$/.test(error.code ?? "");
  return isOfFolder ? systemWords(error).message : undefined;
}

/** What the system says of a write that it did not take. */
export function writeFault(error: NodeJS.ErrnoException): string {
  return refusals[error.code ?? ""]?.message ?? error.message;
}

function systemWords({ code = "", path, message, syscall }: SystemError): Pick<Told, "message" | "hint"> {
  const known = syscall === "mkdir" && code === "ENOENT" ? noFolder : refusals[code];
  if (known === undefined) return { message };
  return path === undefined ? known : { ...known, message: `${path}: ${known.message}` };
}

/** One line that a report of the defect needs. */
function firstFrame(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const frame = error.stack?.split("\n").find((line) => line.trimStart().startsWith("at "));
  return `this is a defect of tiphys, not of your files${frame === undefined ? "" : ` (${frame.trim()})`}`;
}

function reportProblems({ problems, texts, exitCode }: ProblemsError, teller: Teller): number {
  printProblems(teller, problems, texts);
  return exitCode;
}

/** On stderr, each with its line; in GitHub's CI also as annotations. */
export function printProblems(
  { ports, err: style }: Teller,
  problems: readonly Problem[],
  texts: ReadonlyMap<string, string>,
): void {
  const ordered = inOrder(problems, texts.keys());
  const nameOf = (file: string): string => displayName(file, ports.cwd);
  const lineOf = (file: string, line: number): string | undefined => texts.get(file)?.split(/\r?\n/)[line - 1];
  const columns = ports.stderr.columns ?? 100;
  ports.stderr.write(problemsText(ordered, { style, columns, lineOf, nameOf }));
  if (ports.env.get("GITHUB_ACTIONS") === "true") {
    for (const problem of ordered) {
      const { position: at } = problem;
      const position = at && { ...at, file: repositoryName(at.file, ports) };
      const fault = { severity: problem.severity, title: problem.code, message: problem.message };
      ports.stdout.write(`${annotation(position === undefined ? fault : { ...fault, position })}\n`);
    }
  }
}

/** As the CI's checkout names it, whatever folder of it the command was called in. */
export function repositoryName(file: string, { env, cwd }: Pick<Ports, "env" | "cwd">): string {
  const root = env.get("GITHUB_WORKSPACE") || cwd;
  const inside = file.startsWith("/") ? relative(root, file) : file;
  return inside.startsWith("..") ? displayName(file, cwd) : inside;
}

/** Relative to the folder the user is in, where that is no longer. */
export function displayName(file: string, cwd: string): string {
  if (!file.startsWith("/")) return file;
  const short = relative(cwd, file);
  return short === "" || short.length > file.length ? file : short;
}
