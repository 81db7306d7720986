import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pauseProgram } from "./pause-image.js";

test.each([
  ["x64", 0x3e],
  ["arm64", 0xb7],
])("%s: an executable of one segment that begins at its code", (architecture, machine) => {
  const file = pauseProgram(architecture) ?? Buffer.alloc(0);
  expect(file.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
  expect(file.readUInt16LE(18)).toBe(machine);
  expect(file.readBigUInt64LE(24) - file.readBigUInt64LE(80)).toBe(120n);
  expect(file.readBigUInt64LE(96)).toBe(BigInt(file.length));
});

test("there is none for a machine that it was not written for", () => {
  expect(pauseProgram("s390x")).toBeUndefined();
});

test.runIf(process.platform === "linux")("it runs until it is killed", async () => {
  const program = pauseProgram(process.arch);
  if (program === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), "tiphys-pause-"));
  const path = join(folder, "pause");
  await writeFile(path, program, { mode: 0o755 });
  const child = spawn(path, [], { stdio: "ignore" });
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  child.kill("SIGTERM");
  expect(await ended).toBe("SIGTERM");
  await rm(folder, { recursive: true });
});
