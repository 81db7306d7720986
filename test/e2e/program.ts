/** The built program as a person uses it: in a pipe, or on a real pseudo-terminal, with a home of its own. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as pty from "@lydell/node-pty";

const program = fileURLToPath(new URL("../../dist/tiphys.js", import.meta.url));
export const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A user with an empty home and a folder to work in; `dispose` takes both away. */
export class User {
  readonly folder = mkdtempSync(join(tmpdir(), "tiphys-e2e-"));
  readonly home = join(this.folder, "home");
  private readonly running = new Set<Running>();

  /** Runs to the end. */
  tiphys(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return this.start(args, options).ended;
  }

  start(args: readonly string[], options: RunOptions = {}): Running {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: options.cwd ?? this.folder,
      env: this.environment(options.env),
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
    const running = new Running(child);
    this.running.add(running);
    running.ended.then(() => this.running.delete(running));
    return running;
  }

  /** On a terminal of that size; `screen` is all that was written to it. */
  terminal(args: readonly string[], size: { readonly columns: number; readonly rows: number }): Terminal {
    return new Terminal(
      pty.spawn(process.execPath, [program, ...args], {
        name: "xterm-256color",
        cols: size.columns,
        rows: size.rows,
        cwd: this.folder,
        env: this.environment({ TERM: "xterm-256color" }),
      }),
    );
  }

  async dispose(): Promise<void> {
    for (const running of this.running) running.child.kill("SIGKILL");
    await Promise.all([...this.running].map((running) => running.ended));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { PATH = "", HOME = "", LANG = "C.UTF-8" } = process.env;
    return { PATH, HOME, LANG, TIPHYS_HOME: this.home, ...extra };
  }
}

export class Running {
  stdout = "";
  stderr = "";
  readonly ended: Promise<Ended>;
  private readonly listeners = new Set<() => void>();

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.notify();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.notify();
    });
    this.ended = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
        this.notify();
      });
    });
  }

  /** Resolves when the program has printed it; rejects when it ends without. */
  async printed(pattern: RegExp): Promise<void> {
    const end = this.ended.then(() => true);
    while (!pattern.test(this.stdout + this.stderr)) {
      const more = new Promise<boolean>((resolve) => {
        const listener = (): void => {
          this.listeners.delete(listener);
          resolve(false);
        };
        this.listeners.add(listener);
      });
      const isOver = await Promise.race([more, end]);
      if (isOver && !pattern.test(this.stdout + this.stderr)) {
        throw new Error(`ended without printing ${pattern}:\n${this.stdout}\n${this.stderr}`);
      }
    }
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export class Terminal {
  screen = "";
  readonly ended: Promise<number>;

  constructor(private readonly terminal: pty.IPty) {
    terminal.onData((text) => {
      this.screen += text;
    });
    this.ended = new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  }

  type(text: string): void {
    this.terminal.write(text);
  }
}
