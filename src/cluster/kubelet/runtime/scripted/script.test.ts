import { expect, test } from "vitest";
import { parseOutcome, parseScript } from "./parse-script.js";
import { defaultOutcome, outcomeFor, type ScriptSubject } from "./script.js";

const subject: ScriptSubject = {
  template: "build",
  node: "wf.build(0)",
  pod: "wf-build-1",
  container: "main",
  attempt: 1,
  invocation: 0,
};

function exitCodeFor(rules: unknown): number {
  const script = parseScript({ rules });
  if (!script.ok) throw new Error(JSON.stringify(script.error));
  return outcomeFor(script.value, subject).exitCode;
}

test.each<[string, object, boolean]>([
  ["nothing", {}, true],
  ["template", { template: "build" }, true],
  ["another template", { template: "test" }, false],
  ["all of them", { template: "build", attempt: 1, container: "main" }, true],
  ["one of them not", { template: "build", attempt: 0 }, false],
  ["pattern at the end", { node: "wf.*" }, true],
  ["pattern in the middle", { node: "wf.*(0)" }, true],
  ["pattern at the start", { node: "*build*" }, true],
  ["pattern that overlaps", { pod: "wf-build-1*1" }, false],
  ["number", { invocation: 0 }, true],
])("match by %s", (_, match, expected) => {
  expect(exitCodeFor([{ match, exitCode: 7 }])).toBe(expected ? 7 : 0);
});

test("the first rule that matches decides", () => {
  expect(exitCodeFor([{ match: { attempt: 0 }, exitCode: 1 }, { exitCode: 2 }, { exitCode: 3 }])).toBe(2);
});

test("all fields", () => {
  const script = parseScript({
    rules: [
      {
        stdout: ["a", 1],
        stderr: "raw",
        duration: "1m30s",
        files: { "/out": 5 },
        reason: "OOMKilled",
        message: "m",
        onTerm: "ignore",
        termDelay: "250ms",
        readyAfter: 2,
      },
      { duration: "never" },
    ],
  });
  expect(script).toMatchObject({ ok: true });
  if (!script.ok) return;
  expect(script.value.rules[0]?.outcome).toEqual({
    exitCode: 137,
    stdout: "a\n1\n",
    stderr: "raw",
    durationMs: 90_000,
    files: { "/out": "5" },
    reason: "OOMKilled",
    message: "m",
    onTerm: "ignore",
    termDelayMs: 250,
    readyAfterMs: 2000,
  });
  expect(script.value.rules[1]?.outcome).toEqual({ ...defaultOutcome, durationMs: undefined });
});

test("all that is wrong is said at once, with its path", () => {
  const script = parseScript({
    rulez: [],
    rules: [{ exitCode: "x", match: { template: {} }, duration: "soon", files: { rel: "a" } }, 5],
  });
  expect(script.ok).toBe(false);
  if (script.ok) return;
  expect(script.error.map((one) => `${one.path}: ${one.code}`)).toEqual([
    "rulez: unknown-field",
    "rules[0].match.template: wrong-type",
    "rules[0].exitCode: wrong-type",
    "rules[0].duration: bad-value",
    "rules[0].files.rel: bad-value",
    "rules[1]: wrong-type",
  ]);
});

test.each([undefined, null, 3, "text", []])("a script that is %j is refused", (value) => {
  expect(parseScript(value).ok).toBe(false);
});

test("an outcome alone, with its problems at their own paths", () => {
  expect(parseOutcome({ exitCode: 3, stdout: ["a", "b"] })).toEqual({
    ok: true,
    value: { ...defaultOutcome, exitCode: 3, stdout: "a\nb\n" },
  });
  expect(parseOutcome(null)).toEqual({ ok: true, value: defaultOutcome });
  const wrong = parseOutcome({ exitCode: -1, files: { relative: "" }, match: {} });
  expect(wrong.ok ? [] : wrong.error.map(({ path }) => path)).toEqual(["match", "exitCode", "files.relative"]);
});
