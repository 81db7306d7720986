import { expect, test } from "vitest";
import type { Pod } from "../../../core/model/kube/pod.js";
import { VirtualClock } from "../../../kube/testing/virtual-clock.js";
import { RoutedRuntime } from "./routed-runtime.js";
import { defaultOutcome } from "./scripted/script.js";
import { ScriptedRuntime } from "./scripted/scripted-runtime.js";

const clock = new VirtualClock();

function runtimeEndingWith(exitCode: number): ScriptedRuntime {
  const outcome = { ...defaultOutcome, exitCode };
  return new ScriptedRuntime({ script: { rules: [] }, clock, decide: () => outcome });
}

async function exitOf(runtime: RoutedRuntime, name: string): Promise<number> {
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, uid: name },
    spec: { containers: [{ name: "main" }] },
  };
  const handle = await runtime.openPod({ pod, folder: "/nonexistent" });
  const [container] = pod.spec.containers;
  if (container === undefined) throw new Error("it has one");
  await handle.startContainer({
    container,
    restartCount: 0,
    argv: [],
    env: new Map(),
    workingDir: undefined,
    mounts: [],
    waiting: () => undefined,
    signal: new AbortController().signal,
  });
  await clock.advance(0);
  return (await handle.ended("main")).exitCode;
}

test("a pod goes to the driver that is to run it", async () => {
  const runtime = new RoutedRuntime({
    usual: runtimeEndingWith(1),
    other: runtimeEndingWith(2),
    isForOther: ({ metadata }) => metadata.name === "apart",
  });
  await runtime.start();
  expect(await exitOf(runtime, "usual")).toBe(1);
  expect(await exitOf(runtime, "apart")).toBe(2);
  expect(runtime.name).toBe("scripted");
  expect(runtime.files).toBe("none");
  await runtime.close();
});
