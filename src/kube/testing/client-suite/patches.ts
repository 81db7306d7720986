/** Client suite: JSON patch and merge patch, and their preconditions. */

import { expect, test } from "vitest";
import type { ConfigMap } from "../../../core/model/kube/core.js";
import type { Pod } from "../../../core/model/kube/pod.js";
import { configMaps, pods } from "../../../core/model/resources.js";
import type { Json } from "../../../core/std/json.js";
import type { Patch } from "../../client.js";
import { withPrecondition } from "../../precondition.js";
import { at, configMap, type MakeClient, pod } from "./harness.js";

const merge = (body: Json): Patch => ({ type: "merge", body });
const json = (...body: readonly Json[]): Patch => ({ type: "json", body });

export function patchCases(open: MakeClient): void {
  test.each<[string, Patch, Record<string, string> | undefined]>([
    ["merge: set and remove", merge({ data: { a: "2", b: null, c: "3" } }), { a: "2", c: "3" }],
    ["merge: remove a whole member", merge({ data: null }), undefined],
    ["json: replace", json({ op: "replace", path: "/data/a", value: "2" }), { a: "2", b: "1" }],
    [
      "json: test, remove",
      json({ op: "test", path: "/data/a", value: "1" }, { op: "remove", path: "/data/b" }),
      { a: "1" },
    ],
    ["json: move", json({ op: "move", from: "/data/a", path: "/data/x" }), { b: "1", x: "1" }],
  ])("%s", async (_name, patch, expected) => {
    const { client } = await open();
    const created = await client.create(configMaps, configMap("a", { a: "1", b: "1" }));
    const patched = await client.patch<ConfigMap>(configMaps, at("a"), patch);
    expect(patched.data).toEqual(expected);
    expect(patched.metadata.uid).toBe(created.metadata.uid);
    expect(await client.get(configMaps, at("a"))).toEqual(patched);
  });

  test("labels with a slash in their key", async () => {
    const { client } = await open();
    await client.create(configMaps, configMap("a", {}, { labels: { "x.io/y": "1" } }));
    const patched = await client.patch(
      configMaps,
      at("a"),
      json({ op: "replace", path: "/metadata/labels/x.io~1y", value: "2" }),
    );
    expect(patched.metadata.labels).toEqual({ "x.io/y": "2" });
  });

  test("a failed test, a path that is missing: 422, and nothing is written", async () => {
    const { client } = await open();
    const created = await client.create(configMaps, configMap("a", { a: "1" }));
    for (const operation of [
      { op: "test", path: "/data/a", value: "2" },
      { op: "remove", path: "/data/x" },
      { op: "replace", path: "/x/y", value: 1 },
    ]) {
      const patch = json({ op: "add", path: "/data/new", value: "x" }, operation);
      await expect(client.patch(configMaps, at("a"), patch)).rejects.toMatchObject({ code: 422, reason: "Invalid" });
    }
    expect(await client.get(configMaps, at("a"))).toEqual(created);
  });

  test("a patch that changes nothing writes nothing", async () => {
    const { client } = await open();
    const created = await client.create(configMaps, configMap("a", { a: "1" }));
    for (const patch of [
      merge({}),
      merge({ data: { a: "1", z: null } }),
      json({ op: "replace", path: "/data/a", value: "1" }),
    ]) {
      expect(await client.patch(configMaps, at("a"), patch)).toEqual(created);
    }
  });
}

export function patchPreconditionCases(open: MakeClient): void {
  test("preconditions: a stale revision or another UID is a conflict, for both kinds of patch", async () => {
    const { client } = await open();
    const seen = await client.create(configMaps, configMap("a", { a: "1" }));
    const patches = [merge({ data: { a: "2" } }), json({ op: "replace", path: "/data/a", value: "2" })];
    const conflict = { code: 409, reason: "Conflict" };
    const changed = await client.update(configMaps, { ...seen, data: { a: "x" } });
    for (const patch of patches) {
      await expect(client.patch(configMaps, at("a"), withPrecondition(patch, seen))).rejects.toMatchObject(conflict);
      const other = { ...changed, metadata: { ...changed.metadata, uid: "00000000-0000-4000-8000-000000000000" } };
      await expect(client.patch(configMaps, at("a"), withPrecondition(patch, other))).rejects.toMatchObject(conflict);
    }
    expect(await client.get(configMaps, at("a"))).toEqual(changed);
    const [patch = merge({})] = patches;
    expect(await client.patch(configMaps, at("a"), withPrecondition(patch, changed))).toMatchObject({
      data: { a: "2" },
    });
  });

  test("a patch of the status changes the status alone, one of the object leaves it", async () => {
    const { client } = await open();
    await client.create<Pod>(pods, pod("p"));
    const body = { metadata: { labels: { a: "b" } }, status: { phase: "Running" } };
    const object = await client.patch<Pod>(pods, at("p"), merge(body));
    expect([object.metadata.labels, object.status?.phase]).toEqual([{ a: "b" }, "Pending"]);
    const status = await client.patch<Pod>(pods, at("p"), merge({ status: { phase: "Running" } }), {
      subresource: "status",
    });
    expect([status.metadata.labels, status.status?.phase]).toEqual([{ a: "b" }, "Running"]);
  });
}
