import type { Command } from "commander";
import { beforeAll, expect, test } from "vitest";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";
import { commandOf } from "./call.js";
import { commandTable } from "./table.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

const ports = fakePorts({ cwd: "/tmp" });

async function commands(): Promise<readonly Command[]> {
  return Promise.all(commandTable.map(async (entry) => commandOf(entry, await entry.load(), ports)));
}

test("no flag takes an optional value; every flag and command says what it does", async () => {
  for (const command of await commands()) {
    expect(command.description()).not.toBe("");
    for (const option of command.options) {
      expect(option.optional, `${command.name()} ${option.flags}`).toBe(false);
      if (!option.hidden) expect(option.description, `${command.name()} ${option.flags}`).not.toBe("");
    }
  }
});

test("no flag of a command is hidden by one that stands for all commands", async () => {
  const all = new Set([
    "-n",
    "-v",
    "-e",
    "-k",
    "-s",
    "-H",
    "--namespace",
    "--verbose",
    "--user",
    "--server",
    "--token",
  ]);
  for (const command of await commands()) {
    for (const { short, long } of command.options) {
      expect(all.has(short ?? ""), `${command.name()} ${short}`).toBe(false);
      expect(all.has(long ?? ""), `${command.name()} ${long}`).toBe(false);
    }
  }
});

test("every help fits a screen's width and shows examples where there is an argument", async () => {
  for (const { name } of commandTable) {
    const own = fakePorts({ cwd: "/tmp", terminal: { columns: 100, rows: 40 } });
    expect(await main([name, "--help"], own)).toBe(0);
    for (const line of own.stdout.text.split("\n")) expect(line.length, `${name}: ${line}`).toBeLessThanOrEqual(130);
    if (name !== "version") expect(own.stdout.text).toContain("Examples:");
  }
});

test.each([
  [["lits"], 2, '"lits" is no command', 'did you mean "list"?'],
  [["hello.yaml"], 2, '"hello.yaml" is no command', "did you mean: tiphys run hello.yaml"],
  [["list", "--runing"], 2, "unknown option '--runing'", "Did you mean --running?"],
  [
    ["run", "x.yaml", "--runtime", "dokcer"],
    2,
    "Allowed choices are auto, host, docker, podman, scripted",
    "see tiphys run --help",
  ],
  [["get", "-o", "xml", "a"], 2, "One of: name|json|yaml|short|wide", ""],
  [["get"], 2, "missing required argument 'NAME'", "see tiphys get --help"],
  [["list", "--kubeconfig", "/x"], 3, "--kubeconfig names a cluster or server", "leave out --kubeconfig"],
  [["list", "-s", "argo:2746"], 3, "--argo-server names a cluster or server", "leave out --argo-server"],
  [["--frobnicate"], 2, "unknown flag --frobnicate", "see tiphys --help"],
  [["node", "get", "x"], 2, "unknown action 'get'", "tiphys node set NAME"],
  [["stop"], 2, "requires either selector or workflow", ""],
  [["delete"], 2, "requires either a workflow or other argument", ""],
  [["list", "--completed", "--running"], 2, "--completed and --running cannot be used together", ""],
  [["logs", "a", "--since-time", "2026-11-30T06:00:00"], 2, "expected a time such as 2026-11-30T06:00:00Z", ""],
  [["logs", "a", "--since", "-1h30m"], 2, "--since -1h30m: expected a duration such as 30s, 5m or 1h30m", ""],
  [["logs", "a", "--since", "1h30m"], 1, "no workflows here yet", ""],
  [["submit", "x.yaml", "--scheduled-time", "5"], 2, "invalid time.RFC3339 format", ""],
  [["list", "--since", "soon"], 2, "--since soon: expected a duration", ""],
  [["run", "x.yaml", "-p", "oops"], 2, "expected parameter of the form: NAME=VALUE. Received: oops", ""],
  [["run", "x.yaml", "-l", "oops"], 2, "unexpected label spec: oops", ""],
])("%j", async (argv, code, message, hint) => {
  const own = fakePorts({ cwd: "/tmp/nowhere" });
  expect(await main(argv, own)).toBe(code);
  expect(own.stderr.text).toContain(message);
  expect(own.stderr.text).toContain(hint);
  expect(own.stdout.text).toBe("");
});

test("boolean flags take =true and =false as Argo's do; --version and help work", async () => {
  const short = fakePorts({ cwd: "/tmp" });
  expect(await main(["version", "--short=true"], short)).toBe(0);
  expect(short.stdout.text).toBe("tiphys: v1.2.3\n");
  const long = fakePorts({ cwd: "/tmp" });
  await main(["version", "--short=false"], long);
  expect(long.stdout.text).toContain("GitCommit: abc");
  const flag = fakePorts({ cwd: "/tmp" });
  expect(await main(["--version"], flag)).toBe(0);
  const help = fakePorts({ cwd: "/tmp" });
  expect(await main(["help", "get"], help)).toBe(0);
  expect(help.stdout.text).toContain("Usage: tiphys get");
});

test("variables that choose a cluster choose nothing, and that is said once", async () => {
  const env = { KUBECONFIG: "/x", ARGO_SERVER: "argo:2746" };
  const own = fakePorts({ cwd: "/tmp/nowhere", env });
  await main(["get", "x"], own);
  expect(own.stderr.text.match(/KUBECONFIG, ARGO_SERVER are set and ignored/g)).toHaveLength(1);
});
