import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Workflow } from "../core/model/argo/workflow.js";
import type { Pod } from "../core/model/kube/pod.js";
import { pods, workflows } from "../core/model/resources.js";
import { FakeCluster } from "../kube/testing/fake-cluster.js";
import { clearDeleted } from "./deleted-workflows.js";
import { PodNames } from "./pod-names.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tiphys-deleted-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function podOf(name: string, workflowUid: string | undefined): Pod {
  const owner = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "wf", controller: true };
  const ownerReferences = workflowUid === undefined ? [] : [{ ...owner, uid: workflowUid }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name, uid: `${name}-uid`, ownerReferences },
    spec: { containers: [] },
  };
}

/** A place with one workflow that is there, and pods of it, of one that was deleted, and of nobody. */
async function place() {
  const client = new FakeCluster();
  const workflow: Workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { namespace: "default", name: "wf" },
    spec: {},
  };
  const { uid = "" } = (await client.create(workflows, workflow)).metadata;
  const names = new PodNames(folder);
  const podsFolder = join(folder, "pods");
  for (const pod of [podOf("kept", uid), podOf("gone", "deleted"), podOf("ours", undefined)]) {
    names.add(pod);
    mkdirSync(join(podsFolder, pod.metadata.uid ?? "", "containers"), { recursive: true });
    writeFileSync(join(podsFolder, pod.metadata.uid ?? "", "containers/log.0"), "text");
  }
  const left = () => ["kept", "gone", "ours"].filter((name) => existsSync(join(podsFolder, `${name}-uid`)));
  return { client, remains: { client, names, podsFolder }, left };
}

test("logs of pods of deleted workflows go, those of others stay; the names of the file as well", async () => {
  const { remains, left } = await place();
  expect(await clearDeleted(remains, "nothing runs")).toEqual(new Set());
  expect(left()).toEqual(["kept", "ours"]);
  const again = new PodNames(folder);
  expect(again.entries.map(({ name }) => name)).toEqual(["kept", "ours"]);
  expect(again.uidOf({ namespace: "default", name: "gone" })).toBeUndefined();
  expect(again.uidOf({ namespace: "default", name: "kept" })).toBe("kept-uid");
  expect(readFileSync(join(folder, "pods.ndjson"), "utf8").trim().split("\n")).toHaveLength(2);
});

test("while pods are at work, what is found goes with the next look", async () => {
  const { remains, left } = await place();
  const found = await clearDeleted(remains, new Set());
  expect([[...found], left()]).toEqual([["gone-uid"], ["kept", "gone", "ours"]]);
  expect(await clearDeleted(remains, found)).toEqual(new Set());
  expect(left()).toEqual(["kept", "ours"]);
});

test("a pod that is still there keeps its log, though its workflow was deleted", async () => {
  const { client, remains, left } = await place();
  const pod = podOf("gone", "deleted");
  remains.names.add({
    ...pod,
    metadata: { ...pod.metadata, uid: (await client.create(pods, pod)).metadata.uid ?? "" },
  });
  await clearDeleted(remains, "nothing runs");
  expect(left()).toEqual(["kept", "ours"]);
  expect(remains.names.uidOf({ namespace: "default", name: "gone" })).toMatch(/^uid-/);
});
