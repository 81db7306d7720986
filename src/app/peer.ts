/** A place that another process owns (over its socket), or that nobody owns (its store, to read). */

import { tmpdir } from "node:os";
import { type LogOptions, PlaceError, type PlaceHandle, type PodRef, type ServerHandle } from "../cli/ports.js";
import { openServer, openSqliteStore, readSqliteStore } from "../cluster/apiserver/index.js";
import { argoTypes, builtInTypes, pods, workflows } from "../core/model/resources.js";
import { isNotFound } from "../kube/errors.js";
import { objectPath, queryText } from "../kube/http/paths.js";
import { undiciTransport, unixTransport } from "../kube/http/undici-transport.js";
import { HttpClient } from "../kube/http-client.js";
import { placeErrorOf } from "./owner.js";
import { isOwned } from "./ownership.js";
import { contentOf } from "./place-content.js";
import { placeLog } from "./place-logs.js";
import { type PlacePaths, placePaths } from "./place-paths.js";
import { PodNames } from "./pod-names.js";
import { systemChance, systemClock } from "./system-clock.js";

export async function connectPlace(folder: string): Promise<PlaceHandle> {
  const paths = placePaths(folder);
  const { socket } = paths;
  if (!(await isOwned(folder))) throw new PlaceError("absent", `nobody owns the place ${folder}`);
  const client = new HttpClient({ transport: unixTransport(socket), clock: systemClock });
  const names = new PodNames(folder);
  return {
    folder,
    role: "peer",
    address: socket,
    client,
    logs: (ref, container, options) => remoteLog({ client, paths }, ref, container, options),
    ...contentOf({ paths, client, names }),
    endWork: () => Promise.resolve(),
    close: () => client.close(),
  };
}

interface Peer {
  readonly client: HttpClient;
  readonly paths: PlacePaths;
}

/** From the place's owner; of a pod that the API does not know any more, from the place's folder. */
async function* remoteLog(
  { client, paths }: Peer,
  ref: PodRef,
  container: string,
  options: LogOptions,
): AsyncIterable<Uint8Array> {
  const body = await askedLog(client, ref, container, options);
  if (body !== undefined) return yield* body;
  // Read now: the pod may have come and gone since this peer began.
  const names = new PodNames(paths.folder);
  yield* placeLog({ client, podsFolder: paths.pods, names, kubelet: undefined }, ref, container, options);
}

/** Undefined when there is no such pod or container. */
async function askedLog(
  client: HttpClient,
  ref: PodRef,
  container: string,
  { follow, previous, tailLines, timestamps, since, signal }: LogOptions,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const sinceTime = since === undefined ? undefined : new Date(since).toISOString();
  const query = queryText({ container, follow, previous, tailLines, timestamps, sinceTime });
  const path = objectPath(pods, ref, "log") + query;
  try {
    return (await client.stream({ method: "GET", path, ...(signal !== undefined && { signal }) })).body;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export function readPlace(folder: string): Promise<PlaceHandle> {
  return storedPlace(folder, "reader", (options) => readSqliteStore({ ...options, scratchFolder: tmpdir() }));
}

/** As its owner, with nothing at work in it. */
export function holdPlace(folder: string): Promise<PlaceHandle> {
  return storedPlace(folder, "owner", openSqliteStore);
}

async function storedPlace(
  folder: string,
  role: "reader" | "owner",
  open: typeof openSqliteStore,
): Promise<PlaceHandle> {
  const paths = placePaths(folder);
  const store = await open({
    path: paths.store,
    writer: new URL("./store-writer.cjs", import.meta.url),
  }).catch((error: unknown) => Promise.reject(placeErrorOf(error, paths)));
  const server = await openServer({
    store,
    clock: systemClock,
    chance: systemChance,
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
  });
  const client = server.client();
  const names = new PodNames(folder);
  return {
    folder,
    role,
    address: paths.socket,
    client,
    logs: (ref, container, options) =>
      placeLog({ client, podsFolder: paths.pods, names, kubelet: undefined }, ref, container, options),
    ...contentOf({ paths, client, names }),
    endWork: () => Promise.resolve(),
    close: () => server.close(),
  };
}

/** An API server that asks for no login. */
export async function connectServer(origin: string): Promise<ServerHandle> {
  const client = new HttpClient({ transport: undiciTransport({ origin }), clock: systemClock });
  return { client, close: () => client.close() };
}
