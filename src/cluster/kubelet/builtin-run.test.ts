import { expect, test } from "vitest";
import type { BuiltinContext, BuiltinImage } from "./builtin.js";
import { BuiltinRun } from "./builtin-run.js";
import { readTail } from "./logs.js";
import { podOf } from "./testing/scripted-node.js";

const context: Omit<BuiltinContext, "signal" | "log"> = {
  pod: podOf("p", {}),
  container: { name: "wait" },
  env: new Map(),
  volumePath: (name) => name,
  ended: () => Promise.resolve({ exitCode: 0 }),
  stdoutTail: () => Promise.resolve(Buffer.alloc(0)),
  output: async function* () {},
  readFile: () => Promise.resolve(undefined),
  exportPath: () => Promise.resolve(undefined),
};

function run(image: BuiltinImage): BuiltinRun {
  return new BuiltinRun({ image, context, now: () => 1000 });
}

const untilTold: BuiltinImage = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve({ exitCode: 143 })));

test("its answer is its exit, its lines are its log", async () => {
  const one = run(async ({ log }) => {
    log("working");
    return { exitCode: 3, message: "said" };
  });
  expect(await one.exit).toEqual({ exitCode: 3, message: "said", startedAt: 1000, finishedAt: 1000 });
  expect((await readTail(one.log, "stdout", 100)).toString()).toBe("working\n");
});

test("what it throws is its message", async () => {
  const one = run(() => Promise.reject(new Error("no way")));
  expect(await one.exit).toMatchObject({ exitCode: 1, message: "no way" });
  expect((await readTail(one.log, "stdout", 100)).toString()).toBe("no way\n");
});

test("SIGTERM asks it to end", async () => {
  const one = run(untilTold);
  one.signal("SIGTERM");
  expect((await one.exit).exitCode).toBe(143);
});

test("SIGKILL ends it whatever it does", async () => {
  const one = run(() => new Promise(() => undefined));
  one.signal("SIGKILL");
  expect((await one.exit).exitCode).toBe(137);
});
