/** Claims of volumeClaimTemplates live as long as anyone may still need them. */

import { expect, test } from "vitest";
import { persistentVolumeClaims, pods } from "../../../src/core/model/resources.js";
import { pod as template, workflow } from "../generate/builder.js";
import { scene } from "./scene.js";

test("A-36 parallelism 1 and a loop of 3: the claim is there until the last pod has ended", async () => {
  const one = workflow("wf", {
    entrypoint: "main",
    parallelism: 1,
    volumeClaimTemplates: [
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "work" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ],
    templates: [
      { name: "main", steps: [[{ name: "s", template: "a", withItems: [1, 2, 3] }]] },
      template("a", ["ms=1000"]),
    ],
  });
  await scene({}, async (stage) => {
    await stage.world.submit(one);
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
    await stage.until("the claim is gone", () => stage.writes.some(isClaimDeletion));
    const acts = stage.writes.filter(
      ({ type, verb, body }) =>
        type === persistentVolumeClaims ||
        (type === pods && verb === "update" && JSON.stringify(body).includes("Succeeded")),
    );
    expect(acts.map(({ type, verb }) => `${verb} ${type.plural}`)).toEqual([
      "create persistentvolumeclaims",
      "update pods",
      "update pods",
      "update pods",
      "delete persistentvolumeclaims",
    ]);
  });
});

function isClaimDeletion({ type, verb }: { readonly type: unknown; readonly verb: string }): boolean {
  return type === persistentVolumeClaims && verb === "delete";
}
