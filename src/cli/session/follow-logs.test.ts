import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, hello, oneStep } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

test("logs -f ends at Ctrl-C also while its reader takes nothing more", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "hello.yaml"), hello);
  const host = new FakePlaces();
  let begun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  host.controller = () => begun();
  const owner = fakePorts({ cwd, host, seed: 1 });
  const ended = main(["run", "hello.yaml", "-q"], owner);
  await running;
  const place = host.only;
  const workflow = await place.cluster.get<Workflow>(workflows, { namespace: "default", name: "hello" });
  const ports = fakePorts({ cwd, host, seed: 2 });
  ports.stdout.stall();
  const following = main(["logs", "-f", "hello"], ports);
  while (place.cluster.watchers < 4) await new Promise((resolve) => setImmediate(resolve));
  await oneStep("one\n", 0)(place, workflow);
  while (ports.stdout.text === "") await new Promise((resolve) => setImmediate(resolve));
  const closed = place.closed.length;
  ports.send("SIGINT");
  while (!place.closed.slice(closed).includes("peer ended")) await new Promise((resolve) => setImmediate(resolve));
  ports.stdout.resume();
  expect(await following).toBe(0);
  expect(await ended).toBe(0);
});
