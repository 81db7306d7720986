import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, hello } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

/** A place that another process owns, and a manifest for it. */
async function placeOfAnother() {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "hello.yaml"), hello);
  const host = new FakePlaces();
  const up = fakePorts({ cwd, host, seed: 1 });
  const upEnded = main(["up"], up);
  while (!up.stderr.text.includes("up: ")) await new Promise((resolve) => setImmediate(resolve));
  return { cwd, host, up, upEnded };
}

test("one Ctrl-C leaves what another process runs, also while its first answer is waited for", async () => {
  const { cwd, host, up, upEnded } = await placeOfAnother();
  const { cluster } = host.only;
  let isCreated = false;
  let asked = 0;
  const silence = new Promise<void>(() => undefined);
  cluster.fault = (verb, { plural }) => {
    if (plural !== "workflows") return;
    isCreated ||= verb === "create";
    if (!isCreated || verb !== "list") return;
    asked += 1;
    return silence;
  };
  const ports = fakePorts({ cwd, host, seed: 2 });
  const watching = main(["submit", "hello.yaml", "--watch"], ports);
  while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
  ports.send("SIGINT");
  expect(await watching).toBe(130);
  expect(ports.stderr.text).toContain("it runs on, watch it again   tiphys logs -f hello\n");
  up.send("SIGINT");
  expect(await upEnded).toBe(130);
});

test("logs -f is left without one more question to a place that answers no more", async () => {
  const { cwd, host, up, upEnded } = await placeOfAnother();
  expect(await main(["submit", "hello.yaml", "-o", "name"], fakePorts({ cwd, host, seed: 2 }))).toBe(0);
  const { cluster } = host.only;
  const before = cluster.watchers;
  const ports = fakePorts({ cwd, host, seed: 3 });
  const following = main(["logs", "-f", "hello"], ports);
  while (cluster.watchers < before + 2) await new Promise((resolve) => setImmediate(resolve));
  cluster.fault = (verb) => (verb === "list" ? new Promise<void>(() => undefined) : undefined);
  ports.send("SIGINT");
  expect(await following).toBe(0);
  up.send("SIGINT");
  expect(await upEnded).toBe(130);
});
