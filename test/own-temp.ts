/** A folder for temporary files of each test file's own, removed after it: what a test leaves behind is left to nobody. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const before = process.env["TMPDIR"];
// Short: sockets lie in it, and their paths may be no longer than about a hundred characters.
const folder = mkdtempSync(join(tmpdir(), "tt-"));
process.env["TMPDIR"] = folder;

// Registered first, so called last.
afterAll(() => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  rmSync(folder, { recursive: true, force: true });
});
