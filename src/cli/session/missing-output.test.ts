import { expect, test } from "vitest";
import type { Template } from "../../core/model/argo/template.js";
import { missingOutput } from "./missing-output.js";

const template: Template = {
  name: "work",
  container: { image: "busybox", command: ["true"] },
  outputs: {
    parameters: [
      { name: "computed", valueFrom: { expression: "1" } },
      { name: "spare", valueFrom: { path: "/tmp/answer", default: "none" } },
      { name: "answer", valueFrom: { path: "/tmp/answer" } },
    ],
    artifacts: [
      { name: "kept", path: "/tmp/answer", optional: true },
      { name: "same", path: "/tmp/answer" },
      { name: "answers", path: "/tmp/answer.txt" },
      { name: "data", path: "/mnt/data" },
    ],
  },
};

test.each([
  [
    "open /var/run/argo/outputs/parameters/tmp/answer: no such file or directory",
    "outputs.parameters[2].valueFrom.path",
  ],
  ["open /var/run/argo/outputs/artifacts/tmp/answer.txt.tgz: no such file or directory;", "outputs.artifacts[2].path"],
  ["stat /mainctrfs/mnt/data: no such file or directory;", "outputs.artifacts[3].path"],
  ["open /var/run/argo/outputs/artifacts/tmp/answer.tgz: no such file or directory;", "outputs.artifacts[1].path"],
  ["open /mainctrfs/tmp/answer: no such file or directory", "outputs.parameters[2].valueFrom.path"],
  ["open /var/run/argo/outputs/parameters/tmp/answ: no such file or directory", undefined],
  ["Error (exit code 1)", undefined],
])("%s", (text, field) => {
  expect(missingOutput(`wait: exit 64: ${text}`, template)?.field).toBe(field);
});

test("says which output, and what would do without the file", () => {
  const message = "wait: exit 64: open /var/run/argo/outputs/artifacts/tmp/answer.txt.tgz: no such file or directory;";
  expect(missingOutput(message, template)).toEqual({
    path: "/tmp/answer.txt",
    field: "outputs.artifacts[2].path",
    output: 'output artifact "answers"',
    instead: "with optional: true the step does without it",
  });
});
