/** The built program as a person uses it: in a pipe, or on a real pseudo-terminal, with a home of its own. */

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as pty from "@lydell/node-pty";
import { type Account, mine } from "./accounts.js";
import { processesWith } from "./processes.js";
import { VirtualScreen } from "./virtual-screen.js";

const program = fileURLToPath(new URL("../../dist/tiphys.js", import.meta.url));

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
  /** Takes what the program prints instead of having it kept: for more than a text should hold. */
  readonly reader?: (chunk: Buffer) => void;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

interface Opening {
  readonly size: ScreenSize;
  readonly env: Readonly<Record<string, string>>;
  readonly screen: VirtualScreen | undefined;
}

/** A user with an empty home and a folder to work in; `dispose` takes both away. */
export class User {
  readonly folder: string;
  readonly home: string;
  /** In the environment of every process that this user starts, and of all that come of it. */
  readonly mark: string;
  private readonly running = new Set<Running>();
  private readonly terminals = new Set<Terminal>();

  constructor(readonly account: Account = mine) {
    this.folder = mkdtempSync(join(tmpdir(), "tiphys-e2e-"));
    this.home = join(this.folder, "home");
    this.mark = basename(this.folder);
    mkdirSync(join(this.folder, "shared"));
    for (const folder of [this.folder, join(this.folder, "shared")]) {
      chmodSync(folder, 0o755);
      if (account.id !== undefined) chownSync(folder, account.id, account.id);
    }
  }

  /** Writes a file into the user's folder, and answers its name. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    if (this.account.id !== undefined) chownSync(path, this.account.id, this.account.id);
    return name;
  }

  /** Flags that mark the processes of steps, and show them the folder `shared` as $SEEN: what stands there, they wrote. */
  get traced(): readonly string[] {
    const seen = join(this.folder, "seen");
    const mount = ["--mount", `${join(this.folder, "shared")}:${seen}`];
    return [...mount, "--env", `SEEN=${seen}`, "--env", `MARK=${this.mark}`];
  }

  /** The lines that steps wrote to the file of that name in $SEEN, in the order written. */
  seen(name: string): readonly string[] {
    const path = join(this.folder, "shared", name);
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  }

  /** Runs to the end. */
  tiphys(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return this.start(args, options).ended;
  }

  start(args: readonly string[], options: RunOptions = {}): Running {
    const [file = "", ...words] = [...this.account.prefix, process.execPath, program, ...args];
    const child = spawn(file, words, {
      cwd: options.cwd ?? this.folder,
      env: this.environment(options.env),
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
    const running = new Running(child, options.reader);
    this.running.add(running);
    running.ended.then(() => this.running.delete(running));
    return running;
  }

  /** On a terminal of that size, whose screen knows only what the program itself may write. */
  terminal(args: readonly string[], size: ScreenSize, env: Readonly<Record<string, string>> = {}): Terminal {
    return this.open(args, { size, env, screen: new VirtualScreen(size) });
  }

  /** On a terminal where other programs than ours write too: only its output is kept. */
  shell(args: readonly string[]): Terminal {
    const size = { columns: 80, rows: 24 };
    return this.open(args, { size, env: {}, screen: undefined });
  }

  private open(args: readonly string[], { size, env, screen }: Opening): Terminal {
    const [file = "", ...words] = [...this.account.prefix, process.execPath, program, ...args];
    const child = pty.spawn(file, words, {
      name: "xterm-256color",
      cols: size.columns,
      rows: size.rows,
      cwd: this.folder,
      env: this.environment({ TERM: "xterm-256color", ...env }),
    });
    const terminal = new Terminal(child, screen);
    this.terminals.add(terminal);
    return terminal;
  }

  /** Command lines of what still runs of anything this user started. */
  leftovers(): readonly string[] {
    return processesWith(this.mark).map(({ command }) => command);
  }

  async dispose(): Promise<void> {
    for (const { pid } of processesWith(this.mark)) kill(pid);
    await Promise.all([...this.running].map((running) => running.ended));
    await Promise.all([...this.terminals].map((terminal) => terminal.ended));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** No container daemon of the machine's is used: what these tests show must not depend on there being one. */
  protected environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { PATH = "", HOME = "", LANG = "C.UTF-8" } = process.env;
    const nobody = `unix://${join(this.folder, "nobody-listens")}`;
    return {
      PATH,
      HOME: this.account.id === undefined ? HOME : this.folder,
      LANG,
      TIPHYS_HOME: this.home,
      DOCKER_HOST: nobody,
      CONTAINER_HOST: nobody,
      ...extra,
    };
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** Resolves each time something was heard. */
class Hearing {
  private readonly listeners = new Set<() => void>();

  next(): Promise<void> {
    return new Promise((resolve) => {
      const listener = (): void => {
        this.listeners.delete(listener);
        resolve();
      };
      this.listeners.add(listener);
    });
  }

  notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export class Running {
  stdout = "";
  stderr = "";
  /** When it has ended and nobody holds its outputs open any more. */
  readonly ended: Promise<Ended>;
  /** When the process itself has ended. */
  readonly exited: Promise<void>;
  private readonly hearing = new Hearing();
  private isOver = false;

  constructor(
    readonly child: ChildProcess,
    reader?: (chunk: Buffer) => void,
  ) {
    if (reader !== undefined) child.stdout?.on("data", reader);
    else
      child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        this.stdout += text;
        this.hearing.notify();
      });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.hearing.notify();
    });
    this.exited = new Promise((resolve) => child.on("exit", () => resolve()));
    this.ended = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
        this.isOver = true;
        this.hearing.notify();
      });
    });
  }

  /** Resolves when the program has printed it; rejects when it ends without. */
  async printed(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.stdout + this.stderr)) {
      if (this.isOver) throw new Error(`ended without printing ${pattern}:\n${this.stdout}\n${this.stderr}`);
      await this.hearing.next();
    }
  }
}

export class Terminal {
  /** All that was written to it. */
  output = "";
  readonly screen: VirtualScreen;
  readonly ended: Promise<number>;
  private readonly hearing = new Hearing();
  private isOver = false;

  constructor(
    private readonly terminal: pty.IPty,
    screen: VirtualScreen | undefined,
  ) {
    this.screen = screen ?? new VirtualScreen({ columns: 80, rows: 24 });
    terminal.onData((text) => {
      this.output += text;
      screen?.write(text);
      this.hearing.notify();
    });
    this.ended = new Promise((resolve) =>
      terminal.onExit(({ exitCode }) => {
        resolve(exitCode);
        this.isOver = true;
        this.hearing.notify();
      }),
    );
  }

  type(text: string): void {
    this.terminal.write(text);
  }

  signal(name: NodeJS.Signals): void {
    this.terminal.kill(name);
  }

  /** The window is closed. */
  hangUp(): void {
    if ("destroy" in this.terminal && typeof this.terminal.destroy === "function") this.terminal.destroy();
  }

  /** Resolves when the screen shows it; rejects when the program ends without. */
  async shows(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.screen.text)) {
      if (this.isOver) throw new Error(`ended without showing ${pattern}:\n${this.screen.text}`);
      await this.hearing.next();
    }
  }
}
