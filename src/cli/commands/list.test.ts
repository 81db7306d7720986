import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ApiError } from "../../kube/errors.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, hello, oneStep } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

test.each<[string, string, readonly string[], RegExp]>([
  ["is asked for its workflows", "list", ["list", "-o", "name"], /^hello\n$/],
  ["is asked for one", "get", ["list", "-o", "yaml"], /name: hello/],
])("a place that fails when it %s is told, and the others are listed", async (_, failing, argv, said) => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "hello.yaml"), hello);
  const host = new FakePlaces();
  host.controller = oneStep("hi\n", 0);
  expect(await main(["run", "hello.yaml", "-q"], fakePorts({ cwd, host }))).toBe(0);
  const created = new Promise<void>((resolve) => {
    host.controller = () => resolve();
  });
  const running = fakePorts({ cwd, host, seed: 8 });
  const ended = main(["run", "hello.yaml", "-q"], running);
  await created;
  await running.clock.advance(1000);
  const [folder, living] = [...host.places].at(-1) ?? ["", host.only];
  living.cluster.fault = (verb) => {
    if (verb === failing) throw new ApiError(500, "InternalError", "the store is broken");
  };
  const asked = fakePorts({ cwd, host });
  expect(await main(argv, asked)).toBe(0);
  expect(asked.stdout.text).toMatch(said);
  expect(asked.stderr.text).toBe(`warning: what is in ${folder} is left out: the store is broken\n`);
  const alone = fakePorts({ cwd, host });
  expect(await main([...argv, "--in", folder], alone)).toBe(1);
  expect(alone.stderr.text).toBe("error: the store is broken\n");
  living.cluster.fault = () => undefined;
  for (let signal = 0; signal < 3; signal++) {
    await running.clock.advance(300);
    running.send("SIGINT");
  }
  await ended;
});
