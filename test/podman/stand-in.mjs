#!/usr/bin/env node
/**
 * Plays docker and podman for tests: keeps containers in the folder $STAND_IN, runs their commands as processes of this
 * machine, keeps what they say for `logs` or writes it where `--log-opt path=` says, writes down every command line (calls.ndjson), and answers what $STAND_IN/plays.json tells it to instead.
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const home = process.env["STAND_IN"] ?? "";
const switches = new Set(
  ["init", "tty", "interactive", "privileged", "read-only", "rm", "detach", "all", "quiet", "no-trunc", "force"].concat(
    ["volumes", "follow", "follow-link", "ignore"],
  ),
);

function parse(words) {
  const flags = [];
  let at = 0;
  for (; at < words.length && words[at].startsWith("--"); at++) {
    const name = words[at].slice(2);
    if (switches.has(name) || name.includes("=")) flags.push([name, ""]);
    else flags.push([name, words[++at]]);
  }
  return { flags, rest: words.slice(at) };
}

const all = (flags, name) => flags.filter(([one]) => one === name).map(([, value]) => value);
const folderOf = (id) => join(home, "containers", id);
const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);
const say = (text) => process.stdout.write(text);

function fail(message, code = 1) {
  process.stderr.write(`Error: ${message}\n`);
  process.exit(code);
}

function find(word) {
  const ids = existsSync(join(home, "containers")) ? readdirSync(join(home, "containers")) : [];
  return ids
    .map((id) => read(join(folderOf(id), "container.json")))
    .find((one) => one && [one.id, one.name].includes(word));
}

function demand(word) {
  return find(word) ?? fail(`No such container: ${word}`);
}

function state(container) {
  const folder = folderOf(container.id);
  const started = read(join(folder, "started.json"));
  const exit = read(join(folder, "exit.json"));
  const zero = "0001-01-01T00:00:00Z";
  return {
    Status: exit ? "exited" : started ? "running" : "created",
    Running: started !== undefined && exit === undefined,
    ExitCode: exit?.code ?? 0,
    OOMKilled: exit?.oom === true,
    StartedAt: started?.at ?? zero,
    FinishedAt: exit?.at ?? zero,
  };
}

const images = () => read(join(home, "images.json")) ?? [];

const commands = {
  ps({ flags }) {
    const filters = all(flags, "filter").map((one) => one.replace(/^label=/, ""));
    const ids = existsSync(join(home, "containers")) ? readdirSync(join(home, "containers")) : [];
    const shown = ids.filter((id) => filters.every((label) => label in (find(id)?.labels ?? {})));
    say(shown.map((id) => `${id}\n`).join(""));
  },
  info: () => say("x86_64 2\n"),
  image({ rest: [, name] }) {
    if (!images().includes(name)) fail(`No such image: ${name}`);
    say(JSON.stringify([{ Id: `sha256:${name}`, Os: "linux", Architecture: "amd64", Config: { User: "" } }]));
  },
  pull({ rest: [name] }) {
    writeFileSync(join(home, "images.json"), JSON.stringify([...images(), name]));
    say(`0123456789ab: Pulling fs layer\nba9876543210: Pulling fs layer\n0123456789ab: Pull complete\n${name}\n`);
  },
  import: ({ rest: [, name] }) => writeFileSync(join(home, "images.json"), JSON.stringify([...images(), name])),
  create({ flags, rest: [image, ...args] }) {
    const [name] = all(flags, "name");
    if (find(name)) fail(`Conflict. The container name "/${name}" is already in use by container`);
    const id = createHash("sha256")
      .update(`${name}${readFileSync(join(home, "calls.ndjson"))}`)
      .digest("hex");
    const labels = Object.fromEntries(all(flags, "label").map((one) => one.split(/=(.*)/s).slice(0, 2)));
    const env = Object.fromEntries(
      all(flags, "env").map((one) => (one.includes("=") ? one.split(/=(.*)/s).slice(0, 2) : [one, process.env[one]])),
    );
    const command = [...all(flags, "entrypoint"), ...args];
    const [log] = all(flags, "log-opt").flatMap((one) => (one.startsWith("path=") ? [one.slice("path=".length)] : []));
    const container = { id, name, labels, env, image, command, log };
    mkdirSync(folderOf(id), { recursive: true });
    writeFileSync(join(folderOf(id), "container.json"), JSON.stringify(container));
    say(`${id}\n`);
  },
  start({ rest: [word] }) {
    const container = demand(word);
    const folder = folderOf(container.id);
    const keeper = spawn(process.execPath, [process.argv[1], "keep", container.id], {
      detached: true,
      stdio: "ignore",
    });
    keeper.unref();
    until(
      folder,
      () => existsSync(join(folder, "started.json")),
      () => say(`${word}\n`),
    );
  },
  /** The container itself: lives on when whoever started it is killed. */
  keep({ rest: [id] }) {
    const folder = folderOf(id);
    const { command, env, log } = read(join(folder, "container.json"));
    const [out, err] = log ? ["pipe", "pipe"] : ["out", "err"].map((name) => openSync(join(folder, name), "a"));
    const [file = "true", ...args] = command;
    const child = spawn(file, args, {
      env: { PATH: process.env["PATH"], ...env },
      detached: true,
      stdio: ["ignore", out, err],
    });
    if (log) for (const name of ["stdout", "stderr"]) child[name].on("data", (bytes) => logTo(log, name, bytes));
    writeFileSync(join(folder, "started.json"), JSON.stringify({ at: new Date().toISOString(), pid: child.pid }));
    child.on(log ? "close" : "exit", (code, signal) => {
      if (!log) for (const fd of [out, err]) closeSync(fd);
      const exit = { code: code ?? 128 + constants.signals[signal], at: new Date().toISOString() };
      writeFileSync(join(folder, "exit.json"), JSON.stringify(exit));
    });
  },
  container({ rest: [, ...words] }) {
    const found = words.map(find).filter(Boolean);
    say(
      JSON.stringify(
        found.map((one) => ({
          Id: one.id,
          State: state(one),
          Config: { Labels: one.labels },
          NetworkSettings: { Networks: { bridge: { IPAddress: "10.9.8.7" } } },
        })),
      ),
    );
    for (const word of words) if (!find(word)) fail(`No such container: ${word}`);
  },
  logs({ flags, rest: [word] }) {
    const { id } = demand(word);
    const folder = folderOf(id);
    const seen = { out: 0, err: 0 };
    const more = () => {
      for (const [name, stream] of [
        ["out", process.stdout],
        ["err", process.stderr],
      ]) {
        const path = join(folder, name);
        const bytes = existsSync(path) ? readFileSync(path).subarray(seen[name]) : Buffer.alloc(0);
        seen[name] += bytes.length;
        stream.write(bytes);
      }
      return existsSync(join(folder, "exit.json"));
    };
    if (flags.some(([name]) => name === "follow")) until(folder, more, () => more());
    else more();
  },
  wait({ rest: [word] }) {
    const { id } = demand(word);
    until(
      folderOf(id),
      () => existsSync(join(folderOf(id), "exit.json")),
      () => say("0\n"),
    );
  },
  kill({ flags, rest }) {
    const [signal] = all(flags, "signal");
    for (const word of rest) {
      const { pid } = read(join(folderOf(demand(word).id), "started.json")) ?? {};
      try {
        process.kill(-pid, `SIG${signal}`);
      } catch {
        fail(`container ${word} is not running`);
      }
    }
  },
  rm({ rest }) {
    for (const word of rest) {
      const found = find(word);
      if (found) rmSync(folderOf(found.id), { recursive: true });
      else process.stderr.write(`Error: No such container: ${word}\n`);
    }
  },
  cp: ({ rest: [from] }) => fail(`Could not find the file ${from.split(":")[1]} in container`),
  rmi: () => undefined,
};

