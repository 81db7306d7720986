/** Places as the command line sees them: workflows have their nodes in place, also those that are stored compressed. */

import { compressNodes, withNodes } from "../../controller/stored-nodes.js";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { type ResourceType, workflows } from "../../core/model/resources.js";
import type { Client, WatchEvent, WatchOptions } from "../../kube/client.js";
import { isTooLarge } from "../../kube/errors.js";
import type { PlaceHandle, PlaceHost } from "../ports.js";

export function withNodesInPlace(host: PlaceHost): PlaceHost {
  return {
    create: async (folder, options) => seen(await host.create(folder, options)),
    takeOver: async (folder, options) => seen(await host.takeOver(folder, options)),
    open: async (folder) => seen(await host.open(folder)),
    connect: async (folder) => seen(await host.connect(folder)),
    hold: async (folder) => seen(await host.hold(folder)),
    ownership: (folder) => host.ownership(folder),
    remove: (folder) => host.remove(folder),
    server: (origin) => host.server(origin),
    probe: host.probe,
  };
}

function seen(handle: PlaceHandle): PlaceHandle {
  return { ...handle, client: nodesInPlace(handle.client) };
}

/** What is read is expanded; what is written goes as it is, and compressed where the API does not take that. */
function nodesInPlace(client: Client): Client {
  return {
    get: async (type, key) => expanded(type, await client.get(type, key)),
    list: async <T extends KubeObject>(type: ResourceType, options: Parameters<Client["list"]>[1]) => {
      const list = await client.list<T>(type, options);
      return { ...list, items: list.items.map((item) => expanded(type, item)) };
    },
    watch: (type, options) => expandedEvents(client, type, options),
    create: async (type, object, options) => expanded(type, await client.create(type, object, options)),
    update: async <T extends KubeObject>(type: ResourceType, object: T, options: Parameters<Client["update"]>[2]) => {
      const written = client.update<T>(type, object, options).catch((error: unknown) => {
        const smaller = isTooLarge(error) ? compressed(type, object) : undefined;
        if (smaller === undefined) throw error;
        return client.update<T>(type, smaller, options);
      });
      return expanded(type, await written);
    },
    patch: async <T extends KubeObject>(...args: Parameters<Client["patch"]>) =>
      expanded(args[0], await client.patch<T>(...args)),
    delete: async <T extends KubeObject>(...args: Parameters<Client["delete"]>) => {
      const left = await client.delete<T>(...args);
      return left && expanded(args[0], left);
    },
  };
}

async function* expandedEvents<T extends KubeObject>(
  client: Client,
  type: ResourceType,
  options: WatchOptions,
): AsyncIterable<WatchEvent<T>> {
  for await (const event of client.watch<T>(type, options))
    yield event.type === "BOOKMARK" ? event : { ...event, object: expanded(type, event.object) };
}

/** The same object where there is nothing to expand, or it cannot be read: that it cannot is seen by what is left. */
function expanded<T extends KubeObject>(type: ResourceType, object: T): T {
  if (!isWorkflow(type, object)) return object;
  const workflow = withNodes(object);
  if (workflow === object) return object;
  const { compressedNodes: _expanded, ...status } = workflow.status ?? {};
  return { ...workflow, status };
}

/** Undefined where there is nothing to compress. */
function compressed<T extends KubeObject>(type: ResourceType, object: T): T | undefined {
  if (!isWorkflow(type, object) || object.status?.nodes === undefined) return undefined;
  const { nodes, ...status } = object.status;
  return { ...object, status: { ...status, compressedNodes: compressNodes(Object.values(nodes)) } };
}

function isWorkflow(type: ResourceType, _object: KubeObject): _object is Workflow {
  return type.kind === workflows.kind;
}
