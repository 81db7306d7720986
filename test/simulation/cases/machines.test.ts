/** Machines that are lost for good, or come back: what becomes of the pods on them (design: the pod lifecycle). */

import { expect, test } from "vitest";
import type { MachineFate } from "../faults/fault.js";
import { pod as template, workflow } from "../generate/builder.js";
import type { WorldOptions } from "../world/world.js";
import { isHeld, type Stage, scene } from "./scene.js";

const severalMachines: Partial<WorldOptions> = { binding: "scheduler", controller: { hosts: "leased" } };

const outputs = { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] };
const words = ["ms=60000", "exit=0", "out=/tmp/x:hello"];
const twice = workflow("wf", {
  entrypoint: "a",
  templates: [template("a", words, { outputs, retryStrategy: { limit: 1, retryPolicy: "OnError" } })],
});

interface Loss {
  readonly fate: MachineFate;
  readonly ms: number;
  readonly evictMs?: number;
}

async function loseWhileRunning(stage: Stage, { fate, ms, evictMs = 5000 }: Loss): Promise<void> {
  await stage.world.submit(twice);
  await stage.running();
  stage.world.cluster.lose({ kind: "lose-machine", index: 0, fate, ms, evictMs });
}

test.each([
  { fate: "cut off", ms: 600_000 },
  { fate: "gone", ms: 1000 },
  { fate: "removed", ms: 1000 },
] as const)("A-22 a machine is $fate: its step is an Error, and is repeated on another machine", async (loss) => {
  await scene(severalMachines, async (stage) => {
    await loseWhileRunning(stage, loss);
    await stage.until("the attempt is lost", () => stage.node("wf(0)")?.phase === "Error", 200_000);
    expect(stage.node("wf(0)")?.message).toContain("node lost: local does not answer");
    await stage.until("its pod is held no more", () =>
      stage.pods().every((pod) => !isOn(pod, "local") || !isHeld(pod)),
    );
    await stage.until("it is repeated", () => stage.phase() === "Succeeded", 200_000);
    expect(stage.node("wf(1)")?.hostNodeName).toBe("local-2");
    expect(stage.startsOfMain()).toBe(2);
  });
});

function isOn({ spec }: ReturnType<Stage["pod"]>, host: string): boolean {
  return spec.nodeName === host;
}

test("A-22 a machine answers again after its step was lost: what it tells comes too late, and what still runs is ended", async () => {
  await scene(severalMachines, async (stage) => {
    await loseWhileRunning(stage, { fate: "cut off", ms: 300_000 });
    await stage.until("the attempt is lost", () => stage.node("wf(0)")?.phase === "Error", 200_000);
    const lost = stage.node("wf(0)");
    await stage.pass(300_000);
    expect(stage.node("wf(0)")).toEqual(lost);
    expect(stage.world.machine.running()).toEqual([]);
    expect(stage.pods().map(({ spec }) => spec.nodeName)).toEqual(["local-2"]);
  });
});

test("A-22 a machine was silent for a while, and nobody deleted its pod: nothing is lost", async () => {
  await scene(severalMachines, async (stage) => {
    await loseWhileRunning(stage, { fate: "cut off", ms: 200_000, evictMs: 600_000 });
    await stage.ended();
    expect(stage.node("wf(0)")).toMatchObject({ phase: "Succeeded", outputs: { exitCode: "0" } });
    expect(stage.startsOfMain()).toBe(1);
  });
});

test.each([
  { fate: "rebooted", ms: 30_000 },
  { fate: "replaced", ms: 1000 },
] as const)(
  "a machine is $fate and comes back under its name: the step is lost, and never begun again",
  async (loss) => {
    await scene(severalMachines, async (stage) => {
      await loseWhileRunning(stage, loss);
      await stage.until("the attempt is lost", () => stage.node("wf(0)")?.phase === "Error", 200_000);
      await stage.until("it is repeated", () => stage.phase() === "Succeeded", 200_000);
      expect(stage.node("wf(1)")?.hostNodeName).toBe("local");
      expect(stage.startsOfMain()).toBe(2);
    });
  },
);
