import { expect, test } from "vitest";
import { at, sketchWorkflow, start } from "../fakes/workflows.js";
import { longDuration, parseSince, shortDuration, twoUnits } from "./duration.js";
import { listLines, listRow, sortRows } from "./list.js";

const base = { spec: { entrypoint: "main" } };

test("unfinished first, then the latest end; statuses with their remarks", () => {
  const rows = [
    sketchWorkflow({ ...base, name: "old", status: { phase: "Succeeded", finishedAt: at(50) } }),
    sketchWorkflow({
      ...base,
      name: "newer",
      status: { phase: "Error", finishedAt: at(90), message: "lost\nwith it" },
    }),
    sketchWorkflow({
      spec: { shutdown: "Terminate" },
      name: "stopped",
      status: { phase: "Failed", finishedAt: at(60) },
    }),
    sketchWorkflow({ spec: { suspend: true, priority: 5 }, name: "waits" }),
    sketchWorkflow({
      spec: {
        arguments: {
          parameters: [
            { name: "a", value: "1" },
            { name: "long", value: "x".repeat(60) },
          ],
        },
      },
      name: "busy",
      nodes: [
        { name: "busy", type: "Pod", phase: "Running" },
        { name: "busy.b", type: "Pod", phase: "Failed" },
      ],
    }),
  ].map(listRow);
  const options = { wide: true, namespaces: true, headers: true, now: start + 7_300_000 };
  expect(listLines(sortRows(rows), options).join("\n")).toMatchInlineSnapshot(`
    "NAMESPACE   NAME      STATUS                AGE   DURATION   PRIORITY   MESSAGE        P/R/C   PARAMETERS
    default     busy      Running               2h    2h         0                         0/1/1   a=1,long=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxx
    default     waits     Running (Suspended)   2h    2h         5                         0/0/0
    default     newer     Error                 2h    1m         0          lost with it   0/0/0
    default     stopped   Failed (Terminated)   2h    1m         0                         0/0/0
    default     old       Succeeded             2h    50s        0                         0/0/0"
  `);
});

test("durations", () => {
  const seconds = [0, 1, 59, 60, 63, 3599, 3600, 3660, 86_399, 86_400, 8 * 86_400, 45 * 86_400];
  const rows = seconds.map((s) => `${shortDuration(s * 1000)} | ${twoUnits(s * 1000)} | ${longDuration(s * 1000)}`);
  expect(rows.join("\n")).toMatchInlineSnapshot(`
    "0s | 0s | 0 seconds
    1s | 1s | 1 second
    59s | 59s | 59 seconds
    1m | 1m00s | 1 minute 0 seconds
    1m | 1m03s | 1 minute 3 seconds
    59m | 59m59s | 59 minutes 59 seconds
    1h | 1h00m | 1 hour 0 minutes
    1h | 1h01m | 1 hour 1 minute
    23h | 23h59m | 23 hours 59 minutes
    1d | 1d00h | 1 day 0 hours
    8d | 8d00h | 1 week 24 hours
    45d | 45d00h | 1 month 360 hours"
  `);
});

test.each([
  ["30s", 30_000],
  ["5m", 300_000],
  ["2h", 7_200_000],
  ["7d", 604_800_000],
  ["5", undefined],
  ["1w", undefined],
])("since %s", (text, expected) => {
  expect(parseSince(text)).toBe(expected);
});
