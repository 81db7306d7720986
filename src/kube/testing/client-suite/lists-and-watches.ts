/** Client suite: list with pages and selectors, watch with replay, selectors, bookmarks and 410; a reflector on top. */

import { expect, test } from "vitest";
import type { ConfigMap } from "../../../core/model/kube/core.js";
import type { Pod } from "../../../core/model/kube/pod.js";
import { configMaps, pods } from "../../../core/model/resources.js";
import type { Client } from "../../client.js";
import { Reflector } from "../../reflector.js";
import { compareRevisions } from "../../revision.js";
import { SeededChance } from "../seeded-chance.js";
import { VirtualClock } from "../virtual-clock.js";
import { at, configMap, type MakeClient, ns, pod, Watching } from "./harness.js";

async function createAll(client: Client, ...names: readonly string[]): Promise<void> {
  for (const name of names) await client.create(configMaps, configMap(name, {}, { labels: { first: name.charAt(0) } }));
}

export function listCases(open: MakeClient): void {
  test("a list is of one namespace or of all, in order of the keys, at a revision", async () => {
    const { client } = await open();
    await createAll(client, "b", "c", "a");
    const last = await client.create(configMaps, configMap("d", {}, { namespace: "aaa" }));
    const names = async (namespace?: string) =>
      (await client.list(configMaps, namespace === undefined ? {} : { namespace })).items.map(
        ({ metadata }) => metadata.name,
      );
    expect(await names(ns)).toEqual(["a", "b", "c"]);
    expect(await names("aaa")).toEqual(["d"]);
    expect(await names()).toEqual(["d", "a", "b", "c"]);
    const { resourceVersion, items } = await client.list<ConfigMap>(configMaps);
    expect(compareRevisions(resourceVersion, last.metadata.resourceVersion ?? "")).toBeGreaterThanOrEqual(0);
    expect(items[0]).toEqual(last);
    expect((await client.list(configMaps, { namespace: "empty" })).items).toEqual([]);
  });

  test("pages are of one moment: what is written between them does not show", async () => {
    const { client } = await open();
    await createAll(client, "a", "b", "c", "d", "e");
    const first = await client.list(configMaps, { namespace: ns, limit: 2 });
    await client.delete(configMaps, at("c"));
    await client.create(configMaps, configMap("bb"));
    const names = first.items.map(({ metadata }) => metadata.name);
    const revisions = new Set([first.resourceVersion]);
    for (let token = first.continue; token !== undefined; ) {
      const page = await client.list(configMaps, { namespace: ns, limit: 2, continue: token });
      names.push(...page.items.map(({ metadata }) => metadata.name));
      revisions.add(page.resourceVersion);
      token = page.continue;
    }
    expect(names).toEqual(["a", "b", "c", "d", "e"]);
    expect(revisions.size).toBe(1);
  });
}

