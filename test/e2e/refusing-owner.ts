/**
 * A place that this process owns, of real parts (API server, kubelet with scripted steps, controller), where the API refuses
 * to let go of pods as an admission webhook of a cluster may. Its controller's waits pass twenty times as fast.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemChance, systemClock } from "../../src/app/system-clock.js";
import { writeIndex } from "../../src/cli/places/files.js";
import { openMemoryStore, openServer } from "../../src/cluster/apiserver/index.js";
import { ScriptedRuntime, startKubelet } from "../../src/cluster/kubelet/index.js";
import { startController } from "../../src/controller/index.js";
import { argoTypes, builtInTypes, pods, workflows } from "../../src/core/model/resources.js";
import { executorImages } from "../../src/executor/index.js";
import type { Client } from "../../src/kube/client.js";
import type { Clock } from "../../src/kube/clock.js";
import { ApiError } from "../../src/kube/errors.js";

const SPEED = 20;

const hurried: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * SPEED,
  after: (delayMs, callback) => systemClock.after(delayMs / SPEED, callback),
};

export interface RefusingOwner {
  readonly client: Client;
  close(): Promise<void>;
}

/** Takes the user's `up`; `message` is what the API says to each change of a pod. */
export async function refusingOwner(home: string, message: string): Promise<RefusingOwner> {
  const folder = join(home, "up");
  mkdirSync(join(folder, "api"), { recursive: true, mode: 0o700 });
  const server = await openServer({
    clock: systemClock,
    chance: systemChance,
    store: openMemoryStore(),
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
  });
  const client = server.client();
  const kubelet = await startKubelet({
    client,
    clock: systemClock,
    chance: systemChance,
    runtime: new ScriptedRuntime({ clock: systemClock, script: { rules: [] } }),
    builtinImages: executorImages({ client, clock: systemClock, placeArtifactsFolder: "", sharedArtifactsFolder: "" }),
    podsFolder: "",
    claimsFolder: "",
    maxPods: Number.POSITIVE_INFINITY,
  });
  const controller = startController({
    client: refusing(client, message),
    clock: hurried,
    chance: systemChance,
    engine: { pod: { layout: "local", images: new Map(), statusFinalizer: true } },
  });
  await controller.started;
  // What tells other processes of the place.
  writeFileSync(join(folder, "store.db"), "");
  const createdAt = new Date(systemClock.now()).toISOString();
  await writeIndex(folder, { v: 1, kind: "up", uid: "up", createdAt, workflows: [], bytes: 0 });
  await server.listen(join(folder, "api", "socket"));
  return {
    client,
    close: async () => {
      await controller.stop();
      await kubelet.close();
      await server.close();
    },
  };
}

function refusing(client: Client, message: string): Client {
  return {
    ...client,
    patch: (type, key, patch, options) =>
      type === pods ? Promise.reject(new ApiError(403, "Forbidden", message)) : client.patch(type, key, patch, options),
  };
}
