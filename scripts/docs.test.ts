import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");

const documents = [
  ...["README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md"],
  ...["docs", "decisions", "changes"].flatMap((folder) =>
    readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`),
  ),
];

test.each(documents)("the files and commands that %s names are there", (document) => {
  const text = read(document);
  const named = [...text.matchAll(/`((?:src|test|bench|scripts|docs|decisions|changes)\/[\w./-]*\w)\/?`/g)];
  const paths = named.map(([, path = ""]) => path);
  if (document === "docs/promises.md") expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  const asked = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, script = ""]) => script);
  expect(asked.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

/** `lessons A-01, G.3 2, 3` -> A-01, G.3 2, G.3 3. */
function lessonsIn(text: string): readonly string[] {
  const singles = [...text.matchAll(/\b(A-\d\d|A\.0|D-\d\d)\b/g)].map(([, name = ""]) => name);
  const listed = [...text.matchAll(/\b(G\.[123]),? (\d+(?:, \d+)*)/g)].flatMap(([, group = "", numbers = ""]) =>
    numbers.split(", ").map((number) => `${group}, ${number}`),
  );
  return [...singles, ...listed];
}

test("what comments in src name stands in docs/sources.md", () => {
  const sources = read("docs/sources.md");
  const files = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const unknown = files.flatMap((name) => {
    const text = read(`src/${name}`);
    const lessons = [...text.matchAll(/lessons [^()]*/g)].flatMap(([words]) => lessonsIn(words));
    const parts = [...text.matchAll(/\bdesign (\d[\d.]*)/g)].map(
      ([, part = ""]) => `design ${part.replace(/\.$/, "")}`,
    );
    const missing = lessons.filter((lesson) => !sources.includes(`| ${lesson} |`));
    return [...missing, ...parts.filter((part) => !sources.includes(`\`${part}\``))].map((what) => `${name}: ${what}`);
  });
  expect(unknown).toEqual([]);
});
