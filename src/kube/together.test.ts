import { expect, test } from "vitest";
import type { ConfigMap, Secret } from "../core/model/kube/core.js";
import type { KubeObject } from "../core/model/kube/meta.js";
import { configMaps, secrets } from "../core/model/resources.js";
import type { Client } from "./client.js";
import type { Chance, Clock } from "./clock.js";
import { TransportError } from "./errors.js";
import { keyTextOf, parseKey } from "./key.js";
import { Overlay } from "./overlay.js";
import { deletePrecondition } from "./precondition.js";
import { recordingWrites } from "./recording-client.js";
import { Reflector } from "./reflector.js";
import { ownerUids } from "./store.js";
import { FakeCluster } from "./testing/fake-cluster.js";
import { SeededChance } from "./testing/seeded-chance.js";
import { VirtualClock } from "./testing/virtual-clock.js";
import { done, type Outcome, runWorkers } from "./worker.js";
import { WorkQueue } from "./workqueue/work-queue.js";

/** A whole controller: each config map owns exactly one secret, whose name chance gives, so that only reading one's own
 * writes keeps it from making two. */
async function runCopier(bare: Client, clock: Clock, chance: Chance, signal: AbortSignal): Promise<void> {
  const overlay = new Overlay();
  const client = recordingWrites(bare, overlay);
  const queue = new WorkQueue({ clock, chance });
  const maps = new Reflector<ConfigMap>({ client, clock, chance, type: configMaps });
  const copies = new Reflector<Secret, "owner">({
    client,
    clock,
    chance,
    type: secrets,
    indexes: { owner: ownerUids },
  });
  const ownersOf = (secret: Secret) => (secret.metadata.ownerReferences ?? []).map(({ name }) => `ns/${name}`);
  maps.addHandler({ changed: ({ object }) => queue.add(keyTextOf(object)) });
  copies.addHandler({
    changed: ({ object }) => {
      for (const owner of ownersOf(object)) queue.add(owner);
    },
  });
  overlay.follow(copies);

  async function handle(key: string): Promise<Outcome> {
    const owner = maps.store.get(key);
    if (owner === undefined) return done;
    const { name = "", uid = "" } = owner.metadata;
    const [wanted, ...surplus] = copies.store.byIndex("owner", uid);
    for (const secret of surplus)
      await client.delete(secrets, parseKey(`ns/${secret.metadata.name}`), deletePrecondition(secret));
    // The stream will show what was made a moment ago, and put this key back.
    if (wanted !== undefined || made.has(uid)) return done;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid }];
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: "ns", name: chance.uuid(), ownerReferences },
    };
    const created = await client.create<KubeObject>(secrets, secret);
    made.set(uid, created.metadata.uid ?? "");
    return done;
  }
  const made = new Map<string, string>();
  overlay.onCurrent(({ uid }) => {
    for (const [owner, copy] of made) if (copy === uid) made.delete(owner);
  });
  const streams = [maps.run(signal), copies.run(signal)];
  await Promise.all([maps.synced, copies.synced]);
  await runWorkers({ queue, workers: 4, handle }, signal);
  await Promise.all(streams);
}

const map = (name: string): ConfigMap => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "ns", name } });

test("a controller of these parts comes to rest on what is wanted, whatever fails on the way", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const clock = new VirtualClock();
    const cluster = new FakeCluster();
    const chance = new SeededChance(seed);
    const stop = new AbortController();
    for (let index = 0; index < 20; index++) await cluster.create(configMaps, map(`early-${index}`));
    const ended = runCopier(cluster, clock, chance, stop.signal);
    let isFailing = true;
    cluster.fault = (verb) => {
      if (isFailing && verb !== "watch" && chance.next() < 0.3) throw new TransportError("not done");
    };
    for (let index = 0; index < 20; index++) {
      isFailing = false;
      await cluster.create(configMaps, map(`late-${index}`));
      isFailing = true;
      if (chance.next() < 0.3) cluster.breakWatches(new TransportError("reset"));
      await clock.advance(chance.below(500));
    }
    isFailing = false;
    await clock.advance(300_000);
    const owners = (await cluster.list<Secret>(secrets)).items.map(
      ({ metadata }) => metadata.ownerReferences?.[0]?.name,
    );
    expect(new Set(owners).size, `seed ${seed}`).toBe(40);
    expect(owners.length, `seed ${seed}`).toBe(40);
    const writes = cluster.requests.length;
    await clock.advance(100_000);
    expect(
      cluster.requests.slice(writes).filter((request) => !request.startsWith("watch")),
      `seed ${seed}`,
    ).toEqual([]);
    stop.abort();
    await ended;
  }
});
