/** A status that the API will not take: the workflow ends in Error, and its pods are let go. */

import { expect, test } from "vitest";
import { labels } from "../../../src/core/model/argo/names.js";
import { workflows } from "../../../src/core/model/resources.js";
import type { Script, ScriptedCall } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import { isHeld, scene } from "./scene.js";

const LIMIT = 3000;

const wide = workflow("wf", {
  entrypoint: "main",
  templates: [
    {
      name: "main",
      steps: [
        [{ name: "a", template: "a" }],
        [
          { name: "long", template: "long" },
          { name: "s", template: "a", withItems: Array.from({ length: 30 }, (_, i) => i) },
        ],
      ],
    },
    template("a", ["ms=500"]),
    template("long", ["ms=60000"]),
  ],
});

function isSave({ process, type, verb }: ScriptedCall): boolean {
  return process.role === "controller" && type === workflows && verb === "patch";
}

const tight: Script = {
  call: (call) =>
    isSave(call) && JSON.stringify(call.body).length > LIMIT ? { kind: "refuse", code: 413 } : undefined,
};

test("a status too large to save: Error with size and limit, the last good nodes stay, and no pod is held", async () => {
  await scene({ script: tight }, async (stage) => {
    await stage.world.submit(wide);
    await stage.ended();
    expect(stage.phase()).toBe("Error");
    expect(stage.workflow()?.status?.message).toMatch(
      /^the status is too large to save: \d+ bytes; the API's limit is 3000$/,
    );
    expect(stage.workflow()?.metadata.labels?.[labels.completed]).toBe("true");
    // The step that was saved before is as it was; of those that were not nothing ran.
    expect(stage.node("a")?.phase).toBe("Running");
    expect(stage.startsOfMain()).toBe(1);
    await stage.until("no pod is held", () => !stage.pods().some(isHeld), 60_000);
    expect(stage.refusals.filter(({ code }) => code === 413)).toHaveLength(1);
  });
});

test("pods at work when it happens are ended, and let go", async () => {
  let isTight = false;
  const script: Script = {
    call: (call) =>
      isTight && isSave(call) && JSON.stringify(call.body).includes('"nodes"')
        ? { kind: "refuse", code: 413 }
        : undefined,
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(wide);
    await stage.running(20);
    isTight = true;
    await stage.ended();
    expect(stage.phase()).toBe("Error");
    await stage.until("no pod is held or at work", () => stage.pods().every((pod) => !isHeld(pod)), 120_000);
    expect(stage.world.machine.running()).toEqual([]);
  });
});

test("the end is refused as well, for a while: it comes when it is taken, and a crash in between changes nothing", async () => {
  let tries = 0;
  const script: Script = {
    call: (call) => {
      if (!isSave(call)) return undefined;
      if (JSON.stringify(call.body).length > LIMIT) return { kind: "refuse", code: 413 };
      if (!JSON.stringify(call.body).includes("too large")) return undefined;
      tries++;
      if (tries <= 3) return { kind: "refuse", code: 500 };
      return tries === 4 ? { kind: "crash", commit: "before" } : undefined;
    },
  };
  await scene({ script }, async (stage) => {
    await stage.world.submit(wide);
    await stage.ended();
    expect(stage.phase()).toBe("Error");
    expect(tries).toBe(5);
    await stage.until("no pod is held", () => !stage.pods().some(isHeld), 120_000);
  });
});
