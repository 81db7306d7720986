import { expect, test } from "vitest";
import { shortMessage } from "./attempts.js";

test.each([
  ["Error (exit code 2)", "exit 2"],
  ["main: Error (exit code 2)", "exit 2"],
  ["OOMKilled (exit code 137)", "OOMKilled, exit 137"],
  ["OOMKilled (exit code 137): used 2Gi", "OOMKilled, exit 137: used 2Gi"],
  ["sidecar: Error (exit code 1)", "sidecar: exit 1"],
  ["ContainerStatusUnknown (exit code 137): lost with the process that ran it", "lost with the process that ran it"],
  ["child 'x' failed", "child 'x' failed"],
  ["two\n  lines", "two lines"],
  [undefined, ""],
])("%s", (message, expected) => {
  expect(shortMessage(message)).toBe(expected);
});
