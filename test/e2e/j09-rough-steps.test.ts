/** J9: steps that behave badly: each ends as Argo would say, and the log is intact. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Flood, LINE, LINES } from "./flood.js";
import { User } from "./program.js";
import { SmallDisk } from "./small-disk.js";

function workflow(name: string, templates: string, spec = ""): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: ${name}-}
spec:
  entrypoint: main
${spec}  templates:
${templates}`;
}

function script(name: string, ...lines: readonly string[]): string {
  const source = lines.map((line) => `        ${line}\n`).join("");
  return `  - name: ${name}\n    script:\n      image: bash\n      command: [bash]\n      source: |\n${source}`;
}

/** What each step does, and what its node says then. */
const endings = [
  ["exits-255", "exit 255", "Failed", "Error (exit code 255)", "255"],
  ["segfault", "echo before; kill -SEGV $$", "Failed", "Error (exit code 139)", "139"],
  ["kill-9", "kill -9 $$", "Failed", "Error (exit code 137)", "137"],
  ["stdout-closed", "echo before; exec >&- 2>&-; exit 4", "Failed", "Error (exit code 4)", "4"],
  ["stdout-closed-well", "echo before; exec >&-; echo lost 2>/dev/null; exit 0", "Succeeded", undefined, "0"],
  ["forks", "echo forked; (setsid sleep 1000 &); sleep 1000 & exit 0", "Succeeded", undefined, "0"],
] as const;

const user = new User();
const write = (name: string, text: string): void => writeFileSync(join(user.folder, name), text);
const run = (...args: readonly string[]) => user.tiphys(["run", "--runtime", "host", ...args]);

beforeAll(() => {
  const tasks = endings.map(([name]) => `      - {name: ${name}, template: ${name}}\n`).join("");
  const scripts = endings.map(([name, source]) => script(name, source)).join("");
  write(
    "endings.yaml",
    workflow("endings", `  - name: main\n    dag:\n      failFast: false\n      tasks:\n${tasks}${scripts}`),
  );
  write("flood.yaml", workflow("flood", script("main", `yes ${LINE} | head -n ${LINES}`, "echo end")));
  write("line.yaml", workflow("line", script("main", "head -c 3000000 /dev/zero | tr '\\0' y", "echo; echo end")));
  write(
    "binary.yaml",
    workflow("binary", script("main", "printf 'a\\000b\\377\\376\\033[31mred\\n\\303\\251'", "echo; echo end")),
  );
  const deaf = script("main", "trap '' TERM", "echo deaf", "for i in {1..1000}; do sleep 0.1; done");
  const brief = "  podSpecPatch: '{\"terminationGracePeriodSeconds\": 1}'\n";
  write("deaf.yaml", workflow("deaf", deaf, brief));
});

afterAll(() => user.dispose());

describe("a step ends as Argo would say", () => {
  test("by exit code, by signal, with its outputs closed, with processes left behind", async () => {
    mkdirSync(join(user.folder, "shared"), { recursive: true });
    const { code, stdout, stderr } = await run("endings.yaml", ...user.traced, "-o", "json");
    expect(stderr).not.toContain("internal error");
    const nodes: readonly { displayName: string; phase: string; message?: string; outputs?: { exitCode?: string } }[] =
      Object.values(JSON.parse(stdout).status.nodes);
    for (const [name, , phase, message, exitCode] of endings) {
      const node = nodes.find(({ displayName }) => displayName === name);
      const told = { phase: node?.phase, message: node?.message, exitCode: node?.outputs?.exitCode };
      expect({ name, ...told }).toEqual({ name, phase, message: message && `main: ${message}`, exitCode });
    }
    expect(user.leftovers()).toEqual([]);
    const logs = await user.tiphys(["logs", "@latest"]);
    const said = logs.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^endings-\w+-(.+)-\d+: /, "$1: "));
    expect(said.sort()).toEqual([
      "forks: forked",
      "segfault: before",
      "stdout-closed-well: before",
      "stdout-closed: before",
    ]);
    expect(code).toBe(1);
  });

  test("deaf to SIGTERM: killed after its grace", async () => {
    const running = user.start(["run", "--runtime", "host", "deaf.yaml"]);
    await running.printed(/│ deaf/);
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect(stderr).toMatch(/✖ deaf-\w{5} Failed/);
    expect(code).toBe(143);
  });
});

