import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Artifact, ArtifactLocation } from "../core/model/argo/artifact.js";
import type { Workflow } from "../core/model/argo/workflow.js";
import { openArchiver } from "./archive/index.js";
import { placeLocation } from "./place.js";
import { type ArtifactReader, artifactReader } from "./reader.js";
import { storesOf } from "./stores.js";
import { readListing, temporaryFolder, writeListing } from "./testing/folder.js";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let reader: ArtifactReader;
let put: (location: ArtifactLocation, path: string) => Promise<void>;

beforeEach(async () => {
  folder = await temporaryFolder();
  const options = { placeFolder: join(folder.path, "place"), sharedFolder: join(folder.path, "shared") };
  reader = artifactReader(options, openArchiver({}));
  put = async (location, path) => {
    const artifact: Artifact = { name: "a", ...location };
    await storesOf(options)(artifact)?.put(artifact, path);
  };
});
afterEach(() => folder.remove());

async function read(artifact: Artifact, defaults?: ArtifactLocation): Promise<readonly [string, string, Buffer]> {
  const { fileName, driver, bytes } = await reader.open(artifact, defaults);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return [fileName, driver, Buffer.concat(chunks)];
}

test("a file of the place, by its key alone", async () => {
  await writeFile(join(folder.path, "in"), "content");
  await put(placeLocation("wf/pod/a.tgz"), join(folder.path, "in"));
  expect(await read({ name: "a", s3: { key: "wf/pod/a.tgz" } })).toEqual(["a.tgz", "fs", Buffer.from("content")]);
});

test("a file of a remote store, completed from where the workflow keeps its artifacts", async () => {
  await writeFile(join(folder.path, "in"), "content");
  await put({ gcs: { bucket: "b", key: "x/a" } }, join(folder.path, "in"));
  const read1 = await read({ name: "a", gcs: { key: "x/a" } }, { gcs: { bucket: "b", key: "any" } });
  expect(read1).toEqual(["a", "gcs", Buffer.from("content")]);
});

test("a folder comes as a tar, and nothing temporary stays", async () => {
  await writeListing(join(folder.path, "in"), { x: "1" });
  await put(placeLocation("wf/pod/out"), join(folder.path, "in"));
  const [fileName, driver, bytes] = await read({ name: "a", s3: { key: "wf/pod/out" } });
  expect([fileName, driver]).toEqual(["out.tgz", "fs"]);
  expect(gunzipSync(bytes).toString("latin1")).toContain("out/x\0");
  expect(await readListing(join(folder.path, "place"))).toEqual({ ".incoming": "/", "wf/pod/out/x": "1" });
});

test("reading given up half way leaves nothing either", async () => {
  await writeListing(join(folder.path, "in"), { x: "1" });
  await put(placeLocation("k"), join(folder.path, "in"));
  const { bytes } = await reader.open({ name: "a", s3: { key: "k" } });
  for await (const _chunk of bytes) break;
  expect(await readListing(join(folder.path, "place"))).toEqual({ ".incoming": "/", "k/x": "1" });
});

test("reading given up before it began, or that fails, leaves nothing either", async () => {
  await writeListing(join(folder.path, "in"), { x: "1" });
  await put(placeLocation("k"), join(folder.path, "in"));
  const given = await reader.open({ name: "a", s3: { key: "k" } });
  await given.bytes[Symbol.asyncIterator]().return?.();
  const scratch = join(folder.path, "place/.incoming");
  expect(await readdir(scratch)).toEqual([]);
  const failing = await reader.open({ name: "a", s3: { key: "k" } });
  for (const name of await readdir(scratch)) await rm(join(scratch, name, "content"));
  await expect(failing.bytes[Symbol.asyncIterator]().next()).rejects.toThrow("ENOENT");
  expect(await readdir(scratch)).toEqual([]);
});

test("an output of a node lies where its template, or else the workflow, keeps artifacts", async () => {
  await writeFile(join(folder.path, "in"), "content");
  const locations: Readonly<Record<string, ArtifactLocation>> = {
    "of-template": { s3: { bucket: "own", key: "k" } },
    "of-workflow": { s3: { bucket: "repository", key: "k" } },
  };
  for (const location of Object.values(locations)) await put(location, join(folder.path, "in"));
  const node = { name: "", displayName: "", type: "Pod" } as const;
  const outputs = { artifacts: [{ name: "a", s3: { key: "k" } }] };
  const workflow: Workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: {},
    spec: { templates: [{ name: "of-template", archiveLocation: { s3: { bucket: "own", key: "any" } } }] },
    status: {
      artifactRepositoryRef: { artifactRepository: { s3: { bucket: "repository" } } },
      nodes: Object.fromEntries(
        Object.keys(locations).map((name) => [name, { ...node, id: name, templateName: name, outputs }]),
      ),
    },
  };
  for (const [nodeId, location] of Object.entries(locations)) {
    await expect(reader.openOutput(workflow, nodeId, "a")).resolves.toMatchObject({ fileName: "k", driver: "s3" });
    await rm(join(folder.path, "shared/s3", location.s3?.bucket ?? ""), { recursive: true });
    await expect(reader.openOutput(workflow, nodeId, "a")).rejects.toMatchObject({ code: "not-found" });
  }
  await expect(reader.openOutput(workflow, "of-workflow", "b")).rejects.toThrow("has no output artifact b");
  await expect(reader.openOutput(workflow, "none", "a")).rejects.toThrow("node none has no output artifact a");
});

test("raw data", async () => {
  expect(await read({ name: "a", raw: { data: "text" } })).toEqual(["a", "raw", Buffer.from("text")]);
});

test.each<readonly [artifact: Artifact, code: string]>([
  [{ name: "a", s3: { key: "none" } }, "not-found"],
  [{ name: "a" }, "not-found"],
  [{ name: "a", s3: { key: "../x" } }, "invalid"],
  [{ name: "a", git: { repo: "r" } }, "unsupported"],
])("%j: %s", async (artifact, code) => {
  await expect(reader.open(artifact)).rejects.toMatchObject({ name: "ArtifactError", code });
});
