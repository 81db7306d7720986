/** J2: a workflow is looked at and repeated by later processes, and steered from another terminal while it runs. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ended, User } from "./program.js";

const ci = (unit: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  generateName: ci-
spec:
  entrypoint: main
  templates:
    - name: main
      steps:
        - - name: build
            template: build
        - - name: unit
            template: unit
        - - name: publish
            template: publish
            arguments:
              parameters:
                - name: built
                  value: "{{steps.build.outputs.result}}"
    - name: build
      script:
        image: busybox
        command: [sh]
        source: |
          echo build >> $SEEN/log
          echo v1
    - name: unit
      container:
        image: busybox
        command: [sh, -c, "echo unit >> $SEEN/log; ${unit}"]
    - name: publish
      inputs:
        parameters:
          - name: built
      container:
        image: busybox
        command: [sh, -c, "echo publish >> $SEEN/log; echo published {{inputs.parameters.built}}"]
`;

const gate = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: gate
spec:
  entrypoint: main
  onExit: bye
  templates:
    - name: main
      steps:
        - - name: build
            template: build
        - - name: approve
            template: approve
        - - name: release
            template: release
            arguments:
              parameters:
                - name: answer
                  value: "{{steps.approve.outputs.parameters.answer}}"
    - name: build
      container:
        image: busybox
        command: [sh, -c, "echo built"]
    - name: approve
      suspend: {}
      outputs:
        parameters:
          - name: answer
            valueFrom:
              default: nobody asked
              supplied: {}
    - name: release
      inputs:
        parameters:
          - name: answer
      container:
        image: busybox
        command: [sh, -c, "echo the answer is {{inputs.parameters.answer}}"]
    - name: bye
      container:
        image: busybox
        command: [sh, -c, "echo bye {{workflow.status}}"]
`;

let user: User;

beforeEach(() => {
  user = new User();
});
afterEach(() => user.dispose());

/** A command that does what it was asked for, and has nothing to complain of. */
async function well(args: readonly string[]): Promise<string> {
  const ended = await user.tiphys(args);
  expect(ended, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
  return ended.stdout;
}

function runGate() {
  return user.start(["run", user.file("gate.yaml", gate), "--runtime", "host"]);
}

describe("later", () => {
  let name: string;
  let first: Ended;

  beforeEach(async () => {
    user.file("ci.yaml", ci("echo trace; echo 1 failed; exit 2"));
    first = await user.tiphys(["run", "ci.yaml", "--runtime", "host", ...user.traced]);
    name = /✖ (ci-[a-z0-9]{5}) Failed/.exec(first.stderr)?.[1] ?? "";
    expect(first.code).toBe(1);
  });

  test("the last words name what failed, its log, and what to type next", () => {
    const lines = ci("").split("\n");
    const line = lines.indexOf("      container:", lines.indexOf("    - name: unit")) + 1;
    const words = first.stderr.slice(first.stderr.indexOf(`✖ ${name} Failed`));
    expect(words.replaceAll(/\b\d+s\b/g, "Ns").replaceAll(name, "NAME")).toBe(
      [
        "✖ NAME Failed Ns · 3 tasks: 1 ✔ 1 ✖ 1 not run",
        `✖ unit  ci.yaml:${line}:7  image busybox  exit 2 after Ns`,
        "    $ sh -c 'echo unit >> $SEEN/log; echo trace; echo 1 failed; exit 2'",
        "    │ trace",
        "    │ 1 failed",
        "  after a fix, only the rest   tiphys retry NAME --spec ci.yaml",
        "  look inside                  tiphys shell NAME unit",
        "  the whole log                tiphys logs NAME unit",
        "",
      ].join("\n"),
    );
  });

  test("list, get and logs show it", async () => {
    expect(await well(["list"])).toMatch(
      new RegExp(
        `^NAME +STATUS +AGE +DURATION +PRIORITY +MESSAGE\n${name} +Failed +\\d+s +\\d+s +0 +child .* failed\n$`,
      ),
    );
    expect(await well(["list", "-o", "name"])).toBe(`${name}\n`);
    const shown = await well(["get", "@latest"]);
    expect(shown).toMatch(new RegExp(`^Name: +${name}$`, "m"));
    expect(shown).toMatch(/^Status: +Failed$/m);
    expect(shown).toMatch(/^ ├───✔ build +build +ci-\S+-build-\d+ +\d+s$/m);
    expect(shown).toMatch(/^ └───✖ unit +unit +ci-\S+-unit-\d+ +\d+s +main: Error \(exit code 2\)$/m);
    const logs = await well(["logs", "@latest"]);
    expect(logs.replaceAll(/^ci-\S+-(build|unit)-\d+: /gm, "$1: ")).toBe("build: v1\nunit: trace\nunit: 1 failed\n");
    expect(await well(["logs", name, "unit", "--tail", "1"])).toMatch(/^\S+: 1 failed\n$/);
    const yaml = await well(["get", name, "-o", "yaml"]);
    expect(yaml).toMatch(/^apiVersion: argoproj.io\/v1alpha1\nkind: Workflow\n/);
    expect(yaml).toMatch(/^ {2}phase: Failed$/m);
    const { status } = JSON.parse(await well(["get", name, "-o", "json"])) as {
      status: { nodes: Record<string, { displayName: string; phase: string }> };
    };
    const phases = Object.values(status.nodes).map(({ displayName, phase }) => `${displayName} ${phase}`);
    expect(phases).toEqual(expect.arrayContaining(["build Succeeded", "unit Failed"]));
  });

  test("retry repeats what failed, with --spec after a fix; what succeeded stays", async () => {
    const again = await user.tiphys(["retry", "@latest"]);
    expect(again.stdout).toBe("unit │ trace\nunit │ 1 failed\n");
    expect(again.stderr).toMatch(/✖ ci-\S+ Failed/);
    expect(again.stderr).toContain("    │ trace\n    │ 1 failed\n");
    expect(again.code).toBe(1);
    expect(user.seen("log")).toEqual(["build", "unit", "unit"]);

    user.file("ci.yaml", ci("echo all passed"));
    const plain = await user.tiphys(["retry", name]);
    expect(plain.stderr).toContain(
      `ci.yaml has changed since: this retry runs what it said then; tiphys retry ${name} --spec ci.yaml runs the new one`,
    );
    expect(plain.code).toBe(1);

    const fixed = await user.tiphys(["retry", name, "--spec", "ci.yaml"]);
    expect(fixed).toMatchObject({ code: 0, stdout: "unit │ all passed\npublish │ published v1\n" });
    expect(fixed.stderr.split("\n").at(-2)).toMatch(/^✔ ci-\S+ Succeeded \d+s · 3 tasks: 3 ✔$/);
    expect(user.seen("log")).toEqual(["build", "unit", "unit", "unit", "unit", "publish"]);
    expect(await well(["list"])).toMatch(/ Succeeded /);

    const enough = await user.tiphys(["retry", name]);
    expect(enough).toMatchObject({ code: 1, stdout: "" });
  });

  test("retry --spec runs a succeeded step again when its own template changed, and says so", async () => {
    user.file("ci.yaml", ci("echo all passed").replace("echo v1", "echo v2"));
    const fixed = await user.tiphys(["retry", name, "--spec", "ci.yaml"]);
    expect(fixed.stderr).toContain("changed, runs again: build");
    expect(fixed.stdout).toContain("published v2");
    expect(fixed.code).toBe(0);
    expect(user.seen("log")).toEqual(["build", "unit", "build", "unit", "publish"]);
  });

  test("a name that is not there is answered with the next one", async () => {
    const missing = await user.tiphys(["get", name.slice(0, -1)]);
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toBe(`error: workflow "${name.slice(0, -1)}" not found\n  did you mean "${name}"?\n`);
  });
});

describe("from another terminal, while it runs", () => {
  test("list and get show it running, resume lets it go on", async () => {
    const run = runGate();
    await run.printed(/ǁ approve waits: tiphys resume gate\n/);
    expect(await well(["list"])).toMatch(/^gate +Running \(Suspended\) +\d+s +\d+s +0$/m);
    expect(await well(["get", "@latest"])).toMatch(/^ └───ǁ approve +approve$/m);
    expect(await well(["resume", "gate"])).toBe("workflow gate resumed\n");
    const { code, stdout } = await run.ended;
    expect(stdout).toMatch(/^release +│ the answer is nobody asked$/m);
    expect(code).toBe(0);
  });

  test("node set answers the question; logs -f follows to the end", async () => {
    const run = runGate();
    await run.printed(/ǁ approve waits/);
    const logs = user.start(["logs", "-f", "gate"]);
    await logs.printed(/built/);
    const answer = ["--node-field-selector", "displayName=approve", "-p", "answer=yes", "--phase", "Succeeded"];
    expect(await well(["node", "set", "gate", ...answer])).toBe("workflow values set\n");
    const followed = await logs.ended;
    expect(followed).toMatchObject({ code: 0, stderr: "" });
    expect(followed.stdout.replaceAll(/^gate-(\S+)-\d+: /gm, "$1: ")).toBe(
      "build: built\nrelease: the answer is yes\nbye: bye Succeeded\n",
    );
    expect((await run.ended).code).toBe(0);
  });

  test("stop ends it, and its exit handler runs", async () => {
    const run = runGate();
    await run.printed(/ǁ approve waits/);
    expect(await well(["stop", "gate"])).toBe("workflow gate stopped\n");
    const { code, stdout, stderr } = await run.ended;
    expect(stdout).toMatch(/^onExit +│ bye Failed$/m);
    expect(stderr).toMatch(/✖ approve {2}gate\.yaml:\d+:7 {2}Stopped with strategy 'Stop'/);
    expect(code).toBe(1);
    expect(await well(["list"])).toMatch(/^gate +Failed \(Terminated\)/m);
  });

  test("what cannot be done to a run that lives is refused with the right command", async () => {
    const run = runGate();
    await run.printed(/ǁ approve waits/);
    const resume = await user.tiphys(["run", "--resume", "gate"]);
    expect(resume).toMatchObject({ code: 1, stdout: "" });
    expect(resume.stderr).toBe(
      "error: gate has not lost its process: it is Running (Suspended)\n  to go on after a suspend: tiphys resume gate\n",
    );
    const retry = await user.tiphys(["retry", "gate"]);
    expect(retry).toMatchObject({ code: 1, stdout: "" });
    expect(retry.stderr).toBe("error: gate still runs\n  tiphys logs -f gate\n");
    await well(["terminate", "gate"]);
    const { code, stdout } = await run.ended;
    expect(stdout).not.toContain("bye");
    expect(code).toBe(1);
  });

  test("the names that no process has, and submit without up, are answered with what to do", async () => {
    const none = await user.tiphys(["logs", "@latest"]);
    expect(none).toMatchObject({ code: 1, stderr: "error: no workflows here yet\n  tiphys run FILE\n" });
    const submit = await user.tiphys(["submit", user.file("gate.yaml", gate)]);
    expect(submit.stderr).toBe("error: no place is up\n  tiphys run FILE, or tiphys up in another terminal\n");
    expect(submit.code).toBe(3);
  });
});
