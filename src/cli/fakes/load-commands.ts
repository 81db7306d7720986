/** Loads every command before the first test: on a busy machine that takes longer than a test may. */

import { commandTable } from "../commands/table.js";

export const LOAD_TIMEOUT_MS = 120_000;

export async function loadCommands(): Promise<void> {
  await Promise.all([
    ...commandTable.map((entry) => entry.load()),
    import("../commands/call.js"),
    import("../report-error.js"),
  ]);
}
