import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Workflow } from "../../core/model/argo/workflow.js";
import { workflows } from "../../core/model/resources.js";
import { TransportError } from "../../kube/errors.js";
import { LOAD_TIMEOUT_MS, loadCommands } from "../fakes/load-commands.js";
import { FakePlaces, hello } from "../fakes/places.js";
import { fakePorts } from "../fakes/ports.js";
import { at } from "../fakes/workflows.js";
import { main } from "../main.js";

beforeAll(loadCommands, LOAD_TIMEOUT_MS);

test("an owner that dies just when it is asked is one that is gone", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tiphys-cli-"));
  await writeFile(join(cwd, "hello.yaml"), hello);
  const host = new FakePlaces();
  const begun = new Promise<void>((resolve) => {
    host.controller = async (place, workflow) => {
      if (workflow.status !== undefined) return;
      const status = { phase: "Running" as const, startedAt: at(0), nodes: {} };
      await place.cluster.update<Workflow>(workflows, { ...workflow, status });
      resolve();
    };
  });
  const owner = fakePorts({ cwd, host, seed: 1 });
  void main(["run", "hello.yaml", "-q"], owner);
  await begun;
  await owner.clock.advance(1000);
  const { connect } = host;
  let asked = 0;
  host.connect = (folder) => {
    // It is found by its list, and is gone when it is to be watched.
    if (++asked === 1) return connect.call(host, folder);
    host.only.owned = false;
    return Promise.reject(new TransportError("read ECONNRESET"));
  };
  const waiting = fakePorts({ cwd, host, seed: 2 });
  expect(await main(["wait", "hello"], waiting)).toBe(1);
  expect(waiting.stderr.text).toBe(
    "error: the process of hello is gone: it will not end by itself\n  tiphys run --resume hello\n",
  );
});
