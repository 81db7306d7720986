/** Client suite: create, get, update. */

import { expect, test } from "vitest";
import type { ConfigMap } from "../../../core/model/kube/core.js";
import type { Pod } from "../../../core/model/kube/pod.js";
import { clusterWorkflowTemplates, configMaps, pods } from "../../../core/model/resources.js";
import { deepFreeze } from "../../freeze.js";
import { compareRevisions } from "../../revision.js";
import { updateOnConflict } from "../../update.js";
import { at, configMap, type MakeClient, ns, pod } from "./harness.js";

export function createCases(open: MakeClient): void {
  test("a created object has UID, revision and time, and is frozen", async () => {
    const { client } = await open();
    const created = await client.create(configMaps, deepFreeze(configMap("a", { k: "v" })));
    expect(created).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", namespace: ns },
      data: { k: "v" },
    });
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(created.metadata.resourceVersion).toMatch(/^[0-9]+$/);
    expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const read = await client.get<ConfigMap>(configMaps, at("a"));
    expect(read).toEqual(created);
    expect([Object.isFrozen(read), Object.isFrozen(read.metadata), Object.isFrozen(read.data)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("a name exists once in a namespace, and again in another", async () => {
    const { client } = await open();
    const first = await client.create(configMaps, configMap("a"));
    await expect(client.create(configMaps, configMap("a"))).rejects.toMatchObject({
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "a" already exists',
    });
    const other = await client.create(configMaps, configMap("a", {}, { namespace: "other" }));
    expect(other.metadata.uid).not.toBe(first.metadata.uid);
  });

  test("what is not there", async () => {
    const { client } = await open();
    const notFound = { code: 404, reason: "NotFound", message: 'configmaps "a" not found' };
    await expect(client.get(configMaps, at("a"))).rejects.toMatchObject(notFound);
    await expect(client.delete(configMaps, at("a"))).rejects.toMatchObject(notFound);
    await expect(client.patch(configMaps, at("a"), { type: "merge", body: {} })).rejects.toMatchObject(notFound);
  });
}

export function nameCases(open: MakeClient): void {
  test("generateName makes names that differ", async () => {
    const { client } = await open();
    const object: ConfigMap = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: ns, generateName: "gen-" },
    };
    const names = await Promise.all(
      Array.from({ length: 20 }, async () => (await client.create(configMaps, object)).metadata.name),
    );
    expect(new Set(names).size).toBe(20);
    for (const name of names) expect(name).toMatch(/^gen-[a-z0-9]{5}$/);
  });

  test.each(["Upper", "a_b", "-a", "a/b", "x".repeat(254)])("%s is no name", async (name) => {
    const { client } = await open();
    await expect(client.create(configMaps, configMap(name))).rejects.toMatchObject({ code: 422, reason: "Invalid" });
  });

  test("a cluster-scoped type has no namespace", async () => {
    const { client } = await open();
    const template = { apiVersion: "argoproj.io/v1alpha1", kind: "ClusterWorkflowTemplate", metadata: { name: "t" } };
    await client.create(clusterWorkflowTemplates, template);
    const read = await client.get(clusterWorkflowTemplates, { name: "t" });
    expect(read.metadata.namespace).toBeUndefined();
  });
}

export function updateCases(open: MakeClient): void {
  test("an update raises the revision; a stale one is a conflict", async () => {
    const { client } = await open();
    const first = await client.create(configMaps, configMap("a", { n: "1" }));
    const second = await client.update(configMaps, { ...first, data: { n: "2" } });
    const [before, after] = [first.metadata.resourceVersion ?? "", second.metadata.resourceVersion ?? ""];
    expect(compareRevisions(before, after)).toBeLessThan(0);
    expect(second.metadata.uid).toBe(first.metadata.uid);
    await expect(client.update(configMaps, { ...first, data: { n: "3" } })).rejects.toMatchObject({
      code: 409,
      reason: "Conflict",
    });
    expect((await client.get<ConfigMap>(configMaps, at("a"))).data).toEqual({ n: "2" });
  });

  test("an update of another object of that name is a conflict", async () => {
    const { client } = await open();
    const first = await client.create(configMaps, configMap("a"));
    await client.delete(configMaps, at("a"));
    const second = await client.create(configMaps, configMap("a"));
    const { resourceVersion: _revision, ...metadata } = first.metadata;
    await expect(client.update(configMaps, { ...first, metadata })).rejects.toMatchObject({
      code: 409,
      reason: "Conflict",
    });
    expect(await client.get(configMaps, at("a"))).toEqual(second);
  });

  test("an update that changes nothing writes nothing", async () => {
    const { client } = await open();
    const first = await client.create(configMaps, configMap("a", { n: "1" }));
    const second = await client.update(configMaps, { ...first });
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });
}

export function doorCases(open: MakeClient): void {
  test("status has a door of its own", async () => {
    const { client } = await open();
    const created = await client.create<Pod>(pods, pod("p"));
    const labelled = { ...created, metadata: { ...created.metadata, labels: { a: "b" } } };
    const running = { ...labelled, status: { ...created.status, phase: "Running" as const } };
    const updated = await client.update<Pod>(pods, running);
    expect([updated.metadata.labels, updated.status?.phase]).toEqual([{ a: "b" }, "Pending"]);
    const metadata = { ...updated.metadata, labels: { a: "c" } };
    const reported = await client.update<Pod>(
      pods,
      { ...updated, metadata, status: running.status },
      { subresource: "status" },
    );
    expect(reported.status?.phase).toBe("Running");
    expect(reported.spec).toEqual(updated.spec);
  });

  test("a dry run answers and writes nothing", async () => {
    const { client } = await open();
    const answer = await client.create(configMaps, configMap("a", { k: "v" }), { dryRun: true });
    expect(answer.metadata.name).toBe("a");
    await expect(client.get(configMaps, at("a"))).rejects.toMatchObject({ code: 404 });
    const created = await client.create(configMaps, configMap("a"));
    await client.update(configMaps, { ...created, data: { k: "w" } }, { dryRun: true });
    expect(await client.get(configMaps, at("a"))).toEqual(created);
  });

  test("a guard that throws: nothing is written", async () => {
    const { client } = await open();
    const created = await client.create(configMaps, configMap("a"));
    const options = {
      guard: () => {
        throw new Error("not now");
      },
    };
    await expect(client.create(configMaps, configMap("b"), options)).rejects.toThrow("not now");
    await expect(client.update(configMaps, { ...created, data: { a: "b" } }, options)).rejects.toThrow("not now");
    await expect(
      client.patch(configMaps, at("a"), { type: "merge", body: { data: { a: "b" } } }, options),
    ).rejects.toThrow("not now");
    await expect(client.delete(configMaps, at("a"), options)).rejects.toThrow("not now");
    expect((await client.list(configMaps, { namespace: ns })).items).toEqual([created]);
  });

  test("writers that meet: each decides on what it replaces, none is lost", async () => {
    const { client } = await open();
    const from = await client.create(configMaps, configMap("a", { n: "0" }));
    const decide = (object: ConfigMap): ConfigMap => ({
      ...object,
      data: { n: String(Number(object.data?.["n"]) + 1) },
    });
    const target = { type: configMaps, key: at("a") };
    await Promise.all(
      Array.from({ length: 10 }, () => updateOnConflict(client, target, decide, { from, attemptsMax: 100 })),
    );
    expect((await client.get<ConfigMap>(configMaps, at("a"))).data).toEqual({ n: "10" });
  });
}
