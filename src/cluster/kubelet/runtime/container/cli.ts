/** The container program's command line, run by whoever starts processes for this driver. */

import { HelperGoneError, type PendingRequest } from "../host/helper-client.js";
import type { ContainerProgram } from "./program.js";
import type { CommandReply, ContainerRequest, PumpReply, StreamBytes } from "./protocol.js";

type Distributed<T> = T extends unknown ? Omit<T, "id"> : never;
export type ContainerRequestBody = Distributed<ContainerRequest>;

/** Starts programs; a helper process, where containers are run. */
export interface CommandStarter {
  begin<T>(body: ContainerRequestBody, said?: (line: string) => void): PendingRequest<T>;
}

export interface CliOptions {
  readonly program: ContainerProgram;
  /** Path of the program, or its name on the PATH of `env`. */
  readonly file: string;
  /** The user's own: logins, addresses of daemons and contexts are found through it. */
  readonly env: Readonly<Record<string, string>>;
  /** The one of now; a new one after the last has ended. */
  readonly starter: () => CommandStarter;
}

export interface RunOptions {
  /** Beside the user's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly said?: (line: string) => void;
  /** Ends the command when it aborts. */
  readonly signal?: AbortSignal;
}

/** A daemon that is asleep needs its time; one that hangs must not hold a pod for ever. */
const TIMEOUT_MS = 120_000;

export class Cli {
  readonly program: ContainerProgram;
  readonly #options: CliOptions;

  constructor(options: CliOptions) {
    this.program = options.program;
    this.#options = options;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#options.env;
  }

  /** The words of a whole command. */
  argv(args: readonly string[]): readonly string[] {
    return [this.#options.file, ...this.program.global, ...args];
  }

  /** Rejects with HelperGoneError only; what the program says of a failure is in the reply. */
  run(args: readonly string[], options: RunOptions = {}): Promise<CommandReply> {
    return this.runProgram(this.argv(args), options);
  }

  /** Some other program, in the same environment. */
  async runProgram(argv: readonly string[], options: RunOptions = {}): Promise<CommandReply> {
    const { said, signal, timeoutMs } = options;
    const pending = this.#options.starter().begin<CommandReply>(
      {
        op: "command",
        argv,
        env: { ...this.#options.env, ...options.env },
        tells: said === undefined ? "end" : "lines",
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
      said,
    );
    const cancel = (): void => pending.cancel();
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    return pending.reply.finally(() => signal?.removeEventListener("abort", cancel));
  }

  /** A command that answers at once, if at all. */
  ask(args: readonly string[], options: RunOptions = {}): Promise<CommandReply> {
    return this.run(args, { timeoutMs: TIMEOUT_MS, ...options });
  }

  /** The same, for those that must succeed. Rejects with {@link CommandError}. */
  async demand(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const reply = await this.ask(args, options);
    if (reply.exitCode !== 0) throw new CommandError(this.program.name, args, reply);
    return reply.stdout.trim();
  }

  pump(args: readonly string[], folder: string, skip: StreamBytes | undefined): PendingRequest<PumpReply> {
    return this.#options.starter().begin<PumpReply>({
      op: "pump",
      argv: this.argv(args),
      env: this.#options.env,
      folder,
      ...(skip === undefined ? {} : { skip }),
    });
  }
}

export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(program: string, args: readonly string[], reply: CommandReply) {
    super(`${program} ${args[0] ?? ""}: ${complaintOf(reply)}`);
  }
}

/** What the program said of its failure, without its own prefixes. */
export function complaintOf(reply: CommandReply): string {
  if (reply.timedOut) return "no answer";
  const lines = reply.stderr.split("\n").filter((line) => line.trim() !== "" && !/^See '/.test(line));
  const text = lines.find((line) => /^(docker: )?Error/.test(line)) ?? lines.at(-1) ?? `exit ${reply.exitCode}`;
  return text.replace(/^(?:docker: )?(?:Error response from daemon: |Error: )/, "").trim();
}

export function isHelperGone(error: unknown): boolean {
  return error instanceof HelperGoneError;
}
