import { expect, test } from "vitest";
import { exitOfFacts } from "./container-run.js";
import { type ContainerFacts, parseContainers, parseImage } from "./inspect.js";

const zero = "0001-01-01T00:00:00Z";
const at = "2026-11-30T07:02:06.503974180Z";

const one = (state: object, more: object = {}): Partial<ContainerFacts> | undefined =>
  parseContainers(JSON.stringify([{ Id: "a", State: state, ...more }]))[0];

test.each([
  [
    { Status: "created", StartedAt: zero, FinishedAt: zero, ExitCode: 127 },
    { state: "created", startedAt: undefined },
  ],
  [
    { Status: "running", Running: true, StartedAt: at, FinishedAt: zero },
    { state: "running", finishedAt: undefined },
  ],
  [{ Status: "paused", StartedAt: at }, { state: "running" }],
  [
    { Status: "exited", StartedAt: at, FinishedAt: at, ExitCode: 3, OOMKilled: true },
    { state: "ended", exitCode: 3, oomKilled: true },
  ],
  [
    { Status: "exited", StartedAt: at, FinishedAt: at },
    { state: "ended", exitCode: -1 },
  ],
])("%j", (state, expected) => {
  expect(one(state)).toMatchObject(expected);
});

test("the address is where this version puts it", () => {
  expect(one({}, { NetworkSettings: { IPAddress: "10.0.0.2" } })?.ip).toBe("10.0.0.2");
  expect(one({}, { NetworkSettings: { IPAddress: "", Networks: { podman: { IPAddress: "10.88.0.3" } } } })?.ip).toBe(
    "10.88.0.3",
  );
  expect(one({}, { NetworkSettings: {} })?.ip).toBeUndefined();
});

test.each(["", "[]", "{", "[null, 1, {}]", '{"Id":"a"}'])("%j holds no container", (text) => {
  expect(parseContainers(text)).toEqual([]);
});

test("an image", () => {
  expect(parseImage('[{"Id":"x","Os":"linux","Architecture":"arm64","Config":{"User":"node"}}]')).toEqual({
    id: "x",
    os: "linux",
    architecture: "arm64",
    user: "node",
  });
  expect(parseImage("[]")).toBeUndefined();
});

const ended: ContainerFacts = {
  id: "a",
  labels: {},
  state: "ended",
  exitCode: 0,
  oomKilled: false,
  startedAt: 100,
  finishedAt: 200,
  ip: undefined,
};

test.each<[string, Partial<ContainerFacts>, object | undefined]>([
  ["an end", {}, { exitCode: 0, startedAt: 90, finishedAt: 200 }],
  [
    "out of memory",
    { exitCode: 137, oomKilled: true },
    { exitCode: 137, reason: "OOMKilled", startedAt: 90, finishedAt: 200 },
  ],
  ["a clock that is ahead", { finishedAt: 9000 }, { exitCode: 0, startedAt: 90, finishedAt: 300 }],
  ["a clock that is behind", { finishedAt: 5 }, { exitCode: 0, startedAt: 90, finishedAt: 90 }],
  ["the machine went down: nobody knows how it ended", { finishedAt: undefined }, undefined],
  ["its keeper was killed", { exitCode: -1 }, undefined],
])("%s", (_, facts, exit) => {
  expect(exitOfFacts({ ...ended, ...facts }, 90, 300)).toEqual(exit);
});
