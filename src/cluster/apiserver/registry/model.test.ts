import fc from "fast-check";
import { expect, test } from "vitest";
import type { KubeObject } from "../../../core/model/kube/meta.js";
import { argoTypes, builtInTypes, workflows } from "../../../core/model/resources.js";
import { isJsonObject, type Json, type JsonObject } from "../../../core/std/json.js";
import type { WatchEvent } from "../../../kube/client.js";
import { ApiError } from "../../../kube/errors.js";
import { deepFreeze } from "../../../kube/freeze.js";
import { applyMergePatch } from "../../../kube/patch/merge-patch.js";
import { SeededChance } from "../../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../../kube/testing/virtual-clock.js";
import { MemoryDisk, openMemoryStore, openServer } from "../index.js";

/** What the registry should hold: for each name its status and finalizers, and whether it waits to be deleted. */
interface Entry {
  status: Json | undefined;
  finalizers: readonly string[];
  isDeleting: boolean;
}

type Command =
  | { readonly kind: "create"; readonly name: string; readonly status: JsonObject; readonly isHeld: boolean }
  | { readonly kind: "merge"; readonly name: string; readonly status: Json }
  | { readonly kind: "replace"; readonly name: string; readonly status: JsonObject }
  | { readonly kind: "set node"; readonly name: string; readonly node: string; readonly value: Json }
  | { readonly kind: "delete"; readonly name: string }
  | { readonly kind: "release"; readonly name: string }
  | { readonly kind: "reopen" };

const name = fc.constantFrom("a", "b");
const node = fc.constantFrom("n1", "n2", "__proto__");
const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  "x",
  { phase: "Running" },
  { out: [1] },
  { phase: "Done", out: { a: 1 } },
  { out: { b: 2 } },
);
const nodes = fc.dictionary(node, fc.oneof(leaf, fc.constant(null)), { maxKeys: 3 });
const status: fc.Arbitrary<JsonObject> = fc.record(
  {
    phase: fc.constantFrom<Json>("Running", "Failed"),
    nodes: fc.oneof(fc.dictionary(node, leaf, { maxKeys: 3 }), leaf),
  },
  { requiredKeys: [] },
);
const change: fc.Arbitrary<Json> = fc.oneof(
  fc.record(
    { nodes: fc.oneof(nodes, fc.constant(null), leaf), phase: fc.constantFrom<Json>("Done", null) },
    { requiredKeys: [] },
  ),
  fc.constant(null),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("create" as const), name, status, isHeld: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("merge" as const), name, status: change }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("replace" as const), name, status }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("set node" as const), name, node, value: leaf }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("release" as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
);

const namespace = "default";
const finalizer = "x.io/hold";

class World {
  readonly #disk = new MemoryDisk();
  readonly #model = new Map<string, Entry>();
  /** Objects as they were answered, with what they looked like then. */
  readonly #snapshots: { readonly object: KubeObject; readonly text: string }[] = [];
  #server = this.#open();
  #start = "1";

