/** J9 in containers: steps that behave badly: each ends as Argo would say, and the log is intact. */

import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { LINE, LINES } from "../e2e/flood.js";
import { SmallDisk } from "../e2e/small-disk.js";
import { ContainerUser, sh } from "./container-user.js";
import { type ContainerMachine, containerMachine } from "./machine.js";

const found = await containerMachine();
if (typeof found === "string") console.warn(`skipped: ${found}`);

/** What each step does, and what its node says then. */
const endings = [
  ["exits-255", "exit 255", "Failed", "Error (exit code 255)", "255"],
  // The first process of a container hears no signal of its own.
  ["kill-9", "sh -c 'kill -9 $$'; exit $?", "Failed", "Error (exit code 137)", "137"],
  ["segfault", "sh -c 'echo before; kill -SEGV $$'; exit $?", "Failed", "Error (exit code 139)", "139"],
  ["stdout-closed", "echo before; exec >&- 2>&-; exit 4", "Failed", "Error (exit code 4)", "4"],
  ["stdout-closed-well", "echo before; exec >&-; echo lost 2>/dev/null; exit 0", "Succeeded", undefined, "0"],
  ["forks", "echo forked; (sleep 1000 &); sleep 1000 & exit 0", "Succeeded", undefined, "0"],
] as const;

/** Steps at once, so that none has the machine for itself. */
const FLOODS = ["a", "b", "c"];

describe.skipIf(typeof found === "string")("J9, with containers", () => {
  const machine = found as ContainerMachine;
  let user: ContainerUser;
  beforeEach(() => {
    user = new ContainerUser(machine);
  });
  afterEach(() => user.dispose());
  afterAll(() => machine.remove());

  const run = (...args: readonly string[]) => user.tiphys(["run", ...user.runtime, ...args]);
  const dag = (names: readonly string[], templates: string, spec = "") => {
    const tasks = names.map((name) => `      - {name: ${name}, template: ${name}}\n`).join("");
    return user.workflow(
      `  entrypoint: main\n${spec}  templates:\n  - name: main\n    dag:\n      failFast: false\n      tasks:\n${tasks}${templates}`,
    );
  };

  test("steps end by exit code, by signal, with their outputs closed, with processes left behind", async () => {
    const scripts = endings.map(([name, script]) => sh(name, script)).join("");
    const file = dag(
      endings.map(([name]) => name),
      scripts,
    );
    const { code, stdout, stderr } = await run(file, "-o", "json");
    expect(stderr).not.toContain("internal error");
    const nodes: readonly { displayName: string; phase: string; message?: string; outputs?: { exitCode?: string } }[] =
      Object.values(JSON.parse(stdout).status.nodes);
    for (const [name, , phase, message, exitCode] of endings) {
      const node = nodes.find(({ displayName }) => displayName === name);
      const told = { phase: node?.phase, message: node?.message, exitCode: node?.outputs?.exitCode };
      expect({ name, ...told }).toEqual({ name, phase, message: message && `main: ${message}`, exitCode });
    }
    const logs = await user.tiphys(["logs", "wf"]);
    const said = logs.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^wf-(.+)-\d+: /, "$1: "));
    expect(said.sort()).toEqual(
      [
        "forks: forked",
        "segfault: Segmentation fault",
        "segfault: before",
        "stdout-closed-well: before",
        "stdout-closed: before",
        "kill-9: Killed",
      ].sort(),
    );
    expect(code).toBe(1);
    expect(await user.containers("running")).toBe("");
  });

  test("deaf to SIGTERM: killed after its grace", async () => {
    const deaf = sh("deaf", "trap '' TERM; echo deaf; while :; do sleep 1; done");
    const file = user.workflow(
      `  entrypoint: deaf\n  podSpecPatch: '{"terminationGracePeriodSeconds": 1}'\n  templates:\n${deaf}`,
    );
    const running = user.start(["run", ...user.runtime, file]);
    await running.printed(/│ deaf/);
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect(stderr).toMatch(/✖ wf Failed/);
    expect(code).toBe(143);
    expect(await user.containers("running")).toBe("");
  });

  test("200 MB, every line, of several steps at once", async () => {
    const part = LINES / FLOODS.length;
    const flood = FLOODS.map((name) => sh(name, `yes ${LINE} | head -n ${Math.round(part)}; echo end`)).join("");
    const { code } = await run("-q", dag(FLOODS, flood));
    expect(code).toBe(0);
    for (const name of FLOODS) {
      const { stdout } = await user.tiphys(["logs", "wf", name]);
      const lines = stdout.split("\n").map((line) => line.replace(/^wf-\w-\d+: /, ""));
      const strange = lines.filter((line) => line !== LINE);
      expect({ name, lines: lines.length - strange.length, strange }).toEqual({
        name,
        lines: Math.round(part),
        strange: ["end", ""],
      });
    }
  });

  test("binary: in the log every byte stays", async () => {
    const file = user.workflow(`  entrypoint: binary\n  templates:\n${sh("binary", "printf 'a\\000b\\377c\\nrest'")}`);
    const { code, stdout } = await run(file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "binary │ ab\uFFFDc\nbinary │ rest\n" });
  });

  describe("the disk is full", () => {
    let disk: SmallDisk;
    beforeEach(() => {
      disk = new SmallDisk(user.folder);
    });
    afterEach(() => disk.remove());
    const small = (...args: readonly string[]) => user.tiphys(args, { env: { TIPHYS_HOME: disk.folder } });

    test("of the step's own files: the step fails, by its own words", async ({ skip }) => {
      skip(!disk.isThere, "only root can make a disk");
      const fill = sh("fill", "echo before; head -c 1000000000 /dev/zero > /work/big || exit 7");
      const file = user.workflow(
        `  entrypoint: fill\n  templates:\n${fill.replace("image:", "volumeMounts: [{name: work, mountPath: /work}], image:")}    volumes: [{name: work, emptyDir: {}}]\n`,
      );
      const { code, stdout, stderr } = await small("run", ...user.runtime, "--keep", "never", file);
      expect(stdout).toMatch(/^fill │ before\nfill │ head: standard output: .*\n$/);
      expect(stderr).toMatch(/✖ fill {2}wf.yaml:\d+:\d+ {2}image busybox {2}exit 7 after/);
      expect(code).toBe(1);
      expect((await small("logs", "wf")).stdout).toMatch(/: before\n.*: head: standard output: .*\n$/);
    });

    test("of the log: the step ends all the same, and what there is is whole lines, and that it breaks off", async ({
      skip,
    }) => {
      skip(!disk.isThere, "only root can make a disk");
      const flood = sh("flood", `yes ${LINE} | head -n 600000; exit 3`);
      const file = user.workflow(`  entrypoint: flood\n  templates:\n${flood}`);
      const { code, stdout, stderr } = await small("run", ...user.runtime, file);
      const lines = stdout.split("\n").slice(0, -1);
      expect(lines.length).toBeGreaterThan(50_000);
      const strange = lines.filter((line) => line !== `flood │ ${LINE}`);
      // It may be full where a line ends.
      expect(strange.join("\n")).toMatch(/^(?:flood │ \[the log breaks off here, in the middle of a line, .*\])?$/);
      expect(stderr).toContain("exit 3 after");
      expect(code).toBe(1);
      expect((await small("list")).stdout).toMatch(/^wf +Failed /m);
    });
  });
});
