#!/usr/bin/env node
/** The program: hands the command line its ports, and the process its exit code. */

import { processPorts } from "./process-ports.js";
import { versionInfo } from "./version.js";

async function start(): Promise<number> {
  const ports = processPorts(versionInfo(), async () => (await import("./place-host.js")).placeHost);
  const { main } = await import("../cli/main.js");
  return main(process.argv.slice(2), ports);
}

// Node ends a process in which nothing is left to wait for, with success: a command that never said how it ended has none.
const endsUnsaid = (): void => {
  process.stderr.write("tiphys: internal error: the command stopped before its end\n");
  process.exitCode = 4;
};
process.once("beforeExit", endsUnsaid);

start().then(
  (code) => {
    process.off("beforeExit", endsUnsaid);
    process.exitCode = code;
  },
  (error: unknown) => {
    process.off("beforeExit", endsUnsaid);
    // Only a defect of ours comes here: every fault a user can cause has been answered before.
    process.stderr.write(
      `tiphys: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 4;
  },
);