  #open() {
    const store = openMemoryStore({ disk: this.#disk });
    const rowFields = [{ type: workflows, path: "status.nodes" }];
    const types = [...builtInTypes, ...argoTypes];
    return openServer({ store, clock: new VirtualClock(), chance: new SeededChance(1), types, rowFields });
  }

  async run(command: Command): Promise<void> {
    if (command.kind === "reopen") return this.#reopen();
    const server = await this.#server;
    const client = server.client();
    const key = { namespace, name: command.name };
    const expected = expectedOf(this.#model, command);
    const answer = await answerOf(async () => {
      if (command.kind === "delete") return client.delete(workflows, key);
      if (command.kind === "create") return client.create(workflows, objectOf(command));
      if (command.kind === "merge")
        return client.patch(workflows, key, { type: "merge", body: deepFreeze({ status: command.status }) });
      if (command.kind === "release")
        return client.patch(workflows, key, { type: "merge", body: { metadata: { finalizers: null } } });
      if (command.kind === "replace") {
        const before = await client.get(workflows, key);
        return client.update(workflows, { ...before, status: command.status } as KubeObject);
      }
      const path = `/status/nodes/${command.node}`;
      return client.patch(workflows, key, { type: "json", body: [{ op: "add", path, value: command.value }] });
    });
    expect(answer.code, JSON.stringify(command)).toBe(expected);
    if (answer.object !== undefined)
      this.#snapshots.push({ object: answer.object, text: JSON.stringify(answer.object) });
  }

  async #reopen(): Promise<void> {
    await (await this.#server).close();
    this.#server = this.#open();
  }

  /** The registry holds what the model holds. */
  async compare(): Promise<void> {
    const { items } = await (await this.#server).client().list(workflows);
    expect(new Map(items.map((item) => [item.metadata.name, stateOf(item)]))).toEqual(new Map(this.#model));
  }

  /** The objects it handed out are as they were, and its watch tells how it came to what it holds. */
  async lookBack(): Promise<void> {
    const client = (await this.#server).client();
    const { items, resourceVersion } = await client.list(workflows);
    for (const { object, text } of this.#snapshots) expect(JSON.stringify(object)).toBe(text);
    const replayed = new Map<string, KubeObject>();
    const stop = new AbortController();
    const newest = Math.max(0, ...items.map(({ metadata }) => Number(metadata.resourceVersion)));
    const watch = client
      .watch(workflows, { resourceVersion: this.#start, signal: stop.signal })
      [Symbol.asyncIterator]();
    for (let seen = 1; seen < newest; ) {
      const { value } = await watch.next();
      const event: WatchEvent<KubeObject> = value;
      if (event.type === "BOOKMARK") continue;
      seen = Number(event.object.metadata.resourceVersion);
      if (event.type === "DELETED") replayed.delete(event.object.metadata.name ?? "");
      else replayed.set(event.object.metadata.name ?? "", event.object);
    }
    stop.abort();
    for (const item of items) expect(replayed.get(item.metadata.name ?? "")).toEqual(item);
    expect(Number(resourceVersion)).toBeGreaterThanOrEqual(newest);
  }
}

function objectOf({ name: own, status: given, isHeld }: Extract<Command, { kind: "create" }>): KubeObject {
  const metadata = { namespace, name: own, ...(isHeld && { finalizers: [finalizer] }) };
  const object = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata, spec: {}, status: given };
  return object;
}

/** The status code (0: all well), the model changed as it should be. */
function expectedOf(model: Map<string, Entry>, command: Exclude<Command, { kind: "reopen" }>): number {
  const entry = model.get(command.name);
  if (command.kind === "create") {
    if (entry !== undefined) return 409;
    const finalizers = command.isHeld ? [finalizer] : [];
    model.set(command.name, { status: command.status, finalizers, isDeleting: false });
    return 0;
  }
  if (entry === undefined) return 404;
  switch (command.kind) {
    case "merge": {
      const merged = applyMergePatch(
        { ...(entry.status !== undefined && { status: entry.status }) },
        { status: command.status },
      );
      entry.status = isJsonObject(merged) ? merged["status"] : undefined;
      return 0;
    }
    case "replace":
      entry.status = command.status;
      return 0;
    case "set node": {
      const before = isJsonObject(entry.status) ? entry.status["nodes"] : undefined;
      if (!isJsonObject(before)) return 422;
      const copy = Object.entries(before).filter(([id]) => id !== command.node);
      entry.status = {
        ...(isJsonObject(entry.status) ? entry.status : {}),
        nodes: Object.fromEntries([...copy, [command.node, command.value]]),
      };
      return 0;
    }
    case "delete":
      entry.isDeleting = true;
      if (entry.finalizers.length === 0) model.delete(command.name);
      return 0;
    case "release":
      entry.finalizers = [];
      if (entry.isDeleting) model.delete(command.name);
      return 0;
  }
}

function stateOf(object: KubeObject): Entry {
  const { status: found, metadata } = object as KubeObject & { readonly status?: Json };
  return {
    status: found === undefined ? undefined : JSON.parse(JSON.stringify(found)),
    finalizers: metadata.finalizers ?? [],
    isDeleting: metadata.deletionTimestamp !== undefined,
  };
}

async function answerOf(call: () => Promise<KubeObject | undefined>) {
  try {
    return { code: 0, object: await call() };
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, object: undefined };
    throw error;
  }
}

test("the registry does what a tiny model does, with rows, finalizers, watches and restarts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 30, size: "+1" }), async (commands) => {
      const world = new World();
      for (const next of commands) {
        await world.run(next);
        await world.compare();
      }
      await world.lookBack();
    }),
    { numRuns: 300 },
  );
});
