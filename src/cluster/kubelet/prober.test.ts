import { expect, test } from "vitest";
import type { Container } from "../../core/model/kube/pod.js";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { Prober } from "./prober.js";

/** What the prober says, with seconds; `answers` by the number of the try. */
async function watch(
  { isStarted = false, ...container }: Partial<Container> & { readonly isStarted?: boolean },
  answers: (attempt: number) => boolean,
  seconds: number,
) {
  const clock = new VirtualClock();
  const said: string[] = [];
  const note = (text: string): void => void said.push(`${text}@${clock.monotonic() / 1000}`);
  let attempt = 0;
  const prober = new Prober({
    container: { name: "main", ...container },
    isStarted,
    clock,
    ask: () => Promise.resolve(answers(attempt++)),
    started: () => note("started"),
    ready: (isReady) => note(isReady ? "ready" : "not ready"),
    unhealthy: note,
  });
  await clock.advance(seconds * 1000);
  prober.stop();
  await clock.advance(60_000);
  return { said, asked: attempt };
}

const every = { exec: { command: ["x"] }, periodSeconds: 1 };

test("readiness: after its delay, as often as its threshold says", async () => {
  const probe = { ...every, initialDelaySeconds: 3, successThreshold: 2 };
  const { said, asked } = await watch({ readinessProbe: probe }, () => true, 6);
  expect(said).toEqual(["ready@4"]);
  // Nothing is asked once it is stopped.
  expect(asked).toBe(4);
});

test("readiness comes and goes", async () => {
  const { said } = await watch({ readinessProbe: { ...every, failureThreshold: 2 } }, (n) => n < 2 || n > 4, 7);
  expect(said).toEqual(["ready@0", "not ready@3", "ready@5"]);
});

test("liveness gives up after three failures in a row", async () => {
  const { said } = await watch({ livenessProbe: every }, (n) => n === 2, 6);
  expect(said).toEqual(["liveness probe failed@5"]);
});

test("the others wait for the startup probe", async () => {
  const { said } = await watch({ startupProbe: every, readinessProbe: every }, (n) => n >= 2, 5);
  expect(said).toEqual(["started@2", "ready@2"]);
});

test("a startup probe that never succeeds", async () => {
  const { said } = await watch({ startupProbe: { ...every, failureThreshold: 4 } }, () => false, 5);
  expect(said).toEqual(["startup probe failed@3"]);
});

test("one that has started before is not asked for that again", async () => {
  const { said } = await watch({ startupProbe: every, readinessProbe: every, isStarted: true }, (n) => n >= 1, 5);
  expect(said).toEqual(["ready@1"]);
});
