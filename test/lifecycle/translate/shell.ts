/**
 * What a small shell script does, read from its text: the few idioms that the cases use. A script with anything else is
 * refused, never guessed at.
 */

export interface ShellRun {
  /** Undefined: it runs until it is told to stop. */
  readonly durationMs: number | undefined;
  readonly exitCode: number;
  readonly stdout: string;
  readonly files: Readonly<Record<string, string>>;
  /** When each file was there. */
  readonly fileAtMs: Readonly<Record<string, number>>;
  /** What SIGTERM does to it, where it says so itself. */
  readonly onTerm: "ignore" | ShellRun | undefined;
  /** The kernel or the node steps in. */
  readonly trouble?: "memory" | "volume";
}

export class UntranslatedError extends Error {
  override readonly name = "UntranslatedError";
}

/** Rejects what it does not know with {@link UntranslatedError}. */
export function translateShell(script: string): ShellRun {
  const shell = new Shell();
  for (const statement of statementsOf(script)) {
    if (!shell.run(statement)) break;
  }
  return shell.result();
}

interface Statement {
  readonly text: string;
  readonly background: boolean;
}

/** Split at `;`, `&` and newlines outside of quotes and brackets. */
function statementsOf(script: string): readonly Statement[] {
  const statements: Statement[] = [];
  let from = 0;
  const end = (at: number, background: boolean): void => {
    const text = script.slice(from, at).trim();
    if (text !== "") statements.push({ text, background });
    from = at + 1;
  };
  for (const at of topLevel(script)) {
    if (script[at] === ";" || script[at] === "\n") end(at, false);
    else if (isLoneAmpersand(script, at)) end(at, true);
  }
  end(script.length, false);
  return statements;
}

/** Places outside of quotes and brackets. */
function* topLevel(script: string): Generator<number> {
  let quote = "";
  let depth = 0;
  for (const [at, char] of [...script].entries()) {
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (depth === 0) yield at;
  }
}

/** Neither `&&` nor `>&`. */
function isLoneAmpersand(script: string, at: number): boolean {
  return script[at] === "&" && script[at + 1] !== "&" && !"&>".includes(script[at - 1] ?? " ");
}

type Command = readonly [RegExp, (shell: Shell, match: RegExpExecArray) => boolean | undefined];

const commands: readonly Command[] = [
  [/^true$/, () => true],
  [/^sleep ([\d.]+)$/, (shell, [, seconds]) => shell.sleep(Number(seconds))],
  [/^exit (\d+)$/, (shell, [, code]) => shell.exit(Number(code))],
  [/^echo (.*?) > (\/\S+)$/, (shell, [, text = "", path = ""]) => shell.write(path, `${text}\n`)],
  [/^touch (\/\S+)$/, (shell, [, path = ""]) => shell.write(path, "")],
  [/^echo (.*)$/, (shell, [, text = ""]) => shell.print(`${unquoted(text)}\n`)],
  [/^cat \/\S+$/, () => true],
  [/^printf '%s' '.*' \| od .*$/s, () => true],
  [/^printf "(.*)"$/s, (shell, [, format = ""]) => shell.print(printed(format))],
  [
    /^head -c (\d+) \/dev\/zero \| tr "\\0" (\w)$/,
    (shell, [, count, char = ""]) => shell.print(char.repeat(Number(count))),
  ],
  [/^trap "" TERM$/, (shell) => shell.ignoreTerm()],
  [/^trap "(.+)" TERM$/, (shell, [, script = ""]) => shell.onTerm(script)],
  [/^kill -(9|TERM) \$\$$/, (shell, [, signal]) => shell.exit(signal === "9" ? 137 : 143)],
  [/^\[ (\S+) = (\S+) \] \|\| exit (\d+)$/, (shell, [, one, other, code]) => one === other || shell.exit(Number(code))],
  // A loop without an end; its body is of no consequence.
  [/^while :$/, (shell) => shell.forever()],
  [/^tail \/dev\/zero$/, (shell) => shell.meets("memory")],
  [/^dd if=\/dev\/zero of=\S+ bs=1M count=\d+$/, (shell) => shell.meets("volume")],
  [/^wait$/, (shell) => shell.wait()],
  // A child of which nobody waits for the end.
  [/^\(.*&\)$/, () => true],
];

class Shell {
  #atMs = 0;
  #exitCode = 0;
  #isEndless = false;
  #stdout = "";
  #files: Record<string, string> = {};
  #fileAtMs: Record<string, number> = {};
  #onTerm: ShellRun["onTerm"];
  #trouble: ShellRun["trouble"];
  #childEndsAtMs = 0;

  /** False: the script has ended. */
  run({ text, background }: Statement): boolean {
    if (background) return this.#background(text);
    for (const [pattern, act] of commands) {
      const match = pattern.exec(text);
      if (match !== null) return act(this, match) ?? true;
    }
    throw new UntranslatedError(`the shell command ${JSON.stringify(text)} is not known here`);
  }

  result(): ShellRun {
    return {
      durationMs: this.#isEndless ? undefined : this.#atMs,
      exitCode: this.#exitCode,
      stdout: this.#stdout,
      files: this.#files,
      fileAtMs: this.#fileAtMs,
      onTerm: this.#onTerm,
      ...(this.#trouble === undefined ? {} : { trouble: this.#trouble }),
    };
  }

  sleep(seconds: number): true {
    this.#atMs += seconds * 1000;
    return true;
  }

  exit(code: number): false {
    this.#exitCode = code;
    return false;
  }

  write(path: string, text: string): true {
    this.#files[path] = text;
    this.#fileAtMs[path] = this.#atMs;
    return true;
  }

  print(text: string): true {
    this.#stdout += text;
    return true;
  }

  ignoreTerm(): true {
    this.#onTerm = "ignore";
    return true;
  }

  onTerm(script: string): true {
    this.#onTerm = translateShell(script);
    return true;
  }

  forever(): false {
    this.#isEndless = true;
    return false;
  }

  wait(): true {
    this.#atMs = Math.max(this.#atMs, this.#childEndsAtMs);
    return true;
  }

  meets(trouble: "memory" | "volume"): true {
    this.#trouble = trouble;
    return true;
  }

  #background(text: string): boolean {
    const child = translateShell(text);
    this.#childEndsAtMs = Math.max(this.#childEndsAtMs, this.#atMs + (child.durationMs ?? 0));
    return true;
  }
}

function unquoted(text: string): string {
  return text.replaceAll(/^['"]|['"]$/g, "");
}

/** A byte that is no UTF-8 reads as the replacement character, here as in a result. */
function printed(format: string): string {
  return format.replaceAll("\\n", "\n").replaceAll(/\\[0-7]{3}/g, "\ufffd");
}
