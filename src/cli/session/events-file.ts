/** Where the lines of `--events` go: a file that is opened before anything is begun, or stdout. */

import { appendFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Context } from "../context.js";
import { badInput } from "../errors.js";
import { writeFault } from "../report-error.js";

export interface EventSink {
  /** `lost` hears once why nothing more is written. */
  write(text: string, lost: (why: string) => void): void;
  /** Resolves when all of it is written, or lost. */
  settled(): Promise<void>;
}

/** Makes the file, or empties the one that is there. Rejects with CliError where it cannot be written. */
export async function openEvents({ ports }: Context, file: string | undefined): Promise<EventSink | undefined> {
  if (file === undefined) return undefined;
  if (file === "-") return { write: (text) => void ports.stdout.write(text), settled: () => Promise.resolve() };
  const path = resolve(ports.cwd, file);
  await writeFile(path, "").catch((error: NodeJS.ErrnoException) => {
    throw badInput(
      `--events ${file}: ${openFault(error, dirname(file))}`,
      "--events FILE is a file to write; - is stdout",
    );
  });
  return new EventsFile(path, file);
}

function openFault(error: NodeJS.ErrnoException, folder: string): string {
  switch (error.code) {
    case "ENOENT":
      return `there is no folder ${folder}: make it first`;
    case "EISDIR":
      return "it is a folder: name a file in it";
    default:
      return writeFault(error);
  }
}

class EventsFile implements EventSink {
  readonly #path: string;
  readonly #name: string;
  #written: Promise<void> = Promise.resolve();
  #isLost = false;

  constructor(path: string, name: string) {
    this.#path = path;
    this.#name = name;
  }

  write(text: string, lost: (why: string) => void): void {
    this.#written = this.#written.then(() => this.#append(text, lost));
  }

  settled(): Promise<void> {
    return this.#written;
  }

  /** After a line that was torn no other one may follow: it would be read as part of it. */
  async #append(text: string, lost: (why: string) => void): Promise<void> {
    if (this.#isLost) return;
    try {
      await appendFile(this.#path, text);
    } catch (error) {
      this.#isLost = true;
      const why = error instanceof Error ? writeFault(error) : String(error);
      lost(`--events ${this.#name}: ${why}; the run goes on, no more of it is written there`);
    }
  }
}
