/** I9: of pods that have come and gone nothing is remembered. The whole 100,000: `npx tsx scripts/pods-gone.ts`. */

import { expect, test } from "vitest";
import { workflow } from "../generate/builder.js";
import { comeAndGone } from "./come-and-gone.js";
import { scene } from "./scene.js";

const COUNT = 1000;

test(`${COUNT} pods have come and gone: queues, maps and caches hold nothing of them`, async () => {
  const nothing = { left: 0, controller: 0, cached: 0, kubelet: 0, timers: 0, errors: [] };
  expect(await comeAndGone(COUNT)).toEqual({ pods: COUNT, ...nothing });
});

test("a pod waited for a ConfigMap that never came, and was deleted: the kubelet remembers nothing of it", async () => {
  const waiting = workflow("wf", {
    entrypoint: "a",
    templates: [
      {
        name: "a",
        container: { name: "", image: "busybox", command: ["sim"], envFrom: [{ configMapRef: { name: "missing" } }] },
      },
    ],
  });
  await scene({}, async (stage) => {
    await stage.world.submit(waiting);
    await stage.until("it waits", () => JSON.stringify(stage.pods()).includes("CreateContainerConfigError"));
    expect(stage.world.components.kubelet?.held()).toBeGreaterThan(1);
    await stage.operate("terminate");
    await stage.until("the pod is gone", () => stage.pods().length === 0);
    await stage.pass(10_000);
    expect(stage.world.components.kubelet?.held()).toBe(0);
  });
});
