import { expect, test } from "vitest";
import { hasNodeSqlite, withoutWarning } from "./sql-database.js";

test("Node's own SQLite is taken from 22.13 on, where it needs no flag", () => {
  expect(["20.20.0", "22.12.0", "22.13.0", "24.0.0"].map(hasNodeSqlite)).toEqual([false, false, true, true]);
});

test("one warning is not shown, others are, and afterwards all are", async () => {
  const shown: string[] = [];
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error): void => void shown.push(String(warning));
  try {
    const said = await withoutWarning("SQLite is", async () => {
      process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning");
      process.emitWarning("another", "ExperimentalWarning");
      return "done";
    });
    process.emitWarning("SQLite is an old friend");
    expect(said).toBe("done");
    expect(shown).toEqual(["another", "SQLite is an old friend"]);
  } finally {
    process.emitWarning = emitWarning;
  }
});
