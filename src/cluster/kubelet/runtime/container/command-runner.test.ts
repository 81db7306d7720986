import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CommandRunner } from "./command-runner.js";

let folder: string;
let runner: CommandRunner;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiphys-runner-"));
  runner = new CommandRunner({ folder, said: () => undefined, makeRoom: () => undefined });
});
afterEach(() => rm(folder, { recursive: true }));

/** The first line that the program wrote; the test's own timeout is the limit. */
async function firstLine(): Promise<string> {
  for (;;) {
    const text = await readFile(join(folder, "run/log.0"), "utf8").catch(() => "");
    const [, line] = /stdout F (.*)\n/.exec(text) ?? [];
    if (line !== undefined) return line;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

test.each([
  ["does not hear SIGTERM", "trap '' TERM; echo $$; while :; do sleep 1; done", 137],
  ["leaves its output to another", "setsid sh -c 'echo $$; exec sleep 1000' & wait", 143],
])("one that is given up is over, also where it %s", async (_, script, exitCode) => {
  const request = { id: 1, argv: ["sh", "-c", script], env };
  const pumped = runner.answer({ ...request, op: "pump", folder: join(folder, "run") });
  const pid = await firstLine();
  await runner.answer({ op: "cancel", id: 2, target: 1 });
  expect(await pumped).toEqual({ exitCode, written: { stdout: pid.length + 1, stderr: 0 } });
  if (exitCode === 143) process.kill(Number(pid));
});

test("when its owner is gone, no program is left, also not one that does not hear SIGTERM", async () => {
  const script = "trap '' TERM; echo $$; while :; do sleep 1; done";
  const request = { id: 1, argv: ["sh", "-c", script], env, op: "pump", folder: join(folder, "run") } as const;
  const pumped = runner.answer(request);
  const pid = Number(await firstLine());
  await runner.endAll();
  expect(await pumped).toMatchObject({ exitCode: 137 });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  await expect(runner.answer({ ...request, id: 2 })).rejects.toThrow("nobody is left");
});
