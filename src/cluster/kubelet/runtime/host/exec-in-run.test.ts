import { expect, test } from "vitest";
import { execInRun } from "./exec-in-run.js";

const plain = { env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" }, cwd: "/", enter: undefined };

test("a command over its time is over, also where a process that left its group holds its output", async () => {
  // In a session of its own, as a daemon is; it ends by itself long after the test.
  const script = "setsid sleep 120 & echo $!; sleep 120";
  const reply = await execInRun({ ...plain, argv: ["sh", "-c", script], timeoutMs: 500 }, 0);
  const pid = Number(reply.output);
  process.kill(pid, "SIGKILL");
  expect(reply).toMatchObject({ exitCode: 137, timedOut: true });
});

test.each([
  [["sh", "-c", "echo said; echo more >&2; exit 3"], { exitCode: 3, timedOut: false }],
  [["/none"], { exitCode: 126, timedOut: false }],
])("%j", async (argv, expected) => {
  expect(await execInRun({ ...plain, argv, timeoutMs: 60_000 }, 0)).toMatchObject(expected);
});
