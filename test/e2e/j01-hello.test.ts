/** J1: the first run anybody makes. The live tree on a terminal, plain lines in a pipe, and how it ends as a number. */

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountsHere } from "./accounts.js";
import { type ScreenSize, type Terminal, User } from "./program.js";

const hello = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  generateName: hello-
spec:
  entrypoint: hello
  templates:
    - name: hello
      container:
        image: busybox
        command: [echo]
        args: ["hello world"]
`;

/** Waits for somebody in its middle, so that its tree can be looked at in peace. */
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
            template: say
          - name: fetch
            template: say
            withItems: [a, b]
        - - name: approve
            template: approve
        - - name: release
            template: say
    - name: approve
      suspend: {}
    - name: say
      container:
        image: busybox
        command: [sh, -c, "echo said"]
    - name: bye
      container:
        image: busybox
        command: [sh, -c, "echo bye {{workflow.status}}"]
`;

interface GateScreen extends ScreenSize {
  /** How the gate's tree ends there: a drawing may arrive in pieces. */
  readonly treeEnds: RegExp;
}

const wide: GateScreen = { columns: 80, rows: 24, treeEnds: /onExit .*tiphys logs$/ };
const narrow: GateScreen = { columns: 40, rows: 24, treeEnds: /onExit +bye$/ };

/** Times, random letters and what isolation this machine allows differ from run to run; so does how wide times are. */
function steady(text: string): string {
  return text
    .replaceAll(/\b\d+(?:m\d+)?s\b/g, "Ns")
    .replaceAll(/\bhello-[a-z0-9]{5}\b/g, "hello-xxxxx")
    .replaceAll(/^isolation .*\n/gm, "")
    .replaceAll(/host, (full|no-proc|plain) isolation/g, "host, … isolation")
    .replaceAll(/ {2,}/g, "  ");
}

let user: User;

