/** Client suite: preconditions, finalizers, graceful deletion of pods, collection by owner. */

import { expect, test } from "vitest";
import type { KubeObject } from "../../../core/model/kube/meta.js";
import type { Pod } from "../../../core/model/kube/pod.js";
import { configMaps, pods, workflows } from "../../../core/model/resources.js";
import { at, configMap, gone, type MakeClient, ns, ownedBy, pod, Watching } from "./harness.js";

export function deleteCases(open: MakeClient): void {
  test("deleted is gone, and answers undefined", async () => {
    const { client } = await open();
    await client.create(configMaps, configMap("a"));
    expect(await client.delete(configMaps, at("a"))).toBeUndefined();
    await expect(client.get(configMaps, at("a"))).rejects.toMatchObject({ code: 404 });
  });

  test("only the object that was meant", async () => {
    const { client } = await open();
    const first = await client.create(configMaps, configMap("a"));
    const second = await client.update(configMaps, { ...first, data: { k: "v" } });
    const { uid = "", resourceVersion: stale = "" } = first.metadata;
    const conflict = { code: 409, reason: "Conflict" };
    for (const preconditions of [{ uid: "00000000-0000-4000-8000-000000000000" }, { uid, resourceVersion: stale }]) {
      await expect(client.delete(configMaps, at("a"), { preconditions })).rejects.toMatchObject(conflict);
    }
    expect(await client.get(configMaps, at("a"))).toEqual(second);
    const preconditions = { uid, resourceVersion: second.metadata.resourceVersion ?? "" };
    expect(await client.delete(configMaps, at("a"), { preconditions })).toBeUndefined();
  });

  test("finalizers hold an object until the last is taken off", async () => {
    const { client } = await open();
    const created = await client.create(configMaps, configMap("a", {}, { finalizers: ["x.io/one", "x.io/two"] }));
    const resourceVersion = created.metadata.resourceVersion ?? "";
    const held = await client.delete(configMaps, at("a"));
    expect(held?.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ["x.io/one", "x.io/two"],
    });
    const setFinalizers = (...finalizers: string[]) =>
      client.patch(configMaps, at("a"), { type: "merge", body: { metadata: { finalizers } } });
    await expect(setFinalizers("x.io/one", "x.io/two", "x.io/three")).rejects.toMatchObject({ code: 422 });
    await setFinalizers("x.io/two");
    expect((await client.get(configMaps, at("a"))).metadata.finalizers).toEqual(["x.io/two"]);
    await setFinalizers();
    await expect(client.get(configMaps, at("a"))).rejects.toMatchObject({ code: 404 });
    const watching = new Watching(client, configMaps, { namespace: ns, resourceVersion });
    expect(await watching.take(3)).toEqual(["MODIFIED a", "MODIFIED a", "DELETED a"]);
  });
}

export function podDeleteCases(open: MakeClient): void {
  test("a pod that no node has is deleted at once; one that has ended, too", async () => {
    const { client } = await open();
    await client.create<Pod>(pods, pod("unbound"));
    expect(await client.delete(pods, at("unbound"))).toBeUndefined();
    await client.create<Pod>(pods, pod("ended", {}, { nodeName: "node" }));
    await client.patch(
      pods,
      at("ended"),
      { type: "merge", body: { status: { phase: "Succeeded" } } },
      { subresource: "status" },
    );
    expect(await client.delete(pods, at("ended"))).toBeUndefined();
  });

  test.each([
    [undefined, 30],
    [5, 5],
  ])(
    "a pod on a node is given its grace (%s asked: %d s), and is gone with the kubelet's word",
    async (asked, grace) => {
      const { client } = await open();
      await client.create<Pod>(pods, pod("p", {}, { nodeName: "node" }));
      const options = asked === undefined ? {} : { gracePeriodSeconds: asked };
      const terminating = await client.delete<Pod>(pods, at("p"), options);
      expect(terminating?.metadata).toMatchObject({
        deletionTimestamp: expect.any(String),
        deletionGracePeriodSeconds: grace,
      });
      expect((await client.get(pods, at("p"))).metadata.deletionTimestamp).toBe(
        terminating?.metadata.deletionTimestamp,
      );
      expect(await client.delete(pods, at("p"), { gracePeriodSeconds: 0 })).toBeUndefined();
      await expect(client.get(pods, at("p"))).rejects.toMatchObject({ code: 404 });
    },
  );

  test("a pod with a finalizer stays after its grace, until that is taken off", async () => {
    const { client } = await open();
    await client.create<Pod>(pods, pod("p", { finalizers: ["x.io/one"] }, { nodeName: "node" }));
    await client.delete(pods, at("p"));
    const held = await client.delete(pods, at("p"), { gracePeriodSeconds: 0 });
    expect(held?.metadata.finalizers).toEqual(["x.io/one"]);
    await client.patch(pods, at("p"), { type: "json", body: [{ op: "remove", path: "/metadata/finalizers" }] });
    await expect(client.get(pods, at("p"))).rejects.toMatchObject({ code: 404 });
  });
}

export function collectionCases(open: MakeClient): void {
  const owner: KubeObject = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { namespace: ns, name: "w" },
  };

  test("what an object owns goes with it, by UID", async () => {
    const harness = await open();
    const { client } = harness;
    const created = await client.create(workflows, owner);
    await client.create(configMaps, configMap("owned", {}, ownedBy(created)));
    await client.create(configMaps, configMap("free"));
    expect(await client.delete(workflows, at("w"))).toBeUndefined();
    expect(await gone(harness, configMaps, "owned")).toBe(true);
    expect((await client.get(configMaps, at("free"))).metadata.name).toBe("free");
  });

  test("an owner of that name but another UID does not keep it", async () => {
    const harness = await open();
    const { client } = harness;
    const first = await client.create(workflows, owner);
    await client.delete(workflows, at("w"));
    await client.create(workflows, owner);
    await client.create(configMaps, configMap("owned", {}, ownedBy(first)));
    expect(await gone(harness, configMaps, "owned")).toBe(true);
  });

  test("in the foreground the owner waits for what it owns", async () => {
    const harness = await open();
    const { client } = harness;
    const created = await client.create(workflows, owner);
    await client.create(configMaps, configMap("owned", {}, { ...ownedBy(created), finalizers: ["x.io/one"] }));
    const waiting = await client.delete(workflows, at("w"), { propagationPolicy: "Foreground" });
    expect(waiting?.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ["foregroundDeletion"],
    });
    await harness.advance(5000);
    expect((await client.get(configMaps, at("owned"))).metadata.deletionTimestamp).toBeDefined();
    expect((await client.get(workflows, at("w"))).metadata.finalizers).toEqual(["foregroundDeletion"]);
    await client.patch(configMaps, at("owned"), { type: "merge", body: { metadata: { finalizers: null } } });
    expect(await gone(harness, workflows, "w")).toBe(true);
  });

  test("orphans stay, and have no owner any more", async () => {
    const harness = await open();
    const { client } = harness;
    const created = await client.create(workflows, owner);
    await client.create(configMaps, configMap("owned", {}, ownedBy(created)));
    await client.delete(workflows, at("w"), { propagationPolicy: "Orphan" });
    expect(await gone(harness, workflows, "w")).toBe(true);
    await harness.advance(5000);
    expect((await client.get(configMaps, at("owned"))).metadata.ownerReferences ?? []).toEqual([]);
  });
}
