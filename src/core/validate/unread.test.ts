import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { decodeResource, fieldPath, itemPath, readDocuments } from "../model/index.js";
import { isJsonList, isJsonObject, type Json } from "../std/json.js";
import type { Problem } from "../std/problem.js";
import { validateResource } from "./index.js";

const repository = join(dirname(fileURLToPath(import.meta.url)), "../../..");

const files = ["examples", "test/e2e/stranger"].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => join(folder, name)),
);

/** One fault each, at every field in turn. */
function* faultyCopies(value: Json, path: string): Generator<readonly [what: string, faulty: Json]> {
  if (isJsonList(value)) {
    for (const [index, item] of value.entries()) {
      for (const [what, faulty] of faultyCopies(item, itemPath(path, index))) yield [what, value.with(index, faulty)];
    }
  }
  if (!isJsonObject(value)) return;
  for (const [key, one] of Object.entries(value)) {
    const at = fieldPath(path, key);
    const { [key]: _, ...rest } = value;
    if (at !== "kind" && at !== "apiVersion") {
      yield [`${at} with a letter too many`, { ...rest, [`${key}q`]: one }];
      yield [`${at} under a name like no other`, { ...rest, strange: one }];
      yield [`${at} of another type`, { ...value, [key]: typeof one === "object" ? 7 : { a: [1] } }];
    }
    for (const [what, faulty] of faultyCopies(one, at)) yield [what, { ...value, [key]: faulty }];
  }
}

/** What validation says, and whether decoding had said something before. */
function validated(value: Json): { readonly told: readonly Problem[]; readonly isWhole: boolean } {
  if (!isJsonObject(value)) throw new Error("no map");
  const decoded = decodeResource(value, { format: "yaml" });
  if (decoded.value === undefined) return { told: [], isWhole: true };
  const { unread } = decoded;
  const { problems } = validateResource(decoded.value, { facts: { get: () => undefined }, mode: "lint", unread });
  return { told: problems, isWhole: unread.length === 0 };
}

function textOf({ code, path, message }: Problem): string {
  return `${code} ${path}: ${message}`;
}

test.each(files)(
  "%s: with one part that cannot be read, validation tells nothing that it did not tell before",
  (file) => {
    const text = readFileSync(join(repository, file), "utf8");
    for (const { value } of readDocuments(text, file).documents) {
      const before = new Set(validated(value).told.map(textOf));
      const followed = [...faultyCopies(value, "")].flatMap(([what, faulty]) => {
        const { told, isWhole } = validated(faulty);
        return isWhole
          ? []
          : told
              .map(textOf)
              .filter((line) => !before.has(line))
              .map((line) => `${what}: ${line}`);
      });
      expect(followed).toEqual([]);
    }
  },
);

function linesOf(yaml: string): readonly string[] {
  const header = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\n";
  const [document] = readDocuments(header + yaml, "w.yaml").documents;
  if (document === undefined) throw new Error("no document");
  const { value, unread } = decodeResource(document);
  if (value === undefined) throw new Error("no value");
  return validateResource(value, { facts: { get: () => undefined }, mode: "lint", unread }).problems.map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

const WORK = "container: {image: alpine, command: [echo]}";

// What is wrong besides the part that cannot be read, and what only follows from it.
test.each<[what: string, spec: string, lines: readonly string[]]>([
  [
    "a typo in a container, and an entrypoint that is not there",
    `spec: {entrypoint: mian, templates: [{name: main, container: {image: alpine, comand: [echo]}}]}`,
    ['spec.entrypoint: there is no template "mian"'],
  ],
  [
    "a typo in the field for the work, and a name used twice",
    `spec: {entrypoint: main, templates: [{name: main, contaner: {image: alpine}}, {name: main, ${WORK}}]}`,
    ['spec.templates[1].name: two of the templates are called "main"'],
  ],
  [
    "a typo in a name: the template may be the one that is looked for",
    `spec: {entrypoint: main, templates: [{nmae: main, ${WORK}}, {name: other, container: {command: [x]}}]}`,
    ["spec.templates[1].container: image is missing"],
  ],
  [
    "templates that stand twice: the first are not seen",
    `spec:\n  entrypoint: main\n  onExit: bye\n  templates: [{name: main, ${WORK}}]\n  templates: [{name: bye, ${WORK}}]`,
    [],
  ],
  [
    "a typo in dependencies, and a tag that no repair can mend",
    `spec: {entrypoint: main, templates: [{name: work, ${WORK}}, {name: main, dag: {tasks: [{name: a, template: work}, {name: b, template: work, dependancies: [a], when: "{{tasks.a.outputs.result}} == {{inputs.parameters.no}}"}]}}]}`,
    ["spec.templates[1].dag.tasks[1].when: {{inputs.parameters.no}}"],
  ],
  [
    "a loop that is no list: item may be right",
    `spec: {entrypoint: main, templates: [{name: work, inputs: {parameters: [{name: x}]}, ${WORK}}, {name: main, steps: [[{name: a, template: work, withItems: "{{x}}", arguments: {parameters: [{name: x, value: "{{item}}"}]}}]]}]}`,
    [],
  ],
])("%s", (_, spec, lines) => {
  expect(linesOf(spec)).toEqual(lines);
});
