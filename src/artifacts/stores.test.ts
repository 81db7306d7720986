import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Artifact, ArtifactLocation } from "../core/model/argo/artifact.js";
import { placeLocation } from "./place.js";
import { storesOf } from "./stores.js";
import { readListing, temporaryFolder, writeListing } from "./testing/folder.js";
import { storeSuite } from "./testing/store-suite.js";

/** Every folder of a driver keeps the same promises. */
const locations: Readonly<Record<string, (key: string) => ArtifactLocation>> = {
  place: placeLocation,
  s3: (key) => ({ s3: { bucket: "b", key } }),
  azure: (key) => ({ azure: { container: "b", blob: key } }),
};

for (const [name, locationOf] of Object.entries(locations)) {
  storeSuite(name, async () => {
    const folder = await temporaryFolder();
    const stores = storesOf({ placeFolder: join(folder.path, "place"), sharedFolder: join(folder.path, "shared") });
    const artifactOf = (key: string): Artifact => ({ name: "a", ...locationOf(key) });
    const store = stores(artifactOf("x"));
    if (store === undefined) throw new Error("no store");
    return { store, artifactOf, close: folder.remove };
  });
}

test("place and remote stores are folders of their own, and nothing temporary stays", async () => {
  const folder = await temporaryFolder();
  const [placeFolder, sharedFolder] = [join(folder.path, "place"), join(folder.path, "shared")];
  const stores = storesOf({ placeFolder, sharedFolder });
  await writeFile(join(folder.path, "in"), "x");
  const artifacts: readonly Artifact[] = [
    { name: "a", ...placeLocation("wf/pod/a") },
    { name: "b", gcs: { bucket: "data", key: "day/b" } },
  ];
  for (const artifact of artifacts) await stores(artifact)?.put(artifact, join(folder.path, "in"));
  expect(await readListing(placeFolder)).toEqual({ ".incoming": "/", "wf/pod/a": "x" });
  expect(await readListing(sharedFolder)).toEqual({ ".incoming": "/", "gcs/data/day/b": "x" });
  await folder.remove();
});

test("a key of the place may not name its folder for what is on its way", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, "in"), "x");
  const artifact: Artifact = { name: "a", ...placeLocation(".incoming/x") };
  const store = storesOf({ placeFolder: join(folder.path, "place"), sharedFolder: join(folder.path, "shared") })(
    artifact,
  );
  await expect(store?.put(artifact, join(folder.path, "in"))).rejects.toMatchObject({ code: "invalid" });
  await folder.remove();
});

test("a link in the store that leads out of it is not followed", async () => {
  const folder = await temporaryFolder();
  const sharedFolder = join(folder.path, "shared");
  await writeListing(folder.path, { "secret/x": "s", "shared/s3/b/real": "x" });
  await symlink(join(folder.path, "secret"), join(sharedFolder, "s3/b/out"));
  const artifact: Artifact = { name: "a", s3: { bucket: "b", key: "out/x" } };
  const store = storesOf({ placeFolder: join(folder.path, "place"), sharedFolder })(artifact);
  await expect(store?.get(artifact, join(folder.path, "got"))).rejects.toMatchObject({ code: "invalid" });
  await folder.remove();
});

test.each<readonly [artifact: Artifact, message: string]>([
  [{ name: "g", git: { repo: "x" } }, "git artifacts do not work on one machine yet; --artifact g=PATH"],
  [{ name: "p", plugin: { name: "x", key: "k" } }, "plugin artifacts do not work on one machine yet"],
])("%j is refused in words", async (artifact, message) => {
  const store = storesOf({ placeFolder: "/nowhere", sharedFolder: "/nowhere" })(artifact);
  await expect(store?.get(artifact, "/nowhere/x")).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringContaining(message),
  });
});
