import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { decodeResource, type KnownResource, readDocuments } from "../model/index.js";
import { firstArgoError, invalidSpecOf, validateResource } from "./index.js";
import { factsOf } from "./testing/cases.js";

vi.setConfig({ testTimeout: 60_000 });

/** What the real controller did lies beside the repository where it was fetched; undefined where it was not. */
function argoFolder(): string | undefined {
  const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../../shared/argo");
  return existsSync(folder) ? folder : undefined;
}

const argo = argoFolder();

function filesIn(folder: string, ending: RegExp): string[] {
  if (argo === undefined) return [];
  const names = readdirSync(join(argo, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => ending.test(name)).map((name) => join(argo, folder, name));
}

function resourcesIn(file: string): KnownResource[] {
  if (!existsSync(file)) return [];
  return readDocuments(readFileSync(file, "utf8"), file).documents.flatMap((document) => {
    const { value } = decodeResource(document);
    return value === undefined ? [] : [value];
  });
}

const samples = filesIn("examples", /\.ya?ml$/).map((file) => ({ name: basename(file), resources: resourcesIn(file) }));
const library = samples.flatMap(({ resources }) => resources);

const recordings = ["examples", "variants", "random", "hang"]
  .flatMap((folder) => filesIn(join("runs", folder), /\.json$/))
  .flatMap((file) => {
    const { submitted, rejected, phase, message } = JSON.parse(readFileSync(file, "utf8"));
    return submitted === undefined || rejected !== undefined ? [] : [{ file, submitted, phase, message }];
  });

test.runIf(argo === undefined)("recordings are absent: ../shared/argo is not there", () => {
  expect(recordings).toEqual([]);
});

test.runIf(argo !== undefined)("the controller's word on every workflow that it was given", () => {
  const invalid: string[] = [];
  for (const { file, submitted, message } of recordings) {
    const { value } = decodeResource(submitted);
    if (value?.kind !== "Workflow") throw new Error(`${file}: no workflow`);
    const facts = factsOf([...resourcesIn(file.replace(/\.json$/, ".yaml")), ...library]);
    const recorded = /^invalid spec: (.*)/s.exec(message ?? "")?.[1];
    const ours = invalidSpecOf(value, facts);
    expect(`${file}: ${ours}`).toBe(`${file}: ${recorded}`);
    if (recorded !== undefined) invalid.push(recorded);
  }
  expect(recordings.length).toBeGreaterThanOrEqual(380);
  expect(new Set(invalid).size).toBeGreaterThanOrEqual(13);
});

test.runIf(argo !== undefined)("nothing that went well is called an error", () => {
  const refused = recordings
    .filter(({ phase }) => phase === "Succeeded")
    .flatMap(({ file, submitted }) => {
      const { value } = decodeResource(submitted);
      if (value === undefined) throw new Error(`${file}: no value`);
      const facts = factsOf([...resourcesIn(file.replace(/\.json$/, ".yaml")), ...library]);
      const { problems, needs } = validateResource(value, { facts });
      return [...problems.filter(({ severity }) => severity === "error"), ...needs].map((one) => ({ file, one }));
    });
  expect(refused).toEqual([]);
});

test.each(samples)("$name is right, read as it stands", ({ resources }) => {
  for (const resource of resources) {
    const { problems } = validateResource(resource, { facts: factsOf(library), mode: "lint" });
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(firstArgoError(problems)).toBeUndefined();
  }
});
