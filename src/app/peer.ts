/** A place that another process owns (over its socket), or that nobody owns (its store, to read). */

import { tmpdir } from "node:os";
import { type LogOptions, PlaceError, type PlaceHandle, type PodRef, type ServerHandle } from "../cli/ports.js";
import { openServer, openSqliteStore, readSqliteStore } from "../cluster/apiserver/index.js";
import { argoTypes, builtInTypes, pods, workflows } from "../core/model/resources.js";
import { ApiError, isNotFound } from "../kube/errors.js";
import { objectPath, queryText } from "../kube/http/paths.js";
import type { Transport } from "../kube/http/transport.js";
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
  const transport = unixTransport(socket);
  await hearAnswer(transport, folder).catch(async (error: unknown) => {
    await transport.close();
    throw error;
  });
  const client = new HttpClient({ transport, clock: systemClock });
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

/** The system takes connections for a process that is stopped: only an answer shows that it works. */
const ANSWER_MS = 5_000;

/** Rejects with PlaceError for an owner that says nothing. */
async function hearAnswer(transport: Transport, folder: string): Promise<void> {
  let isOver = false;
  const timer = systemClock.after(ANSWER_MS, () => {
    isOver = true;
  });
  const client = new HttpClient({ transport, clock: systemClock, timeoutMs: ANSWER_MS });
  try {
    await client.text({ method: "GET", path: "/version" });
  } catch (error) {
    // Whatever it says, it is there.
    if (error instanceof ApiError) return;
    if (isOver) throw silentOwner(folder);
    throw error;
  } finally {
    timer.cancel();
  }
}

function silentOwner(folder: string): PlaceError {
  const message = `the process that owns the place ${folder} does not answer`;
  return new PlaceError(
    "silent",
    message,
    "if it was stopped (Ctrl-Z), fg in its terminal lets it go on; else try again",
  );
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
