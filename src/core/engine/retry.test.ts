import { describe, expect, test } from "vitest";
import type { RetryStrategy } from "../model/argo/template.js";
import { rfc3339OfMs } from "../std/time.js";
import { Drive, echo, start, workflowOf } from "./engine.fixture.js";
import { humanDuration } from "./kinds/retry-decision.js";

function retried(retryStrategy: RetryStrategy): Drive {
  return new Drive(workflowOf({ entrypoint: "echo", templates: [{ ...echo, retryStrategy }] }));
}

/** Ends attempt after attempt with these exit codes; answers the wrapper's phase and message. */
function run(strategy: RetryStrategy, codes: readonly number[]): string {
  const drive = retried(strategy);
  for (const [attempt, code] of codes.entries()) drive.end(`wf(${attempt})`, code);
  const { phase, message } = drive.node("wf");
  return `${phase ?? ""}: ${message ?? ""}`;
}

test.each<[string, RetryStrategy, readonly number[], string]>([
  ["a later attempt succeeds", { limit: 2 }, [1, 0], "Succeeded: "],
  ["the limit counts retries", { limit: 1 }, [1, 1], "Failed: No more retries left"],
  ["a limit may be written as text", { limit: "1" }, [1, 1], "Failed: No more retries left"],
  ["without a limit it goes on", {}, [1, 1, 1], "Running: "],
  ["a failure is no error", { retryPolicy: "OnError", limit: 3 }, [1], "Failed: main: Error (exit code 1)"],
  ["an expression decides", { limit: 3, expression: "lastRetry.exitCode == '7'" }, [7], "Running: "],
  [
    "an expression that is false",
    { limit: 3, expression: "lastRetry.exitCode == '7'" },
    [1],
    "Failed: retryStrategy.expression evaluated to false",
  ],
])("%s", (_title, strategy, codes, expected) => {
  expect(run(strategy, codes)).toBe(expected);
});

describe("backoff", () => {
  test("waits longer each time, says so, and wakes itself", () => {
    const drive = retried({ limit: 3, backoff: { duration: "5", factor: 2 } });
    drive.end("wf(0)", 1);
    expect(drive.node("wf").message).toBe("Backoff for 5 seconds");
    expect(drive.last?.wakeAt).toBe(start + 5_000);
    drive.wait(5_000);
    drive.end("wf(1)", 1);
    expect(drive.node("wf").message).toBe("Backoff for 10 seconds");
  });

  test("an end that names no zone is none: it is not read in the zone of this machine", () => {
    const drive = retried({ limit: 3, backoff: { duration: "5" } });
    drive.end("wf(0)", 1);
    const nodes = Object.fromEntries([...drive.run.nodes()].map((node) => [node.id, node]));
    const attempt = { ...drive.node("wf(0)"), finishedAt: "2025-12-31T23:59:58" };
    const status = {
      phase: "Running",
      startedAt: rfc3339OfMs(start),
      nodes: { ...nodes, [attempt.id]: attempt },
    } as const;
    expect(new Drive({ ...drive.workflow, status }).last?.wakeAt).toBe(start + 5_000);
  });

  test("does not wait after the last attempt", () => {
    const drive = retried({ limit: 1, backoff: { duration: "1h" } });
    drive.end("wf(0)", 1);
    drive.wait(3_600_000);
    drive.end("wf(1)", 1);
    expect(drive.phase).toBe("Failed");
  });

  test("does not begin a wait that is longer than maxDuration leaves", () => {
    const drive = retried({ limit: 5, backoff: { duration: "10", maxDuration: "15s" } });
    drive.end("wf(0)", 1);
    drive.wait(10_000);
    drive.end("wf(1)", 1);
    expect(drive.message).toBe("Backoff would exceed max duration limit");
  });
});

test("attempts know their number and how the last one ended", () => {
  const container = { image: "busybox", command: ["echo"], args: ["{{retries}} {{lastRetry.exitCode}}"] };
  const drive = new Drive(
    workflowOf({ entrypoint: "e", templates: [{ name: "e", container, retryStrategy: { limit: 1 } }] }),
  );
  drive.end("wf(0)", 4);
  const args = [...drive.pods.values()].map(({ spec }) => spec.containers.find(({ name }) => name === "main")?.args);
  expect(args).toEqual([["0 0"], ["1 4"]]);
});

test("attempts that fail at once do not keep a pass for ever", () => {
  const steps = [[{ name: "a", template: "nowhere" }]];
  const template = { name: "main", steps, retryStrategy: { retryPolicy: "Always" as const } };
  const drive = new Drive(workflowOf({ entrypoint: "main", templates: [template] }));
  expect(drive.phase).toBe("Running");
  expect(drive.last?.wakeAt).toBe(start + 1_000);
});

test.each([
  [0, "0 seconds"],
  [1_000, "1 second"],
  [59_900, "59 seconds"],
  [60_000, "1 minute 0 seconds"],
  [3_599_000, "59 minutes 59 seconds"],
  [7_500_000, "2 hours 5 minutes"],
  [97_200_000, "1 day 3 hours"],
])("%d ms is %s", (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

test("while it waits for a place its time may run out: it wakes itself for that", () => {
  const drive = retried({ limit: 3, backoff: { duration: "1", maxDuration: "20s" } });
  drive.end("wf(0)", 1);
  drive.restart({ suspend: true });
  drive.wait(1_000);
  expect(drive.last?.wakeAt).toBe(start + 20_001);
  drive.wait(19_001);
  expect(drive.message).toBe("Max duration limit exceeded");
});
