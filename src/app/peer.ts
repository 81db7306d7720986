/** A place that another process owns (over its socket), or that nobody owns (its store, to read). */

import { tmpdir } from "node:os";
import { type LogOptions, PlaceError, type PlaceHandle, type PodRef, type ServerHandle } from "../cli/ports.js";
import { openServer, openSqliteStore, readSqliteStore } from "../cluster/apiserver/index.js";
import { argoTypes, builtInTypes, pods, workflows } from "../core/model/resources.js";
import { objectPath, queryText } from "../kube/http/paths.js";
import { undiciTransport, unixTransport } from "../kube/http/undici-transport.js";
import { HttpClient } from "../kube/http-client.js";
import { placeErrorOf } from "./owner.js";
import { isOwned } from "./ownership.js";
import { contentOf } from "./place-content.js";
import { placeLog } from "./place-logs.js";
import { placePaths } from "./place-paths.js";
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
    logs: (ref, container, options) => remoteLog(client, ref, container, options),
    ...contentOf({ paths, client, names }),
    endWork: () => Promise.resolve(),
    close: () => client.close(),
  };
}

async function* remoteLog(
  client: HttpClient,
  ref: PodRef,
  container: string,
  { follow, previous, tailLines, timestamps, since, signal }: LogOptions,
): AsyncIterable<Uint8Array> {
  const sinceTime = since === undefined ? undefined : new Date(since).toISOString();
  const query = queryText({ container, follow, previous, tailLines, timestamps, sinceTime });
  const path = objectPath(pods, ref, "log") + query;
  const { body } = await client.stream({ method: "GET", path, ...(signal !== undefined && { signal }) });
  yield* body;
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
