import { expect, test } from "vitest";
import type { Lease } from "../core/model/kube/core.js";
import type { KubeObject } from "../core/model/kube/meta.js";
import { configMaps, leases } from "../core/model/resources.js";
import { sleep } from "./clock.js";
import { FencedError, TransportError } from "./errors.js";
import { LeaderElector } from "./leader.js";
import { FakeCluster } from "./testing/fake-cluster.js";
import { ProcessClock } from "./testing/process-clock.js";
import { SeededChance } from "./testing/seeded-chance.js";
import { settle, VirtualClock } from "./testing/virtual-clock.js";

const key = { namespace: "tiphys", name: "controller" };

function candidate(world: VirtualClock, cluster: FakeCluster, identity: string) {
  const clock = new ProcessClock(world);
  const chance = new SeededChance(identity.charCodeAt(0));
  const elector = new LeaderElector({ client: cluster, clock, chance, lease: key, identity });
  const stop = new AbortController();
  const terms: string[] = [];
  const lead = async (term: AbortSignal): Promise<void> => {
    terms.push(`${identity} leads`);
    await new Promise((resolve) => term.addEventListener("abort", resolve, { once: true }));
    terms.push(`${identity} ends`);
  };
  const ended = elector.run(stop.signal, lead);
  return { clock, elector, stop, terms, ended };
}

test("the first one leads, the second takes over when the first gives back", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await settle();
  const b = candidate(world, cluster, "b");
  await world.advance(60_000);
  expect([a.elector.isLeader, b.elector.isLeader]).toEqual([true, false]);
  a.stop.abort();
  await a.ended;
  expect(a.elector.isLeader).toBe(false);
  await world.advance(3000);
  expect([a.elector.isLeader, b.elector.isLeader]).toEqual([false, true]);
  const lease = await cluster.get<Lease>(leases, key);
  expect(lease.spec).toMatchObject({ holderIdentity: "b", leaseDurationSeconds: 15, leaseTransitions: 1 });
  expect(lease.spec?.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test("a dead leader is followed after its lease, not before", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await settle();
  const b = candidate(world, cluster, "b");
  await world.advance(20_000);
  a.clock.kill();
  const diedAt = world.monotonic();
  await world.runUntil(() => b.elector.isLeader, 60_000);
  const waitedMs = world.monotonic() - diedAt;
  expect(b.elector.isLeader).toBe(true);
  expect(waitedMs).toBeGreaterThan(12_000);
  expect(waitedMs).toBeLessThan(25_000);
});

test("when the API is gone the leader stops acting before another may begin, and leads again later", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await world.advance(5000);
  cluster.fault = () => {
    throw new TransportError("refused");
  };
  await world.advance(10_000);
  expect(a.elector.isLeader).toBe(false);
  await world.advance(10_000);
  expect(a.terms).toEqual(["a leads", "a ends"]);
  cluster.fault = () => {};
  await world.advance(5000);
  expect(a.terms).toEqual(["a leads", "a ends", "a leads"]);
});

test("a request that hangs does not keep the leader in office", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await world.advance(5000);
  cluster.fault = () => new Promise(() => {});
  await world.advance(10_000);
  expect(a.elector.isLeader).toBe(false);
  await world.advance(20_000);
  expect(a.terms).toEqual(["a leads", "a ends"]);
});

test("each clock alone takes the lease away", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await settle();
  expect(a.elector.isLeader).toBe(true);
  a.clock.jumpWall(11_000);
  expect(a.elector.isLeader, "the machine was suspended").toBe(false);
  a.clock.jumpWall(-11_000);
  expect(a.elector.isLeader).toBe(true);
  a.clock.jumpWall(-5000);
  expect(a.elector.isLeader, "set back: how long did we sleep?").toBe(false);
});

test("no write leaves without the lease; reads do", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await settle();
  const client = a.elector.fenced(cluster);
  const thing: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "ns", name: "x" } };
  const created = await client.create(configMaps, thing);
  a.clock.pause();
  await world.advance(30_000);
  cluster.requests.length = 0;
  const at = { namespace: "ns", name: "x" };
  const writes = [
    client.create(configMaps, thing),
    client.update(configMaps, created),
    client.patch(configMaps, at, { type: "merge", body: {} }),
    client.delete(configMaps, at),
  ];
  for (const write of await Promise.allSettled(writes))
    expect(write).toMatchObject({ status: "rejected", reason: expect.any(FencedError) });
  expect(cluster.requests.filter((request) => request.includes("configmaps"))).toEqual([]);
  await client.get(configMaps, at);
});

test("a write that may not leave ends the term at once", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await settle();
  const client = a.elector.fenced(cluster);
  a.clock.jumpWall(20_000);
  expect(a.terms).toEqual(["a leads"]);
  await expect(client.delete(configMaps, { namespace: "ns", name: "x" })).rejects.toThrow(FencedError);
  await settle();
  // The lease was its own still: it gave it back, and took it again for a term that begins from nothing.
  expect(a.terms).toEqual(["a leads", "a ends", "a leads"]);
});

test("the guard travels to the transport, for the moment the request really leaves", async () => {
  const world = new VirtualClock();
  const cluster = new FakeCluster();
  const a = candidate(world, cluster, "a");
  await settle();
  const guards: (() => void)[] = [];
  const transport = Object.create(cluster, {
    create: {
      value: async (_type: unknown, object: unknown, options: { guard: () => void }) => {
        guards.push(options.guard);
        return object;
      },
    },
  });
  const first = (): void => {
    throw new Error("caller's own");
  };
  const thing: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } };
  await a.elector.fenced(transport).create(configMaps, thing);
  await a.elector.fenced(transport).create(configMaps, thing, { guard: first });
  guards[0]?.();
  expect(guards[1]).toThrow("caller's own");
  a.clock.pause();
  await world.advance(30_000);
  expect(guards[0]).toThrow(FencedError);
});

test("chaos: at every moment at most one process may write, and then the lease names it", async () => {
  for (let seed = 1; seed <= 15; seed++) {
    const world = new VirtualClock();
    const cluster = new FakeCluster();
    const chance = new SeededChance(seed);
    cluster.fault = async () => {
      if (chance.next() < 0.2) throw new TransportError("before");
      await sleep(world, chance.below(6000));
    };
    const all = ["a", "b", "c"].map((identity) => ({ identity, ...candidate(world, cluster, identity) }));
    let held = 0;
    for (let step = 0; step < 400; step++) {
      const victim = chance.pick(all);
      const act = chance.below(20);
      if (act === 0) victim?.clock.pause();
      if (act === 1) victim?.clock.jumpWall(chance.below(40_000) - 20_000);
      if (act > 14) for (const { clock } of all) clock.resume();
      await world.advance(chance.below(2000));
      const leaders = all.filter(({ elector }) => elector.isLeader);
      expect(leaders.length, `seed ${seed}, step ${step}`).toBeLessThan(2);
      const fault = cluster.fault;
      cluster.fault = () => {};
      const lease = leaders.length === 0 ? undefined : await cluster.get<Lease>(leases, key);
      cluster.fault = fault;
      if (lease === undefined) continue;
      held++;
      expect(lease.spec?.holderIdentity, `seed ${seed}, step ${step}`).toBe(leaders[0]?.identity);
    }
    expect(held).toBeGreaterThan(20);
    for (const { stop, clock } of all) {
      stop.abort();
      clock.kill();
    }
  }
});
