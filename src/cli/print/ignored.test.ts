import { expect, test } from "vitest";
import { ignoredNotice } from "./ignored.js";

const template = "spec.templates[0]";

test.each([
  [[], undefined],
  [
    [`${template}.nodeSelector`, `${template}.tolerations[0]`, "spec.nodeSelector"],
    "ignored on this machine: nodeSelector, tolerations",
  ],
  [
    [`${template}.outputs.artifacts[0].s3.bucket`, `${template}.outputs.artifacts[0].s3.endpoint`],
    "s3 not touched: a folder of this machine stands in",
  ],
  [
    ["spec.priority", `${template}.outputs.artifacts[0].gcs`],
    "ignored on this machine: priority; gcs not touched: a folder of this machine stands in",
  ],
])("%j", (paths, expected) => {
  const problems = paths.map((path) => ({ code: "ignored", severity: "notice", path, message: "" }) as const);
  expect(ignoredNotice(problems)).toBe(expected);
});
