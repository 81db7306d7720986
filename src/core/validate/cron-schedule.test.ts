import { expect, test } from "vitest";
import { scheduleFault } from "./cron-schedule.js";

test.each([
  "* * * * *",
  "0 3 * * *",
  "*/5 0-23/2 1,15 jan-JUN Mon-fri",
  "0 0 ? * 0",
  "5/10 * * * *",
  "0 0 1 12 6",
  "  0   3 * *\t* ",
  "@daily",
  "@midnight",
  "@every 1h30m",
  "CRON_TZ=Europe/Berlin 0 3 * * *",
  "TZ=UTC @hourly",
])("%j is a schedule", (schedule) => {
  expect(scheduleFault(schedule)).toBeUndefined();
});

test.each([
  ["", "empty spec string"],
  ["0 3 * *", "expected exactly 5 fields, found 4: [0 3 * *]"],
  ["0 0 3 * * *", "expected exactly 5 fields, found 6: [0 0 3 * * *]"],
  ["every day", "expected exactly 5 fields, found 2: [every day]"],
  ["60 * * * *", "end of range (60) above maximum (59): 60"],
  ["* 24 * * *", "end of range (24) above maximum (23): 24"],
  ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
  ["* * * 13 *", "end of range (13) above maximum (12): 13"],
  ["* * * * 7", "end of range (7) above maximum (6): 7"],
  ["30-10 * * * *", "beginning of range (30) beyond end of range (10): 30-10"],
  ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
  ["*/2/3 * * * *", "too many slashes: */2/3"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ["* * * * funday", 'failed to parse int from funday: strconv.Atoi: parsing "funday": invalid syntax'],
  ["-1 * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
  ["*/-1 * * * *", "negative number (-1) not allowed: -1"],
  ["@dayly", "unrecognized descriptor: @dayly"],
  ["@every day", 'failed to parse duration @every day: time: invalid duration "day"'],
])("%j is none", (schedule, argo) => {
  expect(scheduleFault(schedule)?.argo).toBe(argo);
});

test("people are told what a field takes", () => {
  expect(scheduleFault("0 3 * * 7")).toMatchObject({
    message:
      'day of the week "7": expected 0 to 6 or sun to sat (0 is Sunday), *, a range such as 0-6 or a step such as */2',
    hint: 'for example "0 3 * * *": every day at 3',
  });
  expect(scheduleFault("0 0 3 * * *")?.message).toContain("seconds are not among them");
});