export function selectorCases(open: MakeClient): void {
  test.each([
    ["first=a", "", ["a1", "a2"]],
    ["first in (a,b)", "", ["a1", "a2", "b1"]],
    ["first!=a", "", ["b1"]],
    ["!first", "", []],
    ["", "metadata.name=b1", ["b1"]],
    ["first=a", "metadata.name!=a1,metadata.namespace=default", ["a2"]],
  ])("labels %j and fields %j select %j", async (labelSelector, fieldSelector, expected) => {
    const { client } = await open();
    await createAll(client, "a1", "a2", "b1");
    const { items } = await client.list(configMaps, { namespace: ns, labelSelector, fieldSelector });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  test("pods are found by phase", async () => {
    const { client } = await open();
    await client.create<Pod>(pods, pod("p"));
    const list = async (fieldSelector: string) => (await client.list(pods, { fieldSelector })).items.length;
    expect([await list("status.phase=Pending"), await list("status.phase!=Pending")]).toEqual([1, 0]);
  });

  test("a selector that cannot be read, a field that cannot be asked for, a token of nobody", async () => {
    const { client } = await open();
    for (const options of [
      { labelSelector: "a in" },
      { fieldSelector: "data.x=1" },
      { fieldSelector: "a" },
      { continue: "x" },
    ]) {
      await expect(client.list(configMaps, { namespace: ns, ...options })).rejects.toMatchObject({ code: 400 });
    }
  });
}

export function watchCases(open: MakeClient): void {
  test("a watch shows what came after its revision, in order, first what is past", async () => {
    const { client } = await open();
    const first = await client.create(configMaps, configMap("a"));
    const second = await client.update(configMaps, { ...first, data: { k: "v" } });
    await client.create(configMaps, configMap("b"));
    const watching = new Watching(client, configMaps, {
      namespace: ns,
      resourceVersion: first.metadata.resourceVersion ?? "",
    });
    expect(await watching.next()).toEqual({ type: "MODIFIED", object: second });
    expect(await watching.take(1)).toEqual(["ADDED b"]);
    await client.create(configMaps, configMap("elsewhere", {}, { namespace: "other" }));
    await client.delete(configMaps, at("a"));
    const deleted = await watching.next();
    expect(deleted).toMatchObject({
      type: "DELETED",
      object: { metadata: { name: "a", uid: first.metadata.uid }, data: { k: "v" } },
    });
    const revision = deleted.type === "BOOKMARK" ? "" : (deleted.object.metadata.resourceVersion ?? "");
    expect(compareRevisions(revision, second.metadata.resourceVersion ?? "")).toBeGreaterThan(0);
    expect(await watching.stop()).toBe(true);
  });

  test("under a selector, entering is ADDED and leaving is DELETED", async () => {
    const { client } = await open();
    const { resourceVersion } = await client.list(configMaps);
    const watching = new Watching(client, configMaps, { labelSelector: "on=yes", resourceVersion });
    let object: ConfigMap = await client.create(configMaps, configMap("a"));
    for (const on of ["yes", "yes", "no", "yes"]) {
      object = await client.update(configMaps, {
        ...object,
        data: { n: `${object.data?.["n"]}x` },
        metadata: { ...object.metadata, labels: { on } },
      });
    }
    expect(await watching.take(4)).toEqual(["ADDED a", "MODIFIED a", "DELETED a", "ADDED a"]);
  });

  test("bookmarks tell how far the log has come, though nothing of the watch changed", async () => {
    const harness = await open();
    const { client } = harness;
    const { resourceVersion } = await client.list(configMaps);
    const watching = new Watching(client, configMaps, {
      labelSelector: "on=yes",
      resourceVersion,
      allowBookmarks: true,
    });
    // Once it has shown an event, the watch stands.
    await client.create(configMaps, configMap("shown", {}, { labels: { on: "yes" } }));
    expect(await watching.take(1)).toEqual(["ADDED shown"]);
    const created = await client.create(configMaps, configMap("hidden"));
    await harness.advance(120_000);
    const event = await watching.next();
    expect(event.type).toBe("BOOKMARK");
    const revision = event.type === "BOOKMARK" ? event.resourceVersion : "";
    expect(compareRevisions(revision, created.metadata.resourceVersion ?? "")).toBeGreaterThanOrEqual(0);
  });
}

export function revisionCases(open: MakeClient): void {
  test("a revision that is no longer kept is 410", async () => {
    const { client, historyMax } = await open();
    const { resourceVersion } = await client.list(configMaps);
    let object: ConfigMap = await client.create(configMaps, configMap("a"));
    for (let index = 0; index < historyMax + 20; index++) {
      object = await client.update(configMaps, { ...object, data: { n: String(index) } });
    }
    const watching = new Watching(client, configMaps, { resourceVersion });
    await expect(watching.next()).rejects.toMatchObject({
      code: 410,
      reason: expect.stringMatching(/^(Expired|Gone)$/),
    });
  });

  test("a reflector on this client holds what the server holds", async () => {
    const { client } = await open();
    await createAll(client, "a", "b", "c");
    const stop = new AbortController();
    const common = { client, clock: new VirtualClock(), chance: new SeededChance(1) };
    const reflector = new Reflector<ConfigMap>({ ...common, type: configMaps, namespace: ns, pageSize: 2 });
    const ended = reflector.run(stop.signal);
    expect(await reflector.synced).toBe(true);
    const last = new Promise<void>((resolve) => {
      reflector.addHandler({ changed: ({ object }) => object.metadata.name === "last" && resolve() });
    });
    await client.delete(configMaps, at("b"));
    await client.patch(configMaps, at("c"), { type: "merge", body: { data: { k: "v" } } });
    await client.create(configMaps, configMap("last"));
    await last;
    const { items } = await client.list<ConfigMap>(configMaps, { namespace: ns });
    expect(items.map(({ metadata }) => reflector.store.get(`${ns}/${metadata.name}`))).toEqual(items);
    expect(reflector.store.size).toBe(items.length);
    stop.abort();
    await ended;
  });
}
