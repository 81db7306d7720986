import { expect, test } from "vitest";
import { VirtualClock } from "../kube/testing/virtual-clock.js";
import type { SignalName } from "./ports.js";
import { SignalDesk } from "./signals.js";

function setup() {
  const clock = new VirtualClock();
  const handlers = new Set<(signal: SignalName) => void>();
  const desk = new SignalDesk(
    {
      listen: (handler) => {
        handlers.add(handler);
        return () => handlers.delete(handler);
      },
    },
    clock,
  );
  const heard: SignalName[] = [];
  const send = (signal: SignalName): void => {
    for (const handler of [...handlers]) handler(signal);
  };
  return { clock, desk, heard, handlers, send, listen: () => desk.listen((signal) => heard.push(signal)) };
}

test.each([
  ["SIGINT", 200],
  ["SIGTERM", 200],
  ["SIGHUP", 2000],
] as const)("the same %s within %d ms is an echo; a person's second one comes later", async (signal, echoMs) => {
  const { clock, heard, listen, send } = setup();
  listen();
  send(signal);
  send(signal);
  await clock.advance(echoMs - 1);
  send(signal);
  expect(heard).toEqual([signal]);
  await clock.advance(1);
  send(signal);
  expect(heard).toEqual([signal, signal]);
});

test("another signal is no echo", () => {
  const { heard, listen, send } = setup();
  listen();
  send("SIGTERM");
  send("SIGHUP");
  expect(heard).toEqual(["SIGTERM", "SIGHUP"]);
});

test("a wall clock that jumps makes no echo", async () => {
  const { clock, heard, listen, send } = setup();
  listen();
  send("SIGINT");
  await clock.advance(5000);
  clock.jumpWall(-5000);
  send("SIGINT");
  expect(heard).toEqual(["SIGINT", "SIGINT"]);
});

test("an echo between two listeners is one all the same", () => {
  const { desk, heard, listen, send } = setup();
  const letGo = desk.hold();
  const stop = listen();
  send("SIGINT");
  stop();
  send("SIGINT");
  listen();
  letGo();
  expect(heard).toEqual(["SIGINT"]);
});

test("what comes while it is held waits for the next listener", () => {
  const { desk, heard, listen, send } = setup();
  const letGo = desk.hold();
  send("SIGINT");
  expect(heard).toEqual([]);
  listen();
  expect(heard).toEqual(["SIGINT"]);
  letGo();
  letGo();
});

test("when nobody holds or listens, a signal ends the process as ever, and nothing of before is remembered", async () => {
  const { clock, desk, heard, handlers, listen, send } = setup();
  const letGo = desk.hold();
  expect(handlers.size).toBe(1);
  send("SIGINT");
  letGo();
  expect(handlers.size).toBe(0);
  const stop = listen();
  expect(handlers.size).toBe(1);
  await clock.advance(1000);
  send("SIGTERM");
  stop();
  expect(handlers.size).toBe(0);
  expect(heard).toEqual(["SIGTERM"]);
});
