/** What the helper reads of its own process: it is a program of its own, and has nobody above it to hand it a clock. */

/** Wall clock, milliseconds since the epoch. */
export function wallClock(): number {
  return Date.now();
}

/** The first argument: the folder on whose file system the containers write. */
export function folderArgument(): string {
  return process.argv[2] ?? ".";
}
