import { expect, test } from "vitest";
import type { Event } from "../core/model/kube/core.js";
import { events } from "../core/model/resources.js";
import { ApiError, TransportError } from "./errors.js";
import { EventRecorder, type EventRecorderOptions, type Note } from "./events.js";
import { FakeCluster } from "./testing/fake-cluster.js";
import { SeededChance } from "./testing/seeded-chance.js";
import { VirtualClock } from "./testing/virtual-clock.js";

const workflow = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", namespace: "ns", name: "w", uid: "u" };

function note(message: string, overrides: Partial<Note> = {}): Note {
  return { object: workflow, type: "Normal", reason: "WorkflowRunning", message, ...overrides };
}

function recording(options: Partial<EventRecorderOptions> = {}) {
  const cluster = new FakeCluster();
  const clock = new VirtualClock();
  const source = { component: "workflow-controller" };
  const recorder = new EventRecorder({ client: cluster, clock, chance: new SeededChance(1), source, ...options });
  const stored = async () =>
    (await cluster.list<Event>(events)).items.map(({ message, count }) => `${message} x${count}`);
  return { cluster, clock, recorder, stored };
}

test("an event as kubectl shows it", async () => {
  const { cluster, recorder } = recording();
  recorder.record(note("Workflow Running", { annotations: { a: "b" } }));
  await recorder.flush();
  const [event] = (await cluster.list<Event>(events)).items;
  expect(event).toMatchObject({
    metadata: { namespace: "ns", name: expect.stringMatching(/^w\.[0-9a-f]{16}$/), annotations: { a: "b" } },
    involvedObject: workflow,
    reason: "WorkflowRunning",
    message: "Workflow Running",
    type: "Normal",
    count: 1,
    firstTimestamp: "2024-01-01T00:00:00Z",
    lastTimestamp: "2024-01-01T00:00:00Z",
    source: { component: "workflow-controller" },
  });
});

test("the same again is counted on the same event; another object or message is another", async () => {
  const { clock, cluster, recorder, stored } = recording();
  recorder.record(note("a"));
  await clock.advance(1000);
  for (let index = 0; index < 3; index++) recorder.record(note("a"));
  recorder.record(note("b"));
  recorder.record(note("a", { object: { ...workflow, uid: "other" } }));
  await recorder.flush();
  expect(await stored()).toEqual(["a x4", "b x1", "a x1"]);
  const [event] = (await cluster.list<Event>(events)).items;
  expect([event?.firstTimestamp, event?.lastTimestamp]).toEqual(["2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z"]);
});

test("ever new messages of one reason are folded into one event", async () => {
  const { recorder, stored } = recording();
  for (let index = 1; index <= 14; index++) recorder.record(note(`pod ${index}`));
  await recorder.flush();
  const written = await stored();
  expect(written).toHaveLength(10);
  expect(written.at(-1)).toBe("(combined from similar events): pod 14 x5");
});

test("one object cannot flood: a burst, then one each five minutes; others are not touched", async () => {
  const { clock, recorder } = recording();
  for (let index = 0; index < 40; index++) recorder.record(note("a"));
  recorder.record(note("a", { object: { ...workflow, name: "x", uid: "x" } }));
  await recorder.flush();
  expect(recorder.counts).toEqual({ written: 26, dropped: 15, failed: 0 });
  await clock.advance(300_000);
  recorder.record(note("a"));
  recorder.record(note("a"));
  await recorder.flush();
  expect(recorder.counts).toEqual({ written: 27, dropped: 16, failed: 0 });
});

test("an event that has ended its life is begun anew", async () => {
  const { cluster, recorder, stored } = recording();
  recorder.record(note("a"));
  await recorder.flush();
  const [event] = (await cluster.list<Event>(events)).items;
  await cluster.delete(events, { namespace: "ns", name: event?.metadata.name ?? "" });
  recorder.record(note("a"));
  await recorder.flush();
  expect(await stored()).toEqual(["a x1"]);
});

test("an API that is away for a moment loses nothing; a refusal is counted at once and told", async () => {
  const told: unknown[] = [];
  const { clock, cluster, recorder, stored } = recording({ onError: (error) => told.push(error) });
  let failures = 2;
  cluster.fault = () => {
    if (failures-- > 0) throw new TransportError("reset");
  };
  recorder.record(note("a"));
  await clock.advance(10_000);
  expect(await stored()).toEqual(["a x1"]);
  cluster.fault = (verb) => {
    if (verb === "create") throw new ApiError(403, "Forbidden", "namespace is being terminated");
  };
  recorder.record(note("b"));
  await recorder.flush();
  cluster.fault = (verb) => {
    if (verb === "create") throw new TransportError("refused");
  };
  recorder.record(note("c"));
  await clock.advance(60_000);
  expect(recorder.counts).toEqual({ written: 1, dropped: 0, failed: 2 });
  expect(told.map(String)).toEqual(["ApiError: namespace is being terminated", "TransportError: refused"]);
});

test("a create whose answer was lost does not become two events", async () => {
  const { cluster, clock, recorder, stored } = recording();
  const create = cluster.create.bind(cluster);
  let isLost = true;
  cluster.create = async (type, object) => {
    const created = await create(type, object);
    if (isLost) {
      isLost = false;
      throw new TransportError("reset after commit");
    }
    return created;
  };
  recorder.record(note("a"));
  await clock.advance(10_000);
  expect(await stored()).toEqual(["a x1"]);
  expect(recorder.counts).toEqual({ written: 1, dropped: 0, failed: 0 });
});

test("notes wait a moment for company and are written together, those of one event one after the other", async () => {
  const { cluster, clock, recorder, stored } = recording();
  const sent: string[] = [];
  cluster.fault = (verb) => void sent.push(verb);
  recorder.record(note("a"));
  await clock.advance(249);
  recorder.record(note("b"));
  recorder.record(note("a"));
  expect(sent).toEqual([]);
  await clock.advance(1);
  expect(sent).toEqual(["create", "create", "patch"]);
  expect([await stored(), recorder.waiting, clock.pending]).toEqual([["a x2", "b x1"], 0, 0]);
  recorder.record(note("c"));
  await recorder.flush();
  expect([(await stored()).at(-1), clock.pending]).toEqual(["c x1", 0]);
});

test("while the API hangs, recording goes on and memory is bounded", async () => {
  const { cluster, clock, recorder } = recording({ waitingMax: 50, entriesMax: 100, burst: 1e9 });
  cluster.fault = () => new Promise(() => {});
  for (let index = 0; index < 1000; index++)
    recorder.record(note("a", { object: { ...workflow, uid: String(index) } }));
  await clock.advance(1000);
  expect(recorder.waiting).toBeLessThanOrEqual(50);
  expect(recorder.counts.dropped).toBeGreaterThanOrEqual(949);
});

test("names of events of one millisecond differ, and long messages are cut", async () => {
  const { cluster, recorder } = recording();
  recorder.record(note("x".repeat(5000)));
  recorder.record(note("b"));
  await recorder.flush();
  const { items } = await cluster.list<Event>(events);
  expect(new Set(items.map(({ metadata }) => metadata.name)).size).toBe(2);
  expect(items[0]?.message).toHaveLength(1024);
});
