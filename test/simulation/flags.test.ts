import { expect, test } from "vitest";
import { FlagError, readFlags } from "./flags.js";

test("without flags: all seeds from the first on, one thread", () => {
  expect(readFlags([])).toEqual({
    seed: undefined,
    from: 1,
    count: Number.POSITIVE_INFINITY,
    minutes: Number.POSITIVE_INFINITY,
    workers: 1,
    pods: 10,
    engineCheck: "off",
    plans: "usual",
    shown: "shrunk",
    kinds: "left out",
  });
});

test.each([
  [["--seed", "x"], "--seed takes a whole number above 0, not 'x'"],
  [["--seed", "1.5"], "--seed takes a whole number above 0, not '1.5'"],
  [["--from", "0"], "--from takes a whole number above 0, not '0'"],
  [["--count", "1e3"], "--count takes a whole number above 0, not '1e3'"],
  [["--minutes", ""], "--minutes takes a number above 0, not ''"],
  [["--minutes=-1"], "--minutes takes a number above 0, not '-1'"],
  [["--seed", "7", "--minutes", "1"], "--seed plays one run: --minutes is for many"],
  [["--engine", "--check"], "--engine plays without a world: --check is for runs with one"],
  [["--engine", "--elections"], "--engine plays without a world: --elections is for runs with one"],
  [["--engine", "--losses"], "--engine plays without a world: --losses is for runs with one"],
  [
    ["--elections", "--losses"],
    "--elections and --losses are runs of two kinds: --losses has some with two controllers",
  ],
  [["--whole"], "--whole goes with --seed"],
])("%j: %s", (args, message) => {
  expect(() => readFlags(args)).toThrow(new FlagError(message));
});

test("an unknown flag is named", () => {
  expect(() => readFlags(["--sed", "7"])).toThrow(/--sed/);
});
