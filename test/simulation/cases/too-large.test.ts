/** A status that the API will not take: the workflow ends in Error, and its pods are let go. */

import { expect, test } from "vitest";
import { withNodes } from "../../../src/controller/stored-nodes.js";
import { labels } from "../../../src/core/model/argo/names.js";
import type { Workflow } from "../../../src/core/model/argo/workflow.js";
import { workflows } from "../../../src/core/model/resources.js";
import type { Script, ScriptedCall } from "../faults/script.js";
import { pod as template, workflow } from "../generate/builder.js";
import { isHeld, scene } from "./scene.js";

const KEY = { namespace: "default", name: "wf" };

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

/** As an API server with a database behind it: it is the object that would be stored which is too large. */
function sizeAfter({ world, body }: ScriptedCall): number {
  const patch = JSON.stringify(body);
  const [stored] = world.truth.workflows();
  const { nodes = {}, compressedNodes = "", ...fields } = stored?.status ?? {};
  const areReplaced = compressedNodes !== "" || patch.includes("compressedNodes");
  return patch.length + JSON.stringify(areReplaced ? fields : { ...fields, nodes }).length;
}

function isOver(call: ScriptedCall, bytes: number): boolean {
  return isSave(call) && sizeAfter(call) > bytes;
}

function limitedTo(bytes: number): Script {
  return { call: (call) => (isOver(call, bytes) ? { kind: "refuse", code: 413 } : undefined) };
}

/** Too small for the nodes of the loop, however they are written. */
function takesNoLoop(call: ScriptedCall): boolean {
  if (!isSave(call)) return false;
  const text = JSON.stringify(call.body);
  return !text.includes("too large") && (isOver(call, 2800) || text.includes("compressedNodes"));
}

const tight: Script = { call: (call) => (takesNoLoop(call) ? { kind: "refuse", code: 413 } : undefined) };

test("a status that is too large as it is, is saved compressed, and goes on, also after a restart", async () => {
  await scene({ script: limitedTo(8000) }, async (stage) => {
    await stage.world.submit(wide);
    await stage.until("it is compressed", () => (stage.workflow()?.status?.compressedNodes ?? "") !== "");
    stage.world.crash("controller");
    await stage.ended();
    expect(stage.phase()).toBe("Succeeded");
    expect(stage.startsOfMain()).toBe(32);
    const stored = await stage.world.outside().get<Workflow>(workflows, KEY);
    expect(stored.status?.nodes).toBeUndefined();
    const nodes = Object.values(withNodes(stored).status?.nodes ?? {});
    expect(nodes.filter(({ type, phase }) => type === "Pod" && phase === "Succeeded")).toHaveLength(32);
  });
});

test("compressed nodes that cannot be read: the workflow ends in Error, nothing begins anew, and no pod is held", async () => {
  // The nodes are gone by someone else's hand.
  await scene({ script: limitedTo(8000), blind: ["I7"] }, async (stage) => {
    await stage.world.submit(wide);
    await stage.until("it is compressed", () => (stage.workflow()?.status?.compressedNodes ?? "") !== "");
    const started = stage.startsOfMain();
    stage.world.crash("controller");
    const status = { compressedNodes: "nonsense" };
    await stage.world.outside().patch(workflows, KEY, { type: "merge", body: { status } });
    await stage.ended();
    expect(stage.workflow()?.status).toMatchObject({ phase: "Error", message: "its compressed nodes cannot be read" });
    await stage.until("no pod is held", () => !stage.pods().some(isHeld), 120_000);
    expect(stage.startsOfMain()).toBeLessThanOrEqual(started + 31);
    expect(stage.world.machine.running()).toEqual([]);
  });
});

test("nodes in a database that we do not have: the workflow waits, and nothing begins anew", async () => {
  await scene({}, async (stage) => {
    const status = { phase: "Running", startedAt: "2024-01-01T00:00:00Z", offloadNodeStatusVersion: "fnv:1" } as const;
    await stage.world.submit({ ...wide, status });
    await stage.pass(100_000);
    expect(stage.pods()).toEqual([]);
    expect(stage.phase()).toBe("Running");
    await stage.deleteWorkflow();
  });
});

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
    // As it is, and compressed.
    expect(stage.refusals.filter(({ code }) => code === 413)).toHaveLength(2);
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
      if (takesNoLoop(call)) return { kind: "refuse", code: 413 };
      if (!isSave(call) || !JSON.stringify(call.body).includes("too large")) return undefined;
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
