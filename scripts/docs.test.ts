import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test.each(["docs/promises.md", "ARCHITECTURE.md", "README.md"])("the files that %s names are there", (document) => {
  const text = readFileSync(`${root}${document}`, "utf8");
  const named = [...text.matchAll(/`((?:src|test|bench|scripts|docs)\/[\w./-]+\.\w+)`/g)].map(([, path = ""]) => path);
  if (document.startsWith("docs/")) expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});
