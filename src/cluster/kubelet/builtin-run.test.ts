import { expect, test } from "vitest";
import type { BuiltinContext, BuiltinImage } from "./builtin.js";
import { BuiltinRun } from "./builtin-run.js";
import { readTail } from "./logs.js";
import { podOf } from "./testing/scripted-node.js";

const context: Omit<BuiltinContext, "signal" | "killed" | "log"> = {
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

test("killed, it gets no answer any more, and says nothing", async () => {
  let end: (exit: { exitCode: number }) => void = () => undefined;
  const main = new Promise<{ exitCode: number }>((resolve) => {
    end = resolve;
  });
  const did: string[] = [];
  const image: BuiltinImage = async ({ ended, log, killed }) => {
    log("waiting");
    killed.addEventListener("abort", () => log("still here"));
    await ended("main");
    did.push("went on");
    return { exitCode: 0 };
  };
  const [killed, abandoned] = [0, 1].map(
    () => new BuiltinRun({ image, context: { ...context, ended: () => main }, now: () => 1000 }),
  );
  killed?.signal("SIGKILL");
  abandoned?.abandon();
  end({ exitCode: 0 });
  expect((await killed?.exit)?.exitCode).toBe(137);
  await new Promise((resolve) => setImmediate(resolve));
  expect(did).toEqual([]);
  for (const one of [killed, abandoned]) {
    expect(one && (await readTail(one.log, "stdout", 100)).toString()).toBe("waiting\n");
  }
});
