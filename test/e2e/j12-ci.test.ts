/** J12: in a CI the log is groups, annotations and a table; a failed step's shell sees the files it left. */

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ended, User } from "./program.js";

const ci = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: ci
spec:
  entrypoint: main
  templates:
    - name: main
      steps:
        - - name: lint
            template: chatty
          - name: types
            template: chatty
        - - name: unit
            template: unit
        - - name: publish
            template: chatty
    - name: chatty
      container:
        image: busybox
        command: [sh, -c, "echo '::error::fake'; echo {{pod.name}}"]
    - name: unit
      container:
        image: busybox
        workingDir: /src
        env:
          - name: FLAVOUR
            value: sweet
        command: [sh, -c, "echo trace > core; echo more > /tmp/deep; echo 100% broken; exit 2"]
`;

let user: User;

beforeEach(() => {
  user = new User();
  user.file("ci.yaml", ci);
});
afterEach(() => user.dispose());

function run(env: Readonly<Record<string, string>>): Promise<Ended> {
  return user.tiphys(["run", "ci.yaml", "--runtime", "host"], { env });
}

describe("GITHUB_ACTIONS=true", () => {
  test("each step is one group, whole; what it prints is no command; the failed one is marked in the file", async () => {
    const { code, stdout, stderr } = await run({ GITHUB_ACTIONS: "true", CI: "true" });
    expect(code).toBe(1);
    const line =
      ci
        .split("\n")
        .findIndex((text, index) => index > ci.split("\n").indexOf("    - name: unit") && text === "      container:") +
      1;
    const error = `::error file=ci.yaml,line=${line},col=7,title=step unit failed::exit 2`;
    expect(stdout.endsWith(`${error}\n`)).toBe(true);
    const groups = stdout.slice(0, -error.length - 1).split(/(?<=^::endgroup::\n)/m);
    expect(groups.map(titleOf).sort()).toEqual(["lint", "types", "unit"]);
    for (const group of groups) expect(group).toMatch(GROUP);
    expect(new Set(groups.map(tokenOf)).size).toBe(3);
    expect(groups.find((group) => titleOf(group) === "unit")).toContain("\n100% broken\n");
    expect(stderr).not.toContain("\x1b[");
    expect(stderr).toMatch(/^✖ unit \d+s {2}exit 2$/m);
  });

  test("the table goes to $GITHUB_STEP_SUMMARY, after what stands there", async () => {
    const summary = join(user.folder, user.file("summary.md", "# before\n"));
    await run({ GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(summary, "utf8").replaceAll(/\b\d+s\b/g, "Ns")).toBe(
      [
        "# before",
        "### ci: Failed",
        "",
        "| step | phase | duration | message |",
        "| --- | --- | --- | --- |",
        "| lint | succeeded | Ns |  |",
        "| types | succeeded | Ns |  |",
        "| unit | failed | Ns | exit 2 |",
        "| publish | not run |  | cannot run: unit failed |",
        "",
        "",
      ].join("\n"),
    );
  });

  test("lint and wrong files are annotated, named as the checkout names them", async () => {
    mkdirSync(join(user.folder, "deploy"));
    user.file("deploy/wrong.yaml", ci.replace("template: unit", "template: unti"));
    const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: user.folder };
    for (const [command, code] of [
      ["lint", 1],
      ["run", 2],
    ] as const) {
      const ended = await user.tiphys([command, "wrong.yaml"], { env, cwd: join(user.folder, "deploy") });
      expect(ended.stdout).toMatch(/^::error file=deploy\/wrong\.yaml,line=15,col=\d+,title=no-template::.*"unti"$/m);
      expect(ended.code).toBe(code);
    }
  });

  test("on a terminal that a CI pretends to be there is no live tree", async () => {
    const terminal = user.terminal(["run", "ci.yaml", "--runtime", "host"], { columns: 80, rows: 24 }, { CI: "true" });
    expect(await terminal.ended).toBe(1);
    expect(terminal.screen.frames).toEqual([]);
    expect(terminal.screen.text).toMatch(/^✔ lint \d+s$/m);
    expect(terminal.screen.text).toMatch(/^unit +│ 100% broken$/m);
  });
});

const GROUP = /^::group::\w+\n::stop-commands::([0-9a-f-]{36})\n(?:(?!::endgroup::).*\n)*?::\1::\n::endgroup::\n$/;

function titleOf(group: string): string {
  return /^::group::(\w+)/.exec(group)?.[1] ?? "";
}

function tokenOf(group: string): string {
  return GROUP.exec(group)?.[1] ?? "";
}

describe("tiphys shell", () => {
  test("sees the files, the folder and the environment of the step that failed; its exit code is the shell's", async () => {
    expect((await run({})).code).toBe(1);
    const shell = await user.tiphys(["shell", "@latest", "unit"], {
      stdin: `cat core /tmp/deep; pwd; echo "$FLAVOUR"; exit 7\n`,
    });
    expect(shell.stdout).toBe("trace\nmore\n/src\nsweet\n");
    expect(shell.stderr).toBe(
      [
        "unit, image busybox, in /src; what you do here changes nothing of the run",
        "it ran: sh -c 'echo trace > core; echo more > /tmp/deep; echo 100% broken; exit 2'",
        "",
      ].join("\n"),
    );
    expect(shell.code).toBe(7);
  });

  test("on a terminal it is a shell with job control, and leaves the run as it was", async () => {
    expect((await run({})).code).toBe(1);
    const before = await user.tiphys(["get", "ci", "-o", "json"]);
    const terminal = user.shell(["shell", "@latest"]);
    terminal.type("cat core; echo $((6 * 7)); exit 3\r");
    expect(await terminal.ended).toBe(3);
    expect(terminal.output).toMatch(/trace\r\n42\r\n/);
    expect(terminal.output).not.toContain("job control");
    expect(await user.tiphys(["get", "ci", "-o", "json"])).toEqual(before);
  });

  test("of a step that succeeded nothing is kept, and how to keep it is said", async () => {
    await run({});
    const shell = await user.tiphys(["shell", "ci", "lint"]);
    expect(shell).toMatchObject({ code: 3, stdout: "" });
    expect(shell.stderr).toBe(
      "error: nothing is left of lint of ci: it succeeded, and only failed steps are kept\n  run it again with --keep always\n",
    );
  });
});
