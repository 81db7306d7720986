import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isJsonList, isJsonObject, type Json, jsonEquals } from "../std/json.js";
import { printJson } from "./print/json.js";
import { printYaml } from "./print/yaml.js";
import { decodeResource, encodeResource } from "./resource.js";
import { readDocuments } from "./source/read.js";

/** Argo's own samples lie beside the repository where they were fetched; undefined where they were not. */
function argoExamplesFolder(): string | undefined {
  const repository = join(dirname(fileURLToPath(import.meta.url)), "../../..");
  const folder = join(repository, "../shared/argo/examples");
  return existsSync(folder) ? folder : undefined;
}

/** What the samples hold besides what a person could run: other kinds, and one that repeats a key by mistake. */
const FOREIGN_KINDS = new Set(["WorkflowEventBinding", "ResourceQuota", ""]);
const REPEATS_A_KEY = "k8s-patch-json-workflow.yaml";

const folder = argoExamplesFolder();
const files =
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:ya?ml|json)$/.test(name));

test.runIf(folder === undefined)("Argo's samples are absent: ../shared/argo/examples is not there", () => {
  expect(files).toEqual([]);
});

test.runIf(folder !== undefined)("Argo's samples are all found", () => {
  expect(files.length).toBeGreaterThanOrEqual(217);
});

test.each(files)("%s means the same read, printed and read again", (name) => {
  const text = readFileSync(join(folder ?? "", name), "utf8");
  const { documents, problems } = readDocuments(text, name);
  expect(problems.map(({ code }) => code)).toEqual(name === REPEATS_A_KEY ? ["duplicate-field"] : []);
  for (const document of documents) {
    if (FOREIGN_KINDS.has(document.kind)) continue;
    const { value, problems } = decodeResource(document);
    expect(problems).toEqual([]);
    if (value === undefined) throw new Error("no value");
    const encoded = encodeResource(value);
    expect(losses(document.value, encoded, "")).toEqual([]);
    for (const printed of [printYaml(encoded), printJson(encoded)]) {
      const again = readDocuments(printed, name);
      expect(again.problems).toEqual([]);
      const decoded = decodeResource(again.documents[0] ?? document);
      expect(decoded.problems).toEqual([]);
      expect(jsonEquals(decoded.value, value)).toBe(true);
    }
  }
});

/** What `after` lacks or says otherwise: null is absent, and a scalar may have become its text. */
function losses(before: Json, after: Json | undefined, path: string): string[] {
  if (before === null) return [];
  if (isJsonList(before)) {
    if (!isJsonList(after) || after.length !== before.length) return [path];
    return before.flatMap((item, index) => losses(item, after[index], `${path}[${index}]`));
  }
  if (isJsonObject(before)) {
    if (!isJsonObject(after)) return [path];
    const added = Object.keys(after).filter((key) => !(key in before) && key !== "metadata");
    return [
      ...added.map((key) => `${path}.${key} was added`),
      ...Object.entries(before).flatMap(([key, item]) => losses(item, after[key], `${path}.${key}`)),
    ];
  }
  return String(before) === String(after) ? [] : [path];
}
