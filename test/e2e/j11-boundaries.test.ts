/** J11: variables of a real cluster choose nothing by themselves, and a place belongs to its user alone. */

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nobody, whyNotNobody } from "./accounts.js";
import { type Ended, type Running, User } from "./program.js";

const hello = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: hello
spec:
  entrypoint: hello
  templates:
    - name: hello
      container:
        image: busybox
        command: [sh, -c, 'echo "cluster: $KUBECONFIG$ARGO_SERVER."']
`;

const waiting = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: waiting
spec:
  entrypoint: ask
  templates:
    - name: ask
      suspend: {}
`;

let user: User;

beforeEach(() => {
  user = new User();
  user.file("hello.yaml", hello);
  user.file("waiting.yaml", waiting);
});
afterEach(() => user.dispose());

describe("KUBECONFIG and ARGO_SERVER point somewhere", () => {
  let server: Server;
  let calls = 0;
  let env: Readonly<Record<string, string>> = {};

  beforeEach(async () => {
    calls = 0;
    server = createServer((socket) => {
      calls += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    env = { KUBECONFIG: join(user.folder, user.file("config", kubeconfig(port))), ARGO_SERVER: `127.0.0.1:${port}` };
  });
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const notice = "KUBECONFIG, ARGO_SERVER are set and ignored: this works on this machine only\n";

  function tiphys(...args: readonly string[]): Promise<Ended> {
    return user.tiphys(args, { env });
  }

  test("no command touches it, and each says so once", async () => {
    const run = await tiphys("run", "hello.yaml", "--runtime", "host");
    expect(run).toMatchObject({ code: 0, stdout: "hello │ cluster: .\n" });
    expect(run.stderr.startsWith(notice)).toBe(true);
    expect(run.stderr.split(notice)).toHaveLength(2);
    for (const [code, ...args] of COMMANDS) {
      const ended = await tiphys(...args);
      expect({ code: ended.code, notices: ended.stderr.split(notice).length - 1 }, args.join(" ")).toEqual({
        code,
        notices: 1,
      });
    }
    expect(calls).toBe(0);
  });

  test("delete --all deletes what is here, and nothing else", async () => {
    await tiphys("run", "hello.yaml", "--runtime", "host");
    const deleted = await tiphys("delete", "--all");
    expect(deleted).toMatchObject({ code: 0, stdout: "Workflow 'hello' deleted\n", stderr: notice });
    expect((await tiphys("list")).stdout).toBe("No workflows found\n");
    expect(calls).toBe(0);
  });

  test("what asks for no place says nothing of it", async () => {
    expect(await tiphys("version", "--short")).toMatchObject({ code: 0, stderr: "" });
    expect(await tiphys("lint", "hello.yaml")).toMatchObject({ code: 0, stderr: "" });
    expect(calls).toBe(0);
  });
});

/** After a run of hello: exit code, words. */
const COMMANDS: readonly (readonly [number, ...string[]])[] = [
  [0, "list"],
  [0, "get", "@latest"],
  [0, "logs", "@latest"],
  [0, "wait", "@latest"],
  [1, "stop", "@latest"],
  [1, "retry", "@latest"],
  [3, "submit", "hello.yaml"],
];

function kubeconfig(port: number): string {
  return `apiVersion: v1
kind: Config
current-context: production
clusters: [{name: production, cluster: {server: "http://127.0.0.1:${port}"}}]
users: [{name: admin, user: {token: secret}}]
contexts: [{name: production, context: {cluster: production, user: admin}}]
`;
}

test("a socket that would be open to others is not made: that is said, and all that had begun ends", async () => {
  // So long that the socket lies elsewhere.
  const home = join(user.folder, "h".repeat(100));
  const runtimeFolder = join(user.folder, "runtime");
  const folder = join(runtimeFolder, `tiphys-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const env = { TIPHYS_HOME: home, XDG_RUNTIME_DIR: runtimeFolder };
  const ended = await user.tiphys(["run", "hello.yaml", "--runtime", "host"], { env });
  expect(ended).toMatchObject({ code: 3, stdout: "" });
  expect(ended.stderr).toContain(`must belong to you and be closed to others (mode 0700): ${folder}`);
});

if (whyNotNobody !== "") console.log(`another user's reach is not tested: ${whyNotNobody}`);

describe.skipIf(whyNotNobody !== "")("another user", () => {
  /** A place with a living owner; the socket's path. */
  async function owned(env: Readonly<Record<string, string>> = {}): Promise<{ run: Running; socket: string }> {
    const run = user.start(["run", "waiting.yaml", "--runtime", "host"], { env });
    await run.printed(/ǁ ask waits/);
    const socket = run.child.pid === undefined ? "" : socketOf(run.child.pid);
    expect(socket).not.toBe("");
    return { run, socket };
  }

  /** What another user's process says; empty when it could do it. */
  function refusal(script: string, ...args: readonly string[]): string {
    const [file = "", ...words] = [...nobody.prefix, process.execPath, "-e", script, ...args];
    const { stdout } = spawnSync(file, words, { encoding: "utf8" });
    return stdout.trim();
  }

  test("cannot list, read or write a place", async () => {
    const { run } = await owned();
    const [uid = ""] = readdirSync(join(user.home, "runs"));
    const place = join(user.home, "runs", uid);
    for (const path of [user.home, place, join(place, "store.db"), join(place, "index.json")]) {
      expect(existsSync(path), path).toBe(true);
      expect(refusal(READ, path), path).toBe("EACCES");
      expect(refusal(WRITE, path), path).toBe("EACCES");
    }
    expect(statSync(user.home).mode & 0o77).toBe(0);
    run.child.kill("SIGINT");
    await run.ended;
  });

  test("cannot reach its owner's socket, wherever that lies", async () => {
    const deep = join(user.folder, "a-long-way-down/".repeat(8), "home");
    mkdirSync(deep, { recursive: true });
    for (const env of [{}, { TIPHYS_HOME: deep }]) {
      const { run, socket } = await owned(env);
      expect(refusal(CONNECT, socket), socket).toBe("EACCES");
      expect((await user.tiphys(["list"], { env })).stdout).toMatch(/^waiting +Running/m);
      run.child.kill("SIGINT");
      await run.ended;
      await user.tiphys(["delete", "--all"], { env });
    }
  });

  test("is told so, without a stack trace, when it tries with tiphys", async () => {
    const { run } = await owned();
    const other = new User(nobody);
    try {
      const list = await other.tiphys(["list"], { env: { TIPHYS_HOME: user.home } });
      expect(list.stdout).toBe("");
      expect(list.stderr).toMatch(/^error: .*permission denied/);
      expect(list.stderr).not.toMatch(/^ +at /m);
      expect(list.code).toBe(4);
      expect((await other.tiphys(["list"])).stdout).toBe("No workflows found\n");
    } finally {
      await other.dispose();
    }
    run.child.kill("SIGINT");
    await run.ended;
  });
});

const READ = `
const fs = require("node:fs");
try { fs.statSync(process.argv[1]).isDirectory() ? fs.readdirSync(process.argv[1]) : fs.readFileSync(process.argv[1]) }
catch (error) { console.log(error.code) }`;

const WRITE = `
const fs = require("node:fs");
try { fs.openSync(process.argv[1] + ".other", "w") } catch (error) { console.log(error.code) }`;

const CONNECT = `
const socket = require("node:net").connect(process.argv[1]);
socket.on("error", (error) => console.log(error.code));
socket.on("connect", () => socket.destroy());`;

/** Path of the Unix socket on which a process listens. */
function socketOf(pid: number): string {
  const inodes = spawnSync("ls", ["-l", `/proc/${pid}/fd`], { encoding: "utf8" }).stdout.matchAll(/socket:\[(\d+)\]/g);
  const own = new Set([...inodes].map(([, inode = ""]) => inode));
  const table = spawnSync("cat", ["/proc/net/unix"], { encoding: "utf8" }).stdout.split("\n");
  const rows = table.map((line) => line.trim().split(/\s+/));
  return rows.find((row) => own.has(row[6] ?? "") && row[7]?.startsWith("/") === true)?.[7] ?? "";
}