describe.each(accountsHere())("as $name", (account) => {
  beforeEach(() => {
    user = new User(account);
    user.file("hello.yaml", hello);
    user.file("gate.yaml", gate);
  });
  afterEach(() => user.dispose());

  test("in a pipe: stdout has the step's lines and nothing else, stderr the rest", async () => {
    const { code, stdout, stderr } = await user.tiphys(["run", "hello.yaml"]);
    expect(stdout).toBe("hello │ hello world\n");
    expect(steady(stderr)).toBe(
      [
        "runtime: host, … isolation (no docker or podman socket, all images are base images)",
        "✔ hello Ns",
        "✔ hello-xxxxx Succeeded Ns",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  });

  test.each([wide, narrow])("on a terminal of $columns columns: a live tree, drawn in place", async (size) => {
    const terminal = user.terminal(["run", "hello.yaml", "--runtime", "host"], size);
    expect(await terminal.ended).toBe(0);
    expect(steady(terminal.screen.text)).toBe(
      [
        "runtime: host, … isolation (asked for)",
        "hello │ hello world",
        "hello-xxxxx  Succeeded Ns · host",
        "└─✔ hello  Ns",
        "✔ hello-xxxxx Succeeded Ns",
      ].join("\n"),
    );
    expectFrames(terminal, size);
    expect(
      terminal.screen.frames.some(({ lines }) => /hello-..... {2}(Pending|Running) \d+s/.test(lines[0] ?? "")),
    ).toBe(true);
  });

  test("at 80 columns the tree says what has ended, what waits for whom, and what Ctrl-C does", async () => {
    const terminal = await atTheGate(wide);
    expect(treeOn(terminal)).toBe(
      [
        "gate  Running Ns · host · pods 3 of 4 done",
        "├─✔ build  Ns",
        "├─✔ fetch ×2  Ns",
        "│  ├─✔ (0:a)  Ns",
        "│  └─✔ (1:b)  Ns",
        "├─ǁ approve  waits: tiphys resume gate  Ns",
        "├─◷ release  waits for approve",
        "└─◷ onExit  bye  Ctrl-C stops and runs it · log: tiphys logs",
      ].join("\n"),
    );
    await throughTheGate(terminal, wide);
  });

  test("at 40 columns the same tree keeps its shape", async () => {
    const terminal = await atTheGate(narrow);
    expect(treeOn(terminal)).toBe(
      [
        "gate  Running Ns · host",
        "├─✔ build  Ns",
        "├─✔ fetch ×2  Ns",
        "│  ├─✔ (0:a)  Ns",
        "│  └─✔ (1:b)  Ns",
        "├─ǁ approve  waits: tiphys resume… Ns",
        "├─◷ release  waits for approve",
        "└─◷ onExit  bye",
      ].join("\n"),
    );
    await throughTheGate(terminal, narrow);
  });
});

describe("how it ends is a number", () => {
  beforeEach(() => {
    user = new User();
    user.file("hello.yaml", hello);
  });
  afterEach(() => user.dispose());

  test("1: a step failed, or could not be run", async () => {
    user.file("fails.yaml", hello.replace("[echo]", "[sh, -c, 'exit 3']"));
    const failed = await user.tiphys(["run", "fails.yaml"]);
    expect(failed.stderr).toContain("exit 3");
    expect(failed.code).toBe(1);
    user.file("missing.yaml", hello.replace("[echo]", "[no-such-program]"));
    const missing = await user.tiphys(["run", "missing.yaml", "--runtime", "host"]);
    expect(missing.stderr).toContain("no-such-program");
    expect(missing.code).toBe(1);
  });

  test("2: bad input, nothing was started", async () => {
    user.file("wrong.yaml", hello.replace("templates:", "templats:"));
    const wrong = await user.tiphys(["run", "wrong.yaml"]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain('did you mean "templates"?');
    const flag = await user.tiphys(["run", "hello.yaml", "--no-such-flag"]);
    expect(flag).toMatchObject({ code: 2, stdout: "" });
    const { stdout } = await user.tiphys(["list"]);
    expect(stdout).toBe("No workflows found\n");
  });

  test("3: it cannot run here, nothing was started", async () => {
    user.file("image.yaml", hello.replace("busybox", "registry.example/ci:1.4"));
    const { code, stdout, stderr } = await user.tiphys(["run", "image.yaml"]);
    expect(stderr).toContain("image.yaml:10:16  error[no-runtime]  nothing here can run image registry.example/ci:1.4");
    expect(stderr).toContain("--runtime host");
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect((await user.tiphys(["list"])).stdout).toBe("No workflows found\n");
  });

  test("4: the store fails, and that is said without a stack trace", async () => {
    expect((await user.tiphys(["run", "hello.yaml"])).code).toBe(0);
    const runs = join(user.home, "runs");
    const [place = ""] = readdirSync(runs);
    writeFileSync(join(runs, place, "store.db"), "this is no database ".repeat(500));
    const get = await user.tiphys(["get", "@latest"]);
    expect(get).toMatchObject({ code: 4, stdout: "" });
    expect(get.stderr).toMatch(/^error: the store .*store\.db cannot be opened: /);
    expect(get.stderr).not.toMatch(/^ +at /m);
    const file = user.file("file", "");
    const nowhere = await user.tiphys(["run", "hello.yaml"], { env: { TIPHYS_HOME: join(user.folder, file, "home") } });
    expect(nowhere).toMatchObject({ code: 4, stdout: "" });
    expect(nowhere.stderr).toContain("a file stands where a folder should be");
    expect(nowhere.stderr).not.toMatch(/^ +at /m);
  });
});

async function atTheGate(size: GateScreen): Promise<Terminal> {
  const terminal = user.terminal(["run", "gate.yaml", "--runtime", "host"], size);
  await terminal.shows(new RegExp(`ǁ approve[^]*${size.treeEnds.source}`));
  return terminal;
}

/** The tree as it is shown now. */
function treeOn({ screen: { text } }: Terminal): string {
  return steady(text.slice(text.lastIndexOf("gate  Running")));
}

async function throughTheGate(terminal: Terminal, size: ScreenSize): Promise<void> {
  const resumed = await user.tiphys(["resume", "gate"]);
  expect(resumed).toMatchObject({ code: 0, stdout: "workflow gate resumed\n", stderr: "" });
  expect(await terminal.ended).toBe(0);
  const text = steady(terminal.screen.text);
  expect(text).toMatch(/^onExit +│ bye Succeeded$/m);
  expect(text.split("\n").at(-1)).toBe("✔ gate Succeeded Ns · 4 tasks: 4 ✔");
  // What was drawn before is gone: the tree stands there once.
  expect(text.match(/├─✔ build/g)).toHaveLength(1);
  expectFrames(terminal, size);
}

/** Each drawing fits: no line wraps, and the steps' lines keep the other half of the screen. */
function expectFrames({ screen: { frames } }: Terminal, { columns, rows }: ScreenSize): void {
  expect(frames.length).toBeGreaterThan(0);
  for (const { lines } of frames) {
    expect(lines.length).toBeLessThanOrEqual(rows / 2);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns - 2);
    // Times stand in one column.
    const timed = lines.slice(1).filter((line) => / \d+s$/.test(line));
    for (const line of timed) expect(line).toHaveLength(columns - 2);
  }
}
