/** What ends a command before its time: a text for the user, an exit code, and what to do. */

import type { Problem } from "../core/std/problem.js";
import { exitCodes } from "./exit-codes.js";

/** Printed as `error: message`, then the hint. Not for defects: those are plain errors. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    readonly exitCode: number,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Bad input: exit 2, nothing was started. */
export function badInput(message: string, hint?: string): CliError {
  return new CliError(exitCodes.badInput, message, hint);
}

/** Something asked for does not exist: exit 1, as Argo's commands. */
export function notFound(message: string, hint?: string): CliError {
  return new CliError(exitCodes.failed, message, hint);
}

/** Cannot be done here: exit 3, nothing was started. */
export function cannotRun(message: string, hint?: string): CliError {
  return new CliError(exitCodes.cannotRun, message, hint);
}

/** Problems of the input, printed with the lines they stand in. */
export class ProblemsError extends Error {
  override readonly name = "ProblemsError";

  constructor(
    readonly exitCode: number,
    readonly problems: readonly Problem[],
    /** Text of the files named in positions. */
    readonly texts: ReadonlyMap<string, string>,
  ) {
    super(problems[0]?.message ?? "problems");
  }
}

/** What a command may be ended by that a user can understand and mend. */
export type UserError = CliError | ProblemsError;

/** Several at once; the exit code is the first's. */
export class CliErrors extends Error {
  override readonly name = "CliErrors";

  constructor(readonly errors: readonly UserError[]) {
    super(errors.map(({ message }) => message).join("; "));
  }
}

export function isForUser(error: unknown): error is UserError | CliErrors {
  return error instanceof CliError || error instanceof ProblemsError || error instanceof CliErrors;
}
