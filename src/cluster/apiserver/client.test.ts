import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { argoTypes, builtInTypes, workflows } from "../../core/model/resources.js";
import { unixTransport } from "../../kube/http/undici-transport.js";
import { HttpClient } from "../../kube/http-client.js";
import { type ClientHarness, clientSuite } from "../../kube/testing/client-suite.js";
import { SeededChance } from "../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { openMemoryStore, openServer, openSqliteStore, type Store } from "./index.js";
import { builtWriter } from "./testing/built-writer.js";

const folder = mkdtempSync(`${tmpdir()}/tiphys-client-`);
let writer: URL;
let count = 0;

beforeAll(async () => {
  writer = await builtWriter();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const historyMax = 50;

async function serverOn(store: Store, clock: VirtualClock) {
  return openServer({
    store,
    clock,
    chance: new SeededChance(++count),
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
    history: { events: historyMax, bytes: 1_000_000 },
  });
}

/** A store that says when nothing is on its way to the disk. */
function observed(store: Store): Store & { settled(): Promise<void> } {
  let inFlight = 0;
  return {
    access: store.access,
    inFlightMax: store.inFlightMax,
    defer: (callback) => store.defer(callback),
    replay: (tell) => store.replay(tell),
    append: (batch) => {
      inFlight++;
      return store.append(batch).finally(() => inFlight--);
    },
    close: () => store.close(),
    settled: async () => {
      for (let quiet = 0; quiet < 5; quiet = inFlight === 0 ? quiet + 1 : 0) await turn();
    },
  };
}

/** Virtual time in small steps, after each of which disk and sockets come to rest. */
async function pass(clock: VirtualClock, store: { settled(): Promise<void> }, ms: number): Promise<void> {
  for (let passed = 0; passed <= ms; passed += 1000) {
    await clock.advance(Math.min(1000, ms - passed));
    await store.settled();
  }
}

async function inProcess(inner: Store): Promise<ClientHarness> {
  const clock = new VirtualClock();
  const store = observed(inner);
  const server = await serverOn(store, clock);
  return { client: server.client(), historyMax, advance: (ms) => pass(clock, store, ms), close: () => server.close() };
}

async function overSocket(inner: Store): Promise<ClientHarness> {
  const clock = new VirtualClock();
  const store = observed(inner);
  const server = await serverOn(store, clock);
  const path = `${mkdtempSync(`${folder}/s-`)}/api.sock`;
  await server.listen(path);
  const transport = unixTransport(path);
  const close = async (): Promise<void> => {
    await server.close();
    await transport.close();
  };
  const client = new HttpClient({ transport, clock: new VirtualClock() });
  return { client, historyMax, advance: (ms) => pass(clock, store, ms), close };
}

const sqlite = (): Promise<Store> => openSqliteStore({ path: `${folder}/${++count}.db`, writer });

clientSuite("in process, memory", () => inProcess(openMemoryStore()));
clientSuite("in process, SQLite", async () => inProcess(await sqlite()));
clientSuite("over the socket, memory", () => overSocket(openMemoryStore()));
