import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isOwned } from "./ownership.js";
import { connectPlace } from "./peer.js";

/** Takes connections as the system does for it, and does nothing else any more. */
const stopped = `
require("node:net").createServer().listen({ path: process.argv[1], backlog: 1 }, () => {
  require("node:fs").writeSync(1, "here");
  for (;;);
});`;

async function stoppedOwner(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-owner-"));
  await mkdir(join(folder, "api"));
  const child = spawn(process.execPath, ["-e", stopped, join(folder, "api", "socket")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  });
  await once(child.stdout, "data");
  return folder;
}

test("an owner that was stopped owns its place, however many have asked it already", async () => {
  const folder = await stoppedOwner();
  for (let asked = 0; asked < 6; asked += 1) expect(await isOwned(folder)).toBe(true);
});

test("an owner that was stopped is called silent, after seconds", async () => {
  const folder = await stoppedOwner();
  await expect(connectPlace(folder)).rejects.toMatchObject({
    code: "silent",
    message: `the process that owns the place ${folder} does not answer`,
    hint: "if it was stopped (Ctrl-Z), fg in its terminal lets it go on; else try again",
  });
});