describe("the log is intact", () => {
  test("200 MB, every line, while it runs and later, in little memory", async () => {
    const running = new Flood("main │ ");
    const live = await watched(["run", "--runtime", "host", "--name", "flood", "flood.yaml"], running);
    expect({ code: live.code, ...running.seen }).toEqual({ code: 0, lines: LINES, rest: "main │ end\n" });
    const stored = new Flood("flood: ");
    const later = await watched(["logs", "flood"], stored);
    expect({ code: later.code, ...stored.seen }).toEqual({ code: 0, lines: LINES, rest: "flood: end\n" });
    // Of the program alone, before it has read anything: 100 MB. What it prints is twenty times the difference.
    for (const { peakMB } of [live, later]) {
      expect(peakMB).toBeLessThan(250);
    }
  });

  test("a line of 3 MB is one line", async () => {
    const { code, stdout } = await run("line.yaml");
    expect(code).toBe(0);
    const [line = "", ...rest] = stdout.split("\n");
    expect(line === `main │ ${"y".repeat(3_000_000)}`).toBe(true);
    expect(rest).toEqual(["main │ end", ""]);
  });

  test("binary: what a terminal could not take is left out, in the log it stays", async () => {
    const { code, stdout } = await run("binary.yaml", "--name", "binary");
    expect(code).toBe(0);
    expect(stdout).toBe("main │ ab\uFFFD\uFFFD\x1b[31mred\x1b[0m\nmain │ é\nmain │ end\n");
    const logs = filesNamed(user.home, "log.0").map((file) => readFileSync(file));
    const written = Buffer.from("a\0b\xff\xfe\x1b[31mred\n", "latin1");
    expect(logs.some((log) => log.includes(written))).toBe(true);
  });
});

/** Runs the program with its output going by, and measures the most memory that its process ever had. */
async function watched(
  args: readonly string[],
  flood: Flood,
): Promise<{ readonly code: number | null; peakMB: number }> {
  const peak = join(user.folder, "peak");
  write(
    "peak.cjs",
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
  );
  const env = { NODE_OPTIONS: `--require ${join(user.folder, "peak.cjs")}` };
  const { code } = await user.tiphys(args, { env, reader: (chunk) => flood.take(chunk) });
  return { code, peakMB: Number(readFileSync(peak, "utf8")) / 1024 };
}

function filesNamed(folder: string, name: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(`/${name}`))
    .map((path) => join(folder, path));
}

describe("the disk is full", () => {
  const disk = new SmallDisk(user.folder);
  const env = { TIPHYS_HOME: disk.folder };
  afterAll(() => disk.remove());

  test.skipIf(!disk.isThere)("of the step's own files: the step fails, by its own words", async () => {
    write("fill.yaml", workflow("fill", script("main", "echo before", "head -c 1G /dev/zero > /tmp/big || exit 7")));
    const { code, stdout, stderr } = await user.tiphys(["run", "--runtime", "host", "--keep", "never", "fill.yaml"], {
      env,
    });
    expect(stdout).toMatch(/^main │ before\nmain │ head: .*No space left on device\n$/);
    expect(stderr).toMatch(/✖ main {2}fill.yaml:\d+:\d+ {2}image bash {2}exit 7 after/);
    expect(code).toBe(1);
    expect((await user.tiphys(["logs", "@latest"], { env })).stdout).toMatch(/: before\n.*No space left on device\n$/);
  });

  test.skipIf(!disk.isThere)("of the log: the step ends all the same, and what there is is whole lines", async () => {
    write("flood-small.yaml", workflow("flood", script("main", `yes ${LINE} | head -n 600000`, "exit 3")));
    const { code, stdout, stderr } = await user.tiphys(["run", "--runtime", "host", "flood-small.yaml"], { env });
    const lines = stdout.split("\n").slice(0, -1);
    expect(lines.length).toBeGreaterThan(50_000);
    const strange = lines.filter((line) => line !== `main │ ${LINE}`);
    expect(strange.length).toBeLessThanOrEqual(2);
    expect(stderr).toContain("exit 3 after");
    expect(code).toBe(1);
    // Nobody has made room since.
    const later = await user.tiphys(["logs", "@latest"], { env });
    const stored = later.stdout.split("\n").slice(0, -1);
    // The note on what was lost may have been written when nobody followed the log any more.
    expect(Math.abs(stored.length - lines.length)).toBeLessThanOrEqual(2);
    expect((await user.tiphys(["get", "@latest", "-o", "short"], { env })).stdout).toMatch(/✖ flood-/);
    expect((await user.tiphys(["list"], { env })).stdout).toMatch(/^flood-\w{5} +Failed /m);
  });
});
