import { expect, test } from "vitest";
import type { Demand } from "../core/engine/contract.js";
import type { PersistentVolumeClaim } from "../core/model/kube/core.js";
import { persistentVolumeClaims } from "../core/model/resources.js";
import { ApiError } from "../kube/errors.js";
import { FakeCluster } from "../kube/testing/fake-cluster.js";
import type { Caches } from "./caches.js";
import { carryOut } from "./carry-out.js";

/** Claims are looked for live: of the caches nothing is asked. */
function portsTo(client: FakeCluster) {
  return { client, caches: {} as Caches, podInTheWay: () => undefined };
}

const current = { retryGeneration: 0, startedAt: undefined };

const key = { namespace: "ns", name: "wf-work" };

function claimOf(workflowUid: string): PersistentVolumeClaim {
  const owner = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    name: "wf",
    uid: workflowUid,
    controller: true,
  };
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { ...key, ownerReferences: [owner] },
  };
}

const create: Demand = { kind: "create-pvc", claim: claimOf("ours") };
const giveBack: Demand = { kind: "delete-pvc", ...key, workflowUid: "ours" };

test.each([
  ["none", undefined, { kind: "created" }],
  ["ours of an earlier pass", "ours", { kind: "created" }],
  ["another's", "theirs", { kind: "refused", message: "wf-work pvc already exists with different ownerreference" }],
])("a claim is made where there is %s", async (_what, owner, result) => {
  const client = new FakeCluster();
  if (owner !== undefined) await client.create(persistentVolumeClaims, claimOf(owner));
  expect(await carryOut(portsTo(client), create, current)).toEqual({ demand: "create-pvc", name: "wf-work", result });
});

test.each([
  ["none", undefined, 0],
  ["ours", "ours", 0],
  ["another's in its place", "theirs", 1],
])("a claim is given back where there is %s", async (_what, owner, left) => {
  const client = new FakeCluster();
  if (owner !== undefined) await client.create(persistentVolumeClaims, claimOf(owner));
  const outcome = await carryOut(portsTo(client), giveBack, current);
  expect(outcome).toEqual({ demand: "delete-pvc", name: "wf-work", result: { kind: "gone" } });
  expect((await client.list(persistentVolumeClaims)).items.length).toBe(left);
});

test.each([403, 409, 500] as const)("a claim that the API does not let go (%d) is not taken for gone", async (code) => {
  const client = new FakeCluster();
  await client.create(persistentVolumeClaims, claimOf("ours"));
  client.fault = (verb) => {
    if (verb === "delete") throw new ApiError(code, "Unknown", "no");
  };
  const result = { kind: "refused-for-now", message: "no" };
  expect(await carryOut(portsTo(client), giveBack, current)).toEqual({ demand: "delete-pvc", name: "wf-work", result });
});
