/** Recorded cases in which it matters that processes are real: signals, graces, exit codes, containers beside main. */

import { afterAll, expect, test } from "vitest";
import { hostFixture, realClock } from "../../../src/cluster/kubelet/testing/host-fixture.js";
import { packedCases } from "../case.js";
import { wrongIn } from "../judge.js";
import { playOnHost } from "./play.js";

const names = [
  "terminate-running",
  "terminate-running-exit0",
  "terminate-running-grace2",
  "terminate-running-retry",
  "stop-running-exit0",
  "daemon-terminate",
  "deadline-tmpl-running",
  "timeout-tmpl-running",
  "poddel-running-ignoreterm",
  "poddel-running-outputs",
  "main-termed",
  "main-killed",
  "init-fails",
  "init-fails-retry",
  "sidecar-normal",
  "sidecar-fails",
  "sidecar-mainfails",
];

const surroundings = {
  path: process.env["PATH"] ?? "/usr/bin:/bin",
  home: process.env["HOME"] ?? "/root",
  clock: realClock(() => Date.now()),
};

const cases = packedCases();

test.concurrent.each(names)("%s", async (name) => {
  const one = cases.find(({ id }) => id === `lifecycle/${name}`);
  if (one === undefined) return expect.unreachable();
  const fixture = await hostFixture(surroundings);
  afterAll(() => fixture.remove());
  expect(wrongIn(one, await playOnHost(one, fixture))).toEqual([]);
});
