import fc from "fast-check";
import { expect, test } from "vitest";
import type { KubeObject } from "../core/model/kube/meta.js";
import { keyText, keyTextOf, parseKey } from "./key.js";
import { ownerUids, Store } from "./store.js";

interface Pod extends KubeObject {
  readonly node?: string;
}

function pod(name: string, uid: string, node?: string): Pod {
  const object = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "ns", name, uid } };
  return node === undefined ? object : { ...object, node };
}

const byNode = { node: (object: Pod) => (object.node === undefined ? [] : [object.node]) };

test("found by key, UID and index; a replaced object leaves its old places", () => {
  const store = new Store<Pod, "node">(byNode);
  expect(store.set(pod("a", "1", "n1"))).toBeUndefined();
  expect(store.set(pod("b", "2", "n1"))).toBeUndefined();
  expect(store.set(pod("a", "3", "n2"))?.metadata.uid).toBe("1");
  expect(store.get("ns/a")?.metadata.uid).toBe("3");
  expect(store.getByUid("1")).toBeUndefined();
  expect(store.getByUid("3")?.metadata.name).toBe("a");
  expect(store.byIndex("node", "n1").map(keyTextOf)).toEqual(["ns/b"]);
  expect(store.byIndex("node", "n2").map(keyTextOf)).toEqual(["ns/a"]);
  expect(store.delete("ns/a")?.metadata.uid).toBe("3");
  expect(store.delete("ns/a")).toBeUndefined();
  expect(store.byIndex("node", "n2")).toEqual([]);
  expect([...store.values()].map(keyTextOf)).toEqual(["ns/b"]);
});

test("keys as text", () => {
  expect(keyText({ namespace: "ns", name: "a" })).toBe("ns/a");
  expect(keyText({ name: "a" })).toBe("a");
  expect(parseKey("ns/a")).toEqual({ namespace: "ns", name: "a" });
  expect(parseKey("a")).toEqual({ name: "a" });
});

test.each([undefined, "x", [null], [{}], [1]])("malformed owners %j do not break an index", (ownerReferences) => {
  const metadata = { name: "a", ownerReferences };
  expect(() => ownerUids({ apiVersion: "v1", kind: "Pod", metadata } as unknown as KubeObject)).not.toThrow();
});

test("property: indexes agree with a scan after any writes", () => {
  const name = fc.constantFrom("a", "b", "c");
  const node = fc.constantFrom("n1", "n2", undefined);
  const write = fc.record({ name, node, uid: fc.constantFrom("1", "2", "3", "4"), isDelete: fc.boolean() });
  fc.assert(
    fc.property(fc.array(write), (writes) => {
      const store = new Store<Pod, "node">(byNode);
      for (const [index, { name, node, uid, isDelete }] of writes.entries()) {
        if (isDelete) store.delete(`ns/${name}`);
        else store.set(pod(name, `${uid}-${index}`, node));
      }
      for (const value of ["n1", "n2"]) {
        const scanned = [...store.values()].filter((object) => object.node === value).map(keyTextOf);
        expect(store.byIndex("node", value).map(keyTextOf).sort()).toEqual(scanned.sort());
      }
      for (const object of store.values()) expect(store.getByUid(object.metadata.uid ?? "")).toBe(object);
    }),
  );
});
