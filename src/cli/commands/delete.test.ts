import { existsSync } from "node:fs";
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

test("of a run that has ended the place goes; one that somebody owns is not pulled away under its owner", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "hello.yaml"), hello);
  const host = new FakePlaces();
  host.controller = oneStep("hi\n", 0);
  await main(["run", "hello.yaml", "-q"], fakePorts({ cwd, host }));
  const [folder = ""] = host.places.keys();
  const left = async () => (await host.only.cluster.list<Workflow>(workflows, {})).items.length;
  host.only.owned = true;
  expect(await main(["delete", "hello"], fakePorts({ cwd, host }))).toBe(0);
  expect([existsSync(folder), await left(), host.only.closed.at(-1)]).toEqual([true, 0, "peer ended"]);
  host.only.owned = false;
  expect(await main(["delete", "hello"], fakePorts({ cwd, host }))).toBe(0);
  expect(existsSync(folder)).toBe(false);
});
