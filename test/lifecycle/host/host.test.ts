/** Recorded cases in which it matters that processes are real: signals, graces, exit codes, containers beside main. */

import { afterAll, expect, test, vi } from "vitest";
import { hostFixture, realClock } from "../../../src/cluster/kubelet/testing/host-fixture.js";
import { packedCases } from "../case.js";
import { wrongIn } from "../judge.js";
import { playOnHost } from "./play.js";

// They mostly wait.
vi.setConfig({ maxConcurrency: 10 });

const names = [
  "terminate-running",
  "terminate-running-exit0",
  "terminate-running-grace2",
  "terminate-running-retry",
  "terminate-ignoreterm-gc",
  "stop-running",
  "stop-running-exit0",
  "stop-parallel-onexit",
  "daemon-terminate",
  "daemon-normal",
  "daemon-exits0",
  "daemon-poddel",
  "deadline-tmpl-running",
  "timeout-tmpl-running",
  "poddel-running-ignoreterm",
  "poddel-running-outputs",
  "poddel-running-retry-onfailure",
  "wfdel-running-foreground-gc-onpodcompletion",
  "main-termed",
  "main-killed",
  "main-and-stdout-closed",
  "wait-killed",
  "init-fails",
  "init-fails-retry",
  "sidecar-normal",
  "sidecar-noshell",
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