/** As podman's monitor: the time with an offset, a line's last part without a newline of its own. */
function logTo(path, stream, bytes) {
  const time = new Date().toISOString().replace("Z", "000000+00:00");
  for (const [, text, newline] of bytes.toString("latin1").matchAll(/([^\n]*)(\n|$)/g)) {
    if (text !== "" || newline !== "") {
      appendFileSync(path, `${time} ${stream} ${newline === "" ? "P" : "F"} ${text}\n`, "latin1");
    }
  }
}

function until(folder, isDone, then) {
  if (isDone()) return then();
  const watcher = watch(folder, () => {
    if (!isDone()) return;
    watcher.close();
    then();
  });
  if (!isDone()) return undefined;
  watcher.close();
  return then();
}

/** An answer that the test wants instead. */
function play(words) {
  const plays = read(join(home, "plays.json")) ?? [];
  const found = plays.find((one) => one.times !== 0 && new RegExp(one.words).test(words.join(" ")));
  if (found === undefined) return false;
  if (found.times !== undefined) found.times -= 1;
  writeFileSync(join(home, "plays.json"), JSON.stringify(plays));
  say(found.stdout ?? "");
  process.stderr.write(found.stderr ?? "");
  process.exitCode = found.exitCode ?? 0;
  return true;
}

const words = process.argv.slice(2);
if (words[0] === "--log-level") words.splice(0, 2);
if (words[0] !== "keep") {
  const recorded = all(parse(words.slice(1)).flags, "name").length > 0 ? undefined : find(words.at(-1));
  const { labels: marks = {} } = recorded ?? {};
  const run = join(
    ...[marks["dev.tiphys.place"] ?? "", marks["dev.tiphys.pod-uid"] ?? "", "containers"],
    ...[marks["dev.tiphys.container"] ?? "", marks["dev.tiphys.restart"] ?? ""],
  );
  const onRecord = existsSync(join(run, "start.json"));
  appendFileSync(join(home, "calls.ndjson"), `${JSON.stringify({ words, onRecord, cwd: process.cwd() })}\n`);
}
if (!play(words)) {
  const command = commands[words[0]];
  if (command === undefined) fail(`unknown command ${words[0]}`);
  command(parse(words.slice(1)));
}
