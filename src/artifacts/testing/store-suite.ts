/** What every store that can be written to promises; each driver's test runs it. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Artifact } from "../../core/model/argo/artifact.js";
import type { ArtifactStore } from "../port.js";
import { type Listing, readListing, temporaryFolder, writeListing } from "./folder.js";

export interface StoreUnderTest {
  readonly store: ArtifactStore;
  readonly artifactOf: (key: string) => Artifact;
  close(): Promise<void>;
}

export function storeSuite(name: string, open: () => Promise<StoreUnderTest>): void {
  const withStore = (
    what: string,
    act: (bench: StoreUnderTest & { readonly folder: string }) => Promise<void>,
  ): void => {
    test(`${name}: ${what}`, async () => {
      const scratch = await temporaryFolder();
      const opened = await open();
      try {
        await act({ ...opened, folder: scratch.path });
      } finally {
        await opened.close();
        await scratch.remove();
      }
    });
  };
  files(withStore);
  folders(withStore);
  faults(withStore);
}

type WithStore = (what: string, act: (bench: StoreUnderTest & { readonly folder: string }) => Promise<void>) => void;

function files(withStore: WithStore): void {
  withStore("a file comes back as it was put", async ({ store, artifactOf, folder }) => {
    const bytes = Buffer.from([0, 255, 10, 13, 0]);
    await writeFile(join(folder, "in"), bytes);
    await store.put(artifactOf("a/b/c.bin"), join(folder, "in"));
    await store.get(artifactOf("a/b/c.bin"), join(folder, "out"));
    expect(await readFile(join(folder, "out"))).toEqual(bytes);
    expect(await readFile(join(folder, "in"))).toEqual(bytes);
  });
  withStore("a file that may be moved is put as well", async ({ store, artifactOf, folder }) => {
    await writeFile(join(folder, "in"), "x");
    await store.put(artifactOf("k"), join(folder, "in"), "move");
    await store.get(artifactOf("k"), join(folder, "out"));
    expect(await readFile(join(folder, "out"), "utf8")).toBe("x");
  });
  withStore("a later put replaces", async ({ store, artifactOf, folder }) => {
    for (const content of ["one", "two"]) {
      await writeFile(join(folder, "in"), content);
      await store.put(artifactOf("k"), join(folder, "in"));
    }
    await store.get(artifactOf("k"), join(folder, "out"));
    expect(await readFile(join(folder, "out"), "utf8")).toBe("two");
  });
  withStore("of many puts at once one stays, whole", async ({ store, artifactOf, folder }) => {
    const contents = Array.from({ length: 12 }, (_, index) => String(index).repeat(50_000));
    await Promise.all(
      contents.map(async (content, index) => {
        await writeFile(join(folder, `in${index}`), content);
        await store.put(artifactOf("same"), join(folder, `in${index}`));
      }),
    );
    await store.get(artifactOf("same"), join(folder, "out"));
    expect(contents).toContain(await readFile(join(folder, "out"), "utf8"));
  });
}

const tree: Listing = { a: "1", "d/b": "2", "d/link": "-> ../a", "d/e": "/" };

function folders(withStore: WithStore): void {
  withStore("a folder comes back as it was put, and a part of it by its longer key", async (bench) => {
    const { store, artifactOf, folder } = bench;
    await writeListing(join(folder, "in"), tree);
    await store.put(artifactOf("k"), join(folder, "in"));
    await store.get(artifactOf("k"), join(folder, "out"));
    expect(await readListing(join(folder, "out"))).toEqual(tree);
    await store.get(artifactOf("k/d/b"), join(folder, "part"));
    expect(await readFile(join(folder, "part"), "utf8")).toBe("2");
  });
  withStore("folders put at once to one key: one stays, whole", async ({ store, artifactOf, folder }) => {
    const listings = Array.from({ length: 6 }, (_, index): Listing => ({ [`f${index}`]: "x", [`d/g${index}`]: "y" }));
    await Promise.all(
      listings.map(async (listing, index) => {
        await writeListing(join(folder, `in${index}`), listing);
        await store.put(artifactOf("same"), join(folder, `in${index}`));
      }),
    );
    await store.get(artifactOf("same"), join(folder, "out"));
    expect(listings).toContainEqual(await readListing(join(folder, "out")));
  });
  withStore("a file replaces a folder, a folder a file", async ({ store, artifactOf, folder }) => {
    await writeListing(folder, { file: "f", "dir/x": "y" });
    for (const [round, name] of ["dir", "file", "dir"].entries()) {
      await store.put(artifactOf("k"), join(folder, name));
      await store.get(artifactOf("k"), join(folder, `out${round}`));
    }
    expect(await readFile(join(folder, "out1"), "utf8")).toBe("f");
    expect(await readListing(join(folder, "out2"))).toEqual({ x: "y" });
  });
}

function faults(withStore: WithStore): void {
  withStore("what is not there is not found", async ({ store, artifactOf, folder }) => {
    await expect(store.get(artifactOf("no/such"), join(folder, "out"))).rejects.toMatchObject({
      name: "ArtifactError",
      code: "not-found",
    });
    expect(await readListing(folder)).toEqual({});
  });
  withStore("a key that goes upwards is refused, both ways", async ({ store, artifactOf, folder }) => {
    await writeFile(join(folder, "in"), "x");
    for (const key of ["../x", "a/../../x", "", "/"]) {
      await expect(store.put(artifactOf(key), join(folder, "in"))).rejects.toMatchObject({ code: "invalid" });
      await expect(store.get(artifactOf(key), join(folder, "out"))).rejects.toMatchObject({ code: "invalid" });
    }
  });
  withStore("a folder with a link that leaves it is refused, and nothing is put", async (bench) => {
    const { store, artifactOf, folder } = bench;
    await writeListing(join(folder, "in"), { "d/link": "-> ../../secret" });
    await writeFile(join(folder, "secret"), "s");
    await expect(store.put(artifactOf("k"), join(folder, "in"))).rejects.toMatchObject({ code: "invalid" });
    await expect(store.get(artifactOf("k"), join(folder, "out"))).rejects.toMatchObject({ code: "not-found" });
  });
  withStore("a link itself is refused", async ({ store, artifactOf, folder }) => {
    await mkdir(join(folder, "sub"));
    await writeListing(folder, { secret: "s", "sub/in": "-> ../secret" });
    await expect(store.put(artifactOf("k"), join(folder, "sub/in"))).rejects.toMatchObject({ code: "invalid" });
  });
}
