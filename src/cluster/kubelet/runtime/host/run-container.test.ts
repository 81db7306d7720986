import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunSpec } from "./protocol.js";
import { startRun } from "./run-container.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tiphys-run-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const host = {
  makeRoom: () => undefined,
  endStrays: () => Promise.resolve(),
  endStraysLater: () => undefined,
  isOwned: () => true,
};

function specOf(more: Partial<RunSpec>): RunSpec {
  return {
    key: "uid/main/0",
    contained: false,
    folder: join(folder, "run"),
    argv: ["true"],
    env: {},
    cwd: "/",
    folders: [],
    files: [],
    links: [],
    outside: { links: [], moves: [] },
    sandboxError: undefined,
    signalled: undefined,
    details: undefined,
    ...more,
  };
}

test("a run whose log cannot be made does not begin, and leaves nothing outside of its folder", async () => {
  mkdirSync(join(folder, "run/log.0"), { recursive: true });
  const link = join(folder, "outside/link");
  const run = await startRun(specOf({ outside: { links: [{ path: link, target: folder }], moves: [] } }), host);
  expect(run).toMatchObject({ kind: "failed", code: "EISDIR" });
  expect(existsSync(link)).toBe(false);
  expect(existsSync(join(folder, "run/start.json"))).toBe(false);
});

test("what a run left outside of its folder and cannot be moved is said in its exit", async () => {
  mkdirSync(join(folder, "left"));
  writeFileSync(join(folder, "file"), "");
  const moves = [{ from: join(folder, "left"), to: join(folder, "file/left") }];
  const link = join(folder, "outside/link");
  const run = await startRun(specOf({ outside: { links: [{ path: link, target: folder }], moves } }), host);
  if (!("exit" in run)) throw new Error(run.message);
  expect(await run.exit).toMatchObject({
    exitCode: 0,
    message: expect.stringContaining("could not be taken: EEXIST"),
  });
  expect(existsSync(join(folder, "run/exit.json"))).toBe(true);
  expect(existsSync(link)).toBe(false);
});

test("a command that cannot be begun is told also where its end cannot be recorded", async () => {
  mkdirSync(join(folder, "run/exit.json.new"), { recursive: true });
  const run = await startRun(specOf({ argv: ["/none"] }), host);
  expect(run).toMatchObject({ kind: "failed", code: "ENOENT" });
});

test("runs that begin and end side by side share a link, and the last takes it away", async () => {
  const link = join(folder, "outside/deep/link");
  const names = ["a", "b", "c", "d"];
  const runs = await Promise.all(
    names.map((name) => {
      const outside = { links: [{ path: link, target: folder }], moves: [] };
      const argv = ["sh", "-c", `test -e ${link}`];
      return startRun(specOf({ key: `uid/${name}/0`, folder: join(folder, name), argv, outside }), host);
    }),
  );
  const exits = await Promise.all(runs.map((run) => ("exit" in run ? run.exit : run)));
  expect(exits).toMatchObject(names.map(() => ({ exitCode: 0 })));
  expect(existsSync(link)).toBe(false);
});
