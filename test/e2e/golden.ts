/** Texts as they are read, kept in files; `TIPHYS_GOLDEN=write` writes them anew, for the eyes of whoever changed them. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

/** `url` is relative to this folder: `./wrong/messages/empty.txt`. A file that is not there fails. */
export function expectGolden(text: string, url: string): void {
  const file = fileURLToPath(new URL(url, import.meta.url));
  if (process.env["TIPHYS_GOLDEN"] === "write") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}
