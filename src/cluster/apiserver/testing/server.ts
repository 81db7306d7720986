/** A server in memory for tests, with virtual time. */

import type { KubeObject, ObjectMeta } from "../../../core/model/kube/meta.js";
import { apiVersionOf, argoTypes, builtInTypes, type ResourceType, workflows } from "../../../core/model/resources.js";
import { SeededChance } from "../../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../../kube/testing/virtual-clock.js";
import { type ApiServer, openMemoryStore, openServer, type ServerOptions } from "../index.js";

export interface TestServer {
  readonly server: ApiServer;
  readonly clock: VirtualClock;
}

export async function testServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const clock = new VirtualClock();
  const server = await openServer({
    store: openMemoryStore(),
    clock,
    chance: new SeededChance(1),
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
    ...options,
  });
  return { server, clock };
}

export const namespace = "default";

/** An object of `type` in the namespace "default", or in none. */
export function objectOf(type: ResourceType, metadata: ObjectMeta, rest: object = {}): KubeObject {
  const placed = type.namespaced ? { namespace, ...metadata } : metadata;
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: placed, ...rest };
}

/** A member of an object that no type here knows. */
export function member(object: KubeObject | undefined, ...path: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of path) value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return value;
}
