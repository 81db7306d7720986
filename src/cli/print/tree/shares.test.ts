import { expect, test } from "vitest";
import { shares } from "./shares.js";

function check(hasEnded: string, room: number, expected: ReturnType<typeof shares>): void {
  const ended = [...hasEnded].map((letter) => letter === "x");
  test(`${hasEnded} in ${room}`, () => {
    expect(shares(ended, room)).toEqual(expected);
  });
}

// `r` runs, `x` has ended.
check("", 12, { lines: [], hidden: 0 });
check("r", 12, { lines: [12], hidden: 0 });
check("x", 12, { lines: [12], hidden: 0 });
check("rr", 12, { lines: [6, 6], hidden: 0 });
check("xrx", 12, { lines: [1, 10, 1], hidden: 0 });
check("xx", 5, { lines: [2, 2], hidden: 0 });
check("xxrrxx", 4, { lines: [1, 0, 1, 1, 0, 0], hidden: 3 });
check("rrr", 3, { lines: [1, 1, 1], hidden: 0 });
check("rr", 1, { lines: [1, 0], hidden: 0 });
