import { expect, test } from "vitest";
import { type FixedPath, PathLocks, planPlain } from "./plain.js";

const base = { folder: "/run/fs", env: {}, writtenPaths: [], standIn: "/run/fs/work" };
const staging = { path: "/argo/staging", source: "/pods/staging" };
const data = { path: "/data", source: "/claims/data" };

test("a mount that only whole arguments name is put into them; any other becomes a link", () => {
  const plan = planPlain({ ...base, mounts: [staging, data], argv: ["sh", "/argo/staging/script", "--in=/data/x"] });
  expect(plan.argv).toEqual(["sh", "/pods/staging/script", "--in=/data/x"]);
  expect(plan.outside.links).toEqual([{ path: "/data", target: "/claims/data" }]);
  expect(plan.fixedPaths).toEqual([{ path: "/data", target: "/claims/data" }]);
});

test.each([
  ["nobody names it", ["ls"], {}],
  ["a longer text names it", ["sh", "-c", "cat /argo/staging/x"], {}],
  ["a variable names it", ["sh", "/argo/staging/x"], { HERE: "/argo/staging" }],
])("a link where %s", (_, argv, env) => {
  const plan = planPlain({ ...base, mounts: [staging], argv, env });
  expect(plan.argv).toEqual(argv);
  expect(plan.outside.links).toHaveLength(1);
});

test("of nested mounts only the outer one is a link", () => {
  const inner = { path: "/data/inner", source: "/pods/inner" };
  expect(planPlain({ ...base, mounts: [data, inner], argv: ["ls"] }).outside.links).toEqual([
    { path: "/data", target: "/claims/data" },
  ]);
});

test("written paths are moved, also when they were written where it was started; those in mounts stay", () => {
  const plan = planPlain({
    ...base,
    mounts: [data],
    argv: ["ls"],
    writtenPaths: ["/out", "/out/deeper", "/data/kept"],
  });
  expect(plan.outside.moves).toEqual([
    { from: "/run/fs/work/out", to: "/run/fs/moved/out" },
    { from: "/out", to: "/run/fs/moved/out" },
  ]);
  expect(plan.fixedPaths.map((one) => one.path)).toEqual(["/data", "/out"]);
});

test("locks: the same or nested paths one after another, others and shared links at once", async () => {
  const locks = new PathLocks();
  const order: string[] = [];
  const take = async (name: string, ...paths: FixedPath[]) => {
    const release = await locks.take(paths);
    order.push(name);
    return release;
  };
  const at = (path: string, target?: string): FixedPath => ({ path, target });
  const first = await take("first", at("/a/b"));
  const second = take("second", at("/a"));
  const third = take("third", at("/a/b/c"));
  await take("other", at("/ab"));
  await take("shared 1", at("/mnt", "/x"));
  await take("shared 2", at("/mnt", "/x"));
  const different = take("different", at("/mnt", "/y"));
  first();
  (await second)();
  (await third)();
  expect(order).toEqual(["first", "other", "shared 1", "shared 2", "second", "third"]);
  expect(await Promise.race([different, Promise.resolve("waits")])).toBe("waits");
});
