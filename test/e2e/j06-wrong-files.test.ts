/** J6: files that are wrong: what is wrong, where, what to do; exit 2, nothing started, never a stack trace or a hang. */

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectGolden } from "./golden.js";
import { User } from "./program.js";
import { scriptWorkflow } from "./up.js";
import { makeWrongFiles, wrongFiles } from "./wrong/files.js";

const user = new User();
beforeAll(() => makeWrongFiles(user.folder));
afterAll(() => user.dispose());

/** `http://127.0.0.1:1/hello.yaml` -> `http-127-0-0-1-1-hello-yaml.txt` */
function messageFile(name: string): string {
  return `./wrong/messages/${name.replace(/\W+/g, "-").replace(/^-/, "")}.txt`;
}

const traces = /internal error|defect of tiphys|\n\s+at |\bundefined\b|\[object|NaN/;

describe.concurrent("a wrong file", () => {
  test.each(wrongFiles)("%s: exit 2, in words", async (name) => {
    const { code, stdout, stderr } = await user.tiphys(["run", name]);
    expect(stderr).not.toMatch(traces);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expectGolden(stderr, messageFile(name));
  });
});

test("nothing was started for any of them", async () => {
  expect(existsSync(`${user.home}/runs`)).toBe(false);
});

test.each<[string, readonly string[], string | undefined, string]>([
  ["nothing comes from stdin", ["run", "-"], "", "stdin:1:1  error[empty]  there is no document in it\n"],
  [
    "kubectl's habit",
    ["run", "-f", "entrypoint-typo.yaml"],
    undefined,
    "error: entrypoint-typo.yaml is a Workflow, and -f is for a file of parameters\n  leave out -f\n",
  ],
  [
    "a command forgotten",
    ["ok.yaml"],
    undefined,
    'error: "ok.yaml" is no command\n  did you mean: tiphys run ok.yaml\n',
  ],
  ["a command mistyped", ["rnu", "ok.yaml"], undefined, 'error: "rnu" is no command\n  did you mean "run"?\n'],
])("%s: exit 2", async (_name, args, stdin, expected) => {
  const ended = await user.tiphys(args, stdin === undefined ? {} : { stdin });
  expect(ended).toEqual({ code: 2, signal: null, stdout: "", stderr: expected });
});

test("all that is wrong in several files is told at once", async () => {
  const { code, stderr } = await user.tiphys(["run", "unknown-field.yaml", "wrong-type.yaml", "bracket.yaml"]);
  expect(code).toBe(2);
  expect(stderr.match(/^\S+?:\d+:\d+ {2}error\[[a-z-]+\]/gm)).toEqual([
    "unknown-field.yaml:6:3  error[unknown-field]",
    "wrong-type.yaml:6:16  error[wrong-type]",
    "wrong-type.yaml:11:16  error[wrong-type]",
    "wrong-type.yaml:12:7  error[wrong-type]",
    "bracket.yaml:8:42  error[yaml-syntax]",
  ]);
});

test("all that is wrong with the flags is told at once", async () => {
  const flags = ["-p", "a", "-p", "=b", "--mount", "none:/x", "--env", "9", "--secret", "Q", "--stub", "t=none.yaml"];
  const { code, stderr } = await user.tiphys(["run", "entrypoint-typo.yaml", ...flags]);
  expect(code).toBe(2);
  expect(stderr.match(/^error: .*$/gm)).toEqual([
    "error: expected parameter of the form: NAME=VALUE. Received: a",
    "error: expected parameter of the form: NAME=VALUE. Received: =b",
    "error: --stub none.yaml: no such file",
    expect.stringMatching(/^error: --secret Q: /),
    expect.stringMatching(/^error: --mount none:\/x: .*: no such file$/),
    "error: --env 9: expected NAME=VALUE, or NAME",
  ]);
});

test.each<[what: string, args: readonly string[], home: string | undefined, code: number, told: string]>([
  [
    "a flag's value names its flag",
    ["run", "x.yaml", "--max-pods", "0"],
    undefined,
    2,
    "error: --max-pods: expected a number",
  ],
  ["a file for up", ["up", "x.yaml"], undefined, 2, "error: up takes no file\n  tiphys up --with FILE"],
  [
    "an entrypoint that only the flag names",
    ["run", "right.yaml", "--entrypoint", "mian"],
    undefined,
    2,
    "error[no-template]  --entrypoint mian: there is no",
  ],
  [
    "a name that is near others in its ending only",
    ["run", "zzzzz.yaml"],
    undefined,
    2,
    "error[no-file]  zzzzz.yaml: no such file\n",
  ],
  [
    "a home that is a file",
    ["run", "right.yaml"],
    "right.yaml",
    4,
    "right.yaml: a file stands where a folder should be",
  ],
])("%s", async (_, args, home, code, told) => {
  writeFileSync(join(user.folder, "right.yaml"), scriptWorkflow("right", "exit 0"));
  const ended = await user.tiphys(args, home === undefined ? {} : { env: { TIPHYS_HOME: join(user.folder, home) } });
  expect(ended.stderr).toContain(told);
  expect(ended).toMatchObject({ code, stdout: "" });
});

test("submit, retry --spec, lint and a folder tell the same of a file, all of it", async () => {
  const told = (stderr: string): readonly string[] => stderr.match(/^.*:\d+:\d+ {2}\w+\[[a-z-]+\].*$/gm) ?? [];
  writeFileSync(join(user.folder, "fails.yaml"), scriptWorkflow("fails", "exit 1"));
  mkdirSync(join(user.folder, "several"));
  copyFileSync(join(user.folder, "several.yaml"), join(user.folder, "several/several.yaml"));
  const { stderr } = await user.tiphys(["run", "several.yaml"]);
  const expected = told(stderr);
  expect(expected).toHaveLength(11);
  const failed = await user.tiphys(["run", "--runtime", "host", "fails.yaml"]);
  expect(failed).toMatchObject({ code: 1 });
  const retried = await user.tiphys(["retry", "@latest", "--spec", "several.yaml"]);
  expect({ code: retried.code, told: told(retried.stderr) }).toEqual({ code: 2, told: expected });
  const linted = await user.tiphys(["lint", "several.yaml"]);
  expect({ code: linted.code, told: told(linted.stdout) }).toEqual({ code: 1, told: expected });
  const folder = await user.tiphys(["lint", "several"]);
  expect({ code: folder.code, told: told(folder.stdout) }).toEqual({
    code: 1,
    told: expected.map((line) => `several/${line}`),
  });
  const up = user.start(["up", "--runtime", "host"]);
  await up.printed(/^up: .*$/m);
  const submitted = await user.tiphys(["submit", "several.yaml"]);
  expect({ code: submitted.code, told: told(submitted.stderr) }).toEqual({ code: 2, told: expected });
});
