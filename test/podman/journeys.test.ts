import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { ContainerUser, sh } from "./container-user.js";
import { type ContainerMachine, containerMachine } from "./machine.js";

const found = await containerMachine();
if (typeof found === "string") console.warn(`skipped: ${found}`);

describe.skipIf(typeof found === "string")("the program, with containers", () => {
  const machine = found as ContainerMachine;
  let user: ContainerUser;
  beforeEach(() => {
    user = new ContainerUser(machine);
  });
  afterEach(() => user.dispose());
  afterAll(() => machine.remove());

  test("J1: a step's line on stdout, the reason for the runtime on stderr, exit 0, nothing left", async () => {
    const file = user.workflow(`  entrypoint: hello\n  templates:\n${sh("hello", "echo hello from inside")}`);
    const { code, stdout, stderr } = await user.tiphys(["run", ...user.runtime, file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "hello │ hello from inside\n" });
    expect(stderr).toMatch(new RegExp(`^runtime: ${machine.program} [\\d.]+\\S* \\(asked for\\)`));
    expect(await user.containers()).toBe("");
  });

  test("J2: later processes look at a run and repeat what failed; one that runs is stopped from another terminal", async () => {
    const file = user.workflow(
      `  entrypoint: main\n  templates:\n  - name: main\n    steps:\n    - - {name: one, template: one}\n    - - {name: two, template: two}\n${sh("one", "echo one >> $SEEN/ran; echo said")}${sh("two", "echo two >> $SEEN/ran; test -e $SEEN/fixed || exit 3; while [ ! -e $SEEN/go ]; do echo waits; sleep 1; done")}`,
    );
    expect((await user.tiphys(["run", ...user.runtime, ...user.traced, file])).code).toBe(1);
    expect((await user.tiphys(["list"])).stdout).toMatch(/^wf +Failed /m);
    expect((await user.tiphys(["logs", "@latest"])).stdout).toContain("said");
    expect((await user.tiphys(["get", "@latest", "-o", "yaml"])).stdout).toContain("Error (exit code 3)");
    await writeFile(join(user.folder, "shared", "fixed"), "");
    const again = user.start(["retry", "@latest"]);
    await again.printed(/two │ waits/);
    const following = user.start(["logs", "-f", "wf", "two"]);
    await following.printed(/waits/);
    expect((await user.tiphys(["stop", "wf"])).code).toBe(0);
    expect((await again.ended).code).toBe(1);
    expect((await following.ended).code).toBe(0);
    expect(user.seen("ran")).toEqual(["one", "two", "two"]);
    await writeFile(join(user.folder, "shared", "go"), "");
    expect((await user.tiphys(["retry", "@latest"])).code).toBe(0);
    expect(user.seen("ran")).toEqual(["one", "two", "two", "two"]);
  });

  test("J2: a run that waits is answered and resumed from another terminal, and its fixed file runs the rest", async () => {
    const flow = (last: string) =>
      user.workflow(
        `  entrypoint: main\n  templates:\n  - name: main\n    steps:\n    - - {name: make, template: make}\n    - - {name: ask, template: ask}\n    - - {name: wait, template: wait}\n    - - {name: use, template: use, arguments: {parameters: [{name: answer, value: "{{steps.ask.outputs.parameters.answer}}"}]}}\n  - name: ask\n    suspend: {}\n    outputs: {parameters: [{name: answer, valueFrom: {supplied: {}}}]}\n  - {name: wait, suspend: {}}\n${sh("make", "echo make >> $SEEN/ran; echo made")}${sh("use", last)}    inputs: {parameters: [{name: answer}]}\n`,
      );
    const running = user.start([
      "run",
      ...user.runtime,
      ...user.traced,
      flow("echo {{inputs.parameters.answer}}; exit 3"),
    ]);
    await running.printed(/ǁ ask waits/);
    const answer = ["--node-field-selector", "displayName=ask", "-p", "answer=yes", "--phase", "Succeeded"];
    expect((await user.tiphys(["node", "set", "wf", ...answer])).stdout).toBe("workflow values set\n");
    await running.printed(/ǁ wait waits/);
    expect((await user.tiphys(["resume", "wf"])).stdout).toBe("workflow wf resumed\n");
    expect((await running.ended).stdout).toMatch(/^make +│ made\nuse +│ yes\n$/);
    flow("echo {{inputs.parameters.answer}} again");
    const fixed = await user.tiphys(["retry", "wf", "--spec", "wf.yaml"]);
    expect({ code: fixed.code, stdout: fixed.stdout }).toEqual({ code: 0, stdout: "use │ yes again\n" });
    expect(user.seen("ran")).toEqual(["make"]);
  });

  test("J3: two runs at once in one folder", async () => {
    const file = user.workflow(`  entrypoint: hello\n  templates:\n${sh("hello", "echo hello; sleep 1; echo bye")}`);
    const both = ["a", "b"].map((name) => user.tiphys(["run", ...user.runtime, "--name", name, file]));
    for (const { code, stdout } of await Promise.all(both)) {
      expect({ code, stdout }).toEqual({ code: 0, stdout: "hello │ hello\nhello │ bye\n" });
    }
    expect((await user.tiphys(["list"])).stdout.match(/^[ab] +Succeeded/gm)).toHaveLength(2);
    expect(await user.containers()).toBe("");
  });

  test("J3: ten at once: each ends well with its own output", async () => {
    const file = user.workflow(`  entrypoint: say\n  templates:\n${sh("say", "echo {{workflow.name}}")}`);
    const names = Array.from({ length: 10 }, (_, index) => `wf-${index}`);
    const ends = await Promise.all(names.map((name) => user.tiphys(["run", ...user.runtime, "--name", name, file])));
    expect(ends.map(({ code, stdout }) => `${code} ${stdout}`)).toEqual(names.map((name) => `0 say │ ${name}\n`));
    expect(await user.containers()).toBe("");
  });

  test("J4: kill -9 in the middle, then run --resume: the step goes on where it is, none runs twice", async () => {
    const go = join(user.folder, "shared", "go");
    const wait = `echo begun; echo two >> $SEEN/ran; while [ ! -e $SEEN/go ]; do sleep 1; done; echo ended`;
    const file = user.workflow(
      `  entrypoint: main\n  templates:\n  - name: main\n    steps:\n    - - {name: one, template: one}\n    - - {name: two, template: two}\n    - - {name: three, template: three}\n${sh("one", "echo one >> $SEEN/ran")}${sh("two", wait)}${sh("three", "echo three >> $SEEN/ran")}`,
    );
    const first = user.start(["run", ...user.runtime, ...user.traced, file]);
    await first.printed(/two │ begun/);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(await user.containers()).not.toBe("");
    await writeFile(go, "");
    const { code, stdout } = await user.tiphys(["run", "--resume", "wf"]);
    expect({ code, ran: user.seen("ran") }).toEqual({ code: 0, ran: ["one", "two", "three"] });
    expect(stdout).toBe("two │ begun\ntwo │ ended\n");
    expect(await user.containers()).toBe("");
  });

  test("J5: Ctrl-C ends the step and runs the exit handler; no container runs on", async () => {
    const file = user.workflow(
      `  entrypoint: long\n  onExit: bye\n  templates:\n${sh("long", "echo up; sleep 1000; true")}${sh("bye", "echo bye")}`,
    );
    const running = user.start(["run", ...user.runtime, file]);
    await running.printed(/long │ up/);
    running.child.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "long │ up\nonExit │ bye\n" });
    expect(await user.containers("running")).toBe("");
  });

  const interrupted = (work: string, bye: string) =>
    user.workflow(`  entrypoint: work\n  onExit: bye\n  templates:\n${sh("work", work)}${sh("bye", bye)}`);

  test("J5: twice, and the exit handler is ended too", async () => {
    const file = interrupted("echo up; sleep 1000; true", "echo cleaning; sleep 1000; true");
    const running = user.start(["run", ...user.runtime, file]);
    await running.printed(/work │ up/);
    running.child.kill("SIGINT");
    await running.printed(/onExit │ cleaning/);
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect(stderr).toContain("Stopped with strategy 'Terminate'");
    expect(code).toBe(130);
    expect(await user.containers("running")).toBe("");
  });

  test("J5: three times, and it is out at once, whatever the steps do; what is left is taken up", async () => {
    const deaf = "trap '' TERM INT HUP; echo deaf; while :; do sleep 1; done";
    const running = user.start(["run", ...user.runtime, interrupted(deaf, deaf)]);
    await running.printed(/work │ deaf/);
    running.child.kill("SIGINT");
    await running.printed(/onExit │ deaf/);
    const before = performance.now();
    // Two at once, so that the second cannot end the run before the third comes; two of a kind would count as one.
    running.child.kill("SIGTERM");
    running.child.kill("SIGHUP");
    expect((await running.ended).code).toBe(130);
    // Long before the steps' grace period of 30 s.
    expect(performance.now() - before).toBeLessThan(15_000);
    const resumed = await user.tiphys(["run", "--resume", "wf", "-q"]);
    expect(resumed.code).toBe(1);
    expect(await user.containers("running")).toBe("");
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("J5: %s counts as Ctrl-C", async (signal) => {
    const running = user.start(["run", ...user.runtime, interrupted("echo up; sleep 1000; true", "echo bye")]);
    await running.printed(/work │ up/);
    running.child.kill(signal);
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 143, stdout: "work │ up\nonExit │ bye\n" });
    expect(await user.containers("running")).toBe("");
  });

  const withSecret = (name: string) =>
    `  - name: use\n    container: {image: busybox, command: [sh, -c], args: ['echo "got $URL"'], env: [{name: URL, valueFrom: {secretKeyRef: {name: "${name}", key: url}}}]}\n`;

  test("J8: what is missing is listed before step 1; what is given is there", async () => {
    const file = user.workflow(`  entrypoint: use\n  templates:\n${withSecret("db")}`);
    const { code, stdout, stderr } = await user.tiphys(["run", ...user.runtime, file]);
    expect(stderr).toMatch(/error\[missing\] {2}before step 1: Secret db \(key url, wf\.yaml:\d+:\d+\)/);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    user.file(".env", "url=postgres://db\n");
    const given = await user.tiphys(["run", ...user.runtime, "--secret", "db=.env", file]);
    expect({ code: given.code, stdout: given.stdout }).toEqual({ code: 0, stdout: "use │ got postgres://db\n" });
  });

  test("J8: what is known late is waited for, and the run ends with that reason", async () => {
    const file = user.workflow(
      `  entrypoint: main\n  templates:\n  - name: main\n    steps:\n    - - {name: name, template: name}\n    - - {name: use, template: use, arguments: {parameters: [{name: db, value: "{{steps.name.outputs.result}}"}]}}\n  - name: name\n    script: {image: busybox, command: [sh], source: echo db-42}\n${withSecret("{{inputs.parameters.db}}")}    inputs: {parameters: [{name: db}]}\n`,
    );
    const { code, stderr } = await user.tiphys(["run", ...user.runtime, "--pending-timeout", "1s", file]);
    expect(stderr).toContain('◷ use waits for what is missing: secret "db-42" not found\n');
    expect(stderr).toContain('giving up: secret "db-42" not found\n');
    expect(code).toBe(1);
  });

  test("J8: an image that cannot be had ends the run with the reason and what to do", async () => {
    const file = user.workflow(
      "  entrypoint: hello\n  templates:\n  - name: hello\n    container: {image: '127.0.0.1:9/corp/ci:1.4', command: [x]}\n",
    );
    const { code, stderr } = await user.tiphys(["run", ...user.runtime, "--pending-timeout", "1s", file]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/127\.0\.0\.1:9\/corp\/ci:1\.4: 127\.0\.0\.1:9 cannot be reached/);
  });

  test("J10: parameters and artifacts go from step to step, a mount both ways", async () => {
    const file = user.workflow(`  entrypoint: main
  templates:
  - name: main
    steps:
    - - {name: make, template: make}
    - - name: use
        template: use
        arguments:
          parameters: [{name: p, value: "{{steps.make.outputs.parameters.p}}"}]
          artifacts: [{name: a, from: "{{steps.make.outputs.artifacts.a}}"}]
  - name: make
    script: {image: busybox, command: [sh], source: "echo value > /tmp/p; mkdir -p /out/d; echo content > /out/d/f"}
    outputs: {parameters: [{name: p, valueFrom: {path: /tmp/p}}], artifacts: [{name: a, path: /out/d}]}
  - name: use
    inputs: {parameters: [{name: p}], artifacts: [{name: a, path: /in/a}]}
    container: {image: busybox, command: [sh, -c], args: ["echo {{inputs.parameters.p}}; cat /in/a/f; echo done > $SEEN/result"]}
`);
    const { code, stdout } = await user.tiphys(["run", ...user.runtime, ...user.traced, file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "use │ value\nuse │ content\n" });
    expect(await readFile(join(user.folder, "shared", "result"), "utf8")).toBe("done\n");
  });

  test("J10: artifacts stay after the run, and are copied out", async () => {
    const file = user.workflow(`  entrypoint: make
  templates:
  - name: make
    script: {image: busybox, command: [sh], source: "mkdir -p /no-such/d; echo deep > /no-such/d/f; echo a,b > /no-such/t.csv"}
    outputs: {artifacts: [{name: tree, path: /no-such/d}, {name: table, path: /no-such/t.csv, archive: {none: {}}}]}
`);
    expect((await user.tiphys(["run", ...user.runtime, file])).code).toBe(0);
    expect((await user.tiphys(["cp", "wf", "out"])).code).toBe(0);
    const files = await readdir(join(user.folder, "out"), { recursive: true });
    expect(
      files
        .filter((one) => /\.(?:csv|tgz)$/.test(one))
        .map((one) => basename(one))
        .sort(),
    ).toEqual(["t.csv", "tree.tgz"]);
    const table = files.find((one) => one.endsWith("t.csv")) ?? "";
    expect(await readFile(join(user.folder, "out", table), "utf8")).toBe("a,b\n");
  });

  const served = (last: string) =>
    user.workflow(
      `  entrypoint: main\n  podSpecPatch: '{"terminationGracePeriodSeconds": 1}'\n  templates:\n  - name: main\n    steps:\n    - - {name: serve, template: serve}\n    - - {name: use, template: use}\n${sh("serve", "echo serving; sleep 1000; true")}    daemon: true\n${sh("use", last)}    sidecars:\n    - {name: side, image: busybox, command: [sh, -c], args: ["trap '' TERM; sleep 1000; true"]}\n`,
    );

  test("what a daemon and a sidecar leave, ended when the work was done, is no failed step's: nothing is kept", async () => {
    const { code } = await user.tiphys(["run", ...user.runtime, served("echo used")]);
    expect({ code, left: await user.containers() }).toEqual({ code: 0, left: "" });
  });

  test("--keep never: nothing of a failed step is kept either", async () => {
    const { code } = await user.tiphys(["run", ...user.runtime, "--keep", "never", served("exit 3")]);
    expect({ code, left: await user.containers() }).toEqual({ code: 1, left: "" });
  });

  test("a failed step's containers are kept, also when its run goes on; delete removes them at once", async () => {
    const again = "test -e $SEEN/fixed || exit 3";
    expect((await user.tiphys(["run", ...user.runtime, ...user.traced, served(again)])).code).toBe(1);
    const kept = await machine.cli("ps", "--all", "--format", "{{.Names}}", "--filter", "name=tiphys_wf");
    expect(kept.stdout).toMatch(/^tiphys_wf-use-\d+_main_/m);
    expect(kept.stdout).not.toContain("wf-serve");
    expect((await user.tiphys(["retry", "wf"])).code).toBe(1);
    expect(await user.containers()).not.toBe("");
    await writeFile(join(user.folder, "shared", "fixed"), "");
    expect((await user.tiphys(["retry", "wf"])).code).toBe(0);
    expect((await user.tiphys(["delete", "wf"])).code).toBe(0);
    expect(await user.containers()).toBe("");
  });
});
