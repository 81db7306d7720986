import { expect, test } from "vitest";
import type { LogOptions } from "../ports.js";
import { type StepLog, StepLogs } from "./step-logs.js";

const sink = { lines: () => Promise.resolve(), ended: () => undefined };

function logOf(pod: string): StepLog {
  return { nodeId: pod, pod: { namespace: "default", name: pod }, podUid: pod, container: "main", label: pod };
}

/** Logs that say one line and go on until they are told to stop. */
function endlessLogs() {
  const signals: AbortSignal[] = [];
  async function* logs(_ref: unknown, _container: string, { signal }: LogOptions): AsyncGenerator<Uint8Array> {
    if (signal === undefined) return;
    signals.push(signal);
    yield Buffer.from("one\n");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
  return { signals, logs };
}

test("each log has a signal of its own, and stop ends them all", async () => {
  const { signals, logs } = endlessLogs();
  const steps = new StepLogs({ logs }, sink);
  for (const pod of ["a", "b", "c", "a"]) steps.follow(logOf(pod));
  await new Promise((resolve) => setImmediate(resolve));
  expect(new Set(signals).size).toBe(3);
  expect(steps.tail("default/a")).toEqual({ lines: ["one"], total: 1 });
  steps.stop("as they are");
  await steps.settled();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

test("what is followed after stop is not read on", async () => {
  const { signals, logs } = endlessLogs();
  const steps = new StepLogs({ logs }, sink);
  steps.stop("as they are");
  steps.follow(logOf("late"));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("of a log that was not read to its end, the last lines are read by themselves", async () => {
  async function* logs(_: unknown, __: string, { tailLines, signal }: LogOptions): AsyncGenerator<Uint8Array> {
    yield Buffer.from(tailLines === undefined ? "first\n" : "last but one\nlast\n");
    if (signal !== undefined && !signal.aborted) {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    }
  }
  const steps = new StepLogs({ logs }, sink);
  steps.follow(logOf("a"));
  await new Promise((resolve) => setImmediate(resolve));
  await steps.stop("read their ends");
  expect(steps.tail("default/a")).toEqual({ lines: ["last but one", "last"], total: undefined });
});

test("steps of two namespaces may have one node ID", async () => {
  async function* logs({ namespace }: { readonly namespace: string }): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${namespace}\n`);
  }
  const steps = new StepLogs({ logs }, sink);
  for (const namespace of ["x", "y"]) steps.follow({ ...logOf("a"), pod: { namespace, name: "a" } });
  await steps.settled();
  expect([steps.tail("x/a").lines, steps.tail("y/a").lines]).toEqual([["x"], ["y"]]);
});

test("of a step that is forgotten nothing is kept, also of what it still says; other steps keep theirs", async () => {
  let go: () => void = () => undefined;
  const more = new Promise<void>((resolve) => {
    go = resolve;
  });
  const asked: (number | undefined)[] = [];
  async function* logs(_: unknown, __: string, { tailLines, signal }: LogOptions): AsyncGenerator<Uint8Array> {
    asked.push(tailLines);
    yield Buffer.from("one\n");
    await more;
    yield Buffer.from("two\n");
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
  }
  const steps = new StepLogs({ logs }, sink);
  steps.follow(logOf("well"));
  steps.follow(logOf("other"));
  await new Promise((resolve) => setImmediate(resolve));
  steps.forget("default/well");
  expect(steps.tail("default/well")).toEqual({ lines: [], total: 0 });
  go();
  await new Promise((resolve) => setImmediate(resolve));
  expect([steps.tail("default/well").lines, steps.lastLine("default/other")]).toEqual([[], "two"]);
  steps.forget("default/other");
  await steps.stop("read their ends");
  expect(asked).toEqual([undefined, undefined]);
});
