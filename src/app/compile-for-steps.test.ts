import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { flagsFor } from "./compile-for-steps.js";

test("V8 has no complaint about the flags that this Node gets", () => {
  const flags = flagsFor(process.versions.v8);
  const script = `const { setFlagsFromString } = require("node:v8"); ${JSON.stringify(flags)}.forEach((flag) => setFlagsFromString(flag));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});

test.each([
  ["11.3.244.8-node.38", 2],
  ["12.4.254.21-node.33", 1],
  ["13.6.233.17-node.41", 1],
  ["14.1.146.11-node.14", 0],
])("V8 %s gets %d flags", (v8, count) => {
  expect(flagsFor(v8)).toHaveLength(count);
});
