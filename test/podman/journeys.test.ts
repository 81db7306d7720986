import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

  test("J3: two runs at once in one folder", async () => {
    const file = user.workflow(`  entrypoint: hello\n  templates:\n${sh("hello", "echo hello; sleep 1; echo bye")}`);
    const both = ["a", "b"].map((name) => user.tiphys(["run", ...user.runtime, "--name", name, file]));
    for (const { code, stdout } of await Promise.all(both)) {
      expect({ code, stdout }).toEqual({ code: 0, stdout: "hello │ hello\nhello │ bye\n" });
    }
    expect((await user.tiphys(["list"])).stdout.match(/^[ab] +Succeeded/gm)).toHaveLength(2);
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
});
