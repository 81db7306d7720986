/** ttlStrategy deletes what has ended, and only that. */

import { expect, test } from "vitest";
import { workflows } from "../../../src/core/model/resources.js";
import { operate } from "../faults/operations.js";
import type { Script } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import { hasEnded, scene } from "./scene.js";

test("A-19 a retry comes between our look and our deletion: the workflow stays, and runs", async () => {
  let retried = 0;
  const script: Script = {
    call: async ({ world, process, type, verb }) => {
      if (process.role !== "controller" || type !== workflows || verb !== "delete" || retried > 0) return undefined;
      retried++;
      await operate(world, 0, "retry");
      return undefined;
    },
  };
  const failing = workflow("wf", {
    entrypoint: "a",
    ttlStrategy: { secondsAfterCompletion: 30 },
    templates: [template("a", ["ms=5000", "exit=1"])],
  });
  await scene({ script }, async (stage) => {
    await stage.world.submit(failing);
    await stage.until("it was retried", () => retried === 1);
    const { uid } = stage.workflow()?.metadata ?? {};
    await stage.until("it has run again", () => stage.startsOfMain() === 2 && hasEnded(stage.phase()));
    expect(stage.workflow()?.metadata.uid).toBe(uid);
    const refused = stage.refusals.filter(({ write }) => write.verb === "delete" && write.type === workflows);
    expect(refused.map(({ code }) => code)).toEqual([409]);
    await stage.until("it is gone after its second end", () => stage.workflow() === undefined, 35_000);
  });
});

test("A-20 after a restart finished workflows are deleted at once, without a gap", async () => {
  const names = Array.from({ length: 200 }, (_, index) => `wf${index}`);
  const done = workflow("wf", { entrypoint: "a", templates: [template("a", ["ms=100"])] });
  await scene({}, async (stage) => {
    const outside = stage.world.outside();
    for (const name of names) await stage.world.submit({ ...done, metadata: { name, namespace: "default" } });
    for (const name of names) await stage.ended(name);
    stage.world.crash("controller", 60_000);
    for (const name of names) {
      const body = { spec: { ttlStrategy: { secondsAfterSuccess: 0 } } };
      await outside.patch(workflows, { namespace: "default", name }, { type: "merge", body });
    }
    await stage.pass(60_000);
    const restartedAt = stage.now;
    await stage.until("all are gone", () => stage.world.truth.workflows().length === 0, 30_000);
    expect(stage.now - restartedAt).toBeLessThan(2000);
  });
});
