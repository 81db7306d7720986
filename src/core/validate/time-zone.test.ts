import { expect, test } from "vitest";
import type { CronWorkflow } from "../model/argo/workflow.js";
import { validateCronWorkflow } from "./kinds.js";
import type { TimeZones } from "./time-zone.js";

const known = ["Europe/Berlin", "America/New_York", "Asia/Tokyo"];
const timeZones: TimeZones = { has: (name) => known.includes(name), names: known };

function cron(timezone: string | undefined, schedule: string): CronWorkflow {
  const workflowSpec = { entrypoint: "t", templates: [{ name: "t", suspend: {} }] };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    metadata: { name: "x" },
    spec: { schedules: [schedule], workflowSpec, ...(timezone !== undefined && { timezone }) },
  };
}

test.each([
  [undefined, "0 3 * * *"],
  ["", "0 3 * * *"],
  ["UTC", "0 3 * * *"],
  ["Local", "0 3 * * *"],
  ["Europe/Berlin", "0 3 * * *"],
  [undefined, "TZ=Asia/Tokyo 0 3 * * *"],
  [undefined, "CRON_TZ=UTC @daily"],
])("time zone %j, schedule %j: nothing to say", (timezone, schedule) => {
  expect(
    validateCronWorkflow(cron(timezone, schedule), { facts: { get: () => undefined }, timeZones }).problems,
  ).toEqual([]);
});

test.each([
  ["Europe/Berln", 'did you mean "Europe/Berlin"?'],
  ["europe/berlin", 'did you mean "Europe/Berlin"?'],
  ["Berlin", 'did you mean "Europe/Berlin"?'],
  ["new york", 'did you mean "America/New_York"?'],
  ["Not/A_Real_Timezone", "write the name of a place, such as Europe/Berlin, or UTC"],
])("%j is none: %s", (timezone, hint) => {
  const options = { facts: { get: () => undefined }, timeZones };
  const { problems, argoError } = validateCronWorkflow(cron(timezone, "0 3 * * *"), options);
  expect(problems).toMatchObject([
    { severity: "error", code: "bad-value", path: "spec.timezone", message: `"${timezone}" is no time zone`, hint },
  ]);
  expect(argoError).toBe(`invalid timezone "${timezone}": unknown time zone ${timezone}`);
});

test("a schedule's own time zone is looked up too", () => {
  const options = { facts: { get: () => undefined }, timeZones };
  const { problems, argoError } = validateCronWorkflow(cron(undefined, "CRON_TZ=Bad/Zone 0 3 * * *"), options);
  expect(problems).toMatchObject([{ path: "spec.schedules[0]", message: '"Bad/Zone" is no time zone' }]);
  expect(argoError).toBe(
    "cron schedule CRON_TZ=Bad/Zone 0 3 * * * is malformed: provided bad location Bad/Zone: unknown time zone Bad/Zone",
  );
});

test("who knows no time zones is told of none", () => {
  expect(validateCronWorkflow(cron("Bad/Zone", "0 3 * * *"), { facts: { get: () => undefined } }).problems).toEqual([]);
});
