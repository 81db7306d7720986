import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { begin, hostFixture, realClock } from "../../testing/host-fixture.js";
import { gone } from "../../testing/processes.js";
import type { HostRuntimeOptions } from "./host-runtime.js";
import type { Isolation } from "./machine.js";

// Real processes on a machine that may be busy: a limit against hanging, not a measure.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const fixture = await hostFixture({
  path: process.env["PATH"] ?? "/usr/bin:/bin",
  home: process.env["HOME"] ?? "/root",
  clock: realClock(() => Date.now()),
});
const probe = await fixture.start();
const best = probe.machine.isolation;
await probe.close();
afterAll(() => fixture.remove());

const moments = {
  "before the process": "cp.spawn = (file, ...rest) => { die(); return spawn(file, ...rest); };",
  "with the process": 'said = \'"kind":"started"\';',
  "after its end": "said = '\"exited\":';",
  "by somebody else": "writeFileSync(pidFile, String(process.pid));",
} as const;

/** A helper that is killed once, there: what is durable by then is all that is left of it. */
async function mortalHelper(name: string, moment: keyof typeof moments): Promise<string> {
  const script = join(fixture.folder, `${name}.mjs`);
  const died = JSON.stringify(join(fixture.folder, `${name}.died`));
  await writeFile(
    script,
    `import cp from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
let said;
const pidFile = ${JSON.stringify(join(fixture.folder, `${name}.pid`))};
const { spawn } = cp;
const write = process.stdout.write.bind(process.stdout);
const die = () => {
  if (existsSync(${died})) return;
  writeFileSync(${died}, "");
  process.kill(process.pid, "SIGKILL");
  for (;;);
};
process.stdout.write = (text) => {
  if (said !== undefined && text.includes(said)) die();
  return write(text);
};
${moments[moment]}
syncBuiltinESMExports();
await import(${JSON.stringify(fixture.helperScript)});
`,
  );
  return script;
}

const isolations: readonly Isolation[] = best === "plain" ? ["plain"] : [best, "plain"];

async function started(isolation: Isolation, moment: keyof typeof moments, more: Partial<HostRuntimeOptions> = {}) {
  // Processes are known by it: nobody else's may have the same.
  const name = `${isolation}-${moment.replaceAll(" ", "-")}-${randomUUID()}`;
  const helperScript = await mortalHelper(name, moment);
  const cacheFile = join(fixture.folder, `${isolation}.json`);
  const runtime = await fixture.start({ isolation, cacheFile, helperScript, ...more });
  return { name, runtime };
}

test.each(
  isolations.flatMap((isolation) =>
    (["before the process", "with the process"] as const).map((moment) => [isolation, moment] as const),
  ),
)(
  "%s: killed between the record and the reply, %s: the run is lost, nothing of it goes on, and it does not begin again",
  async (isolation, moment) => {
    const { name, runtime } = await started(isolation, moment);
    const argv = ["sh", "-c", "sleep 1000 & wait"];
    const { result, handle } = await begin(fixture, runtime, { uid: name, argv });
    const lost = { exitCode: 137, reason: "ContainerStatusUnknown", message: "lost with the process that ran it" };
    expect(result).toMatchObject({ kind: "failed", exit: { ...lost, startedAt: expect.any(Number) } });
    expect(await handle.ended("main")).toMatchObject(lost);
    await gone(name);
    // The next helper serves the others.
    const other = await begin(fixture, runtime, { uid: `${name}-other`, argv: ["true"] });
    expect(await other.handle.ended("main")).toMatchObject({ exitCode: 0 });
    await runtime.close();
  },
);

test("killed with an end on record that it could not tell: that is how the run ended", async () => {
  const { name, runtime } = await started("plain", "after its end");
  const { handle } = await begin(fixture, runtime, { uid: name, argv: ["sh", "-c", "exit 7"] });
  expect(await handle.ended("main")).toMatchObject({ exitCode: 7, startedAt: expect.any(Number) });
  await runtime.close();
});

test("killed while a container runs in isolation plain: all that came of it ends, and what it wrote is its own", async () => {
  const out = join(fixture.folder, "gone-out");
  const { name, runtime } = await started("plain", "by somebody else", { writtenPaths: () => [out] });
  const argv = ["sh", "-c", `echo half >${out}; sleep 1000 & wait`];
  const { handle } = await begin(fixture, runtime, { uid: name, argv });
  while ((await readFile(out, "utf8").catch(() => "")) === "") await new Promise((resolve) => setImmediate(resolve));
  process.kill(Number(await readFile(join(fixture.folder, `${name}.pid`), "utf8")), "SIGKILL");
  expect(await handle.ended("main")).toMatchObject({ exitCode: 137, reason: "ContainerStatusUnknown" });
  await gone(name);
  expect(existsSync(out)).toBe(false);
  expect((await handle.readFile("main", out, 100))?.toString()).toBe("half\n");
  await runtime.close();
});
