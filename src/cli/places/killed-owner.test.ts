import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { TransportError } from "../../kube/errors.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, hello } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

test("an owner that gave no answer is looked at until its lock is free: it was killed", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "hello.yaml"), hello);
  const host = new FakePlaces();
  const run = fakePorts({ cwd, host, seed: 1 });
  let begun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  host.controller = () => begun();
  void main(["run", "hello.yaml", "--name", "hello"], run);
  await running;
  host.connect = () => Promise.reject(new TransportError("read ECONNRESET"));
  let looks = 0;
  host.ownership = async () => (++looks < 4 ? "owned" : "free");
  const ports = fakePorts({ cwd, host, seed: 2 });
  const ended = main(["list"], ports);
  while (looks < 4) await ports.clock.advance(100);
  expect(await ended).toBe(0);
  expect(ports.stdout.text).toMatch(/^hello +Lost /m);
});
