/** A place with this process as its owner: store, API server, kubelet and controller, put together. */

import { accessSync, constants, mkdirSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { dirname } from "node:path";
import { sweepIncoming } from "../artifacts/index.js";
import { PlaceError, type PlaceHandle, type PlaceOptions, type PodRef } from "../cli/ports.js";
import { type ApiServer, openServer, openSqliteStore, type Store, StoreError } from "../cluster/apiserver/index.js";
import { type Kubelet, type Runtime, startKubelet } from "../cluster/kubelet/index.js";
import { type Controller, startController } from "../controller/index.js";
import type { Pod } from "../core/model/kube/pod.js";
import { argoTypes, builtInTypes, pods, workflows } from "../core/model/resources.js";
import { messageOf } from "../core/std/message.js";
import { executorImages } from "../executor/index.js";
import { Reflector } from "../kube/reflector.js";
import { compileForSteps } from "./compile-for-steps.js";
import { clearDeleted, type Remains } from "./deleted-workflows.js";
import { archiveWorker, contentOf } from "./place-content.js";
import { placeLog, requestedLog } from "./place-logs.js";
import { type PlacePaths, placePaths } from "./place-paths.js";
import { PodNames } from "./pod-names.js";
import { runtimeOf } from "./runtime.js";
import { engineOptionsOf, hasFailed, takesSlot } from "./settings.js";
import { readStubs, type Stubs, withStubs } from "./stubs.js";
import { systemChance, systemClock } from "./system-clock.js";

/** What runs inside this process for one place, in the order it was started. */
interface Machinery {
  readonly server: ApiServer;
  readonly kubelet: Kubelet;
  readonly controller: Controller;
  readonly watching: Promise<void>;
  readonly stop: AbortController;
}

/**
 * Takes the place's lock and starts its machinery. Rejects, leaving nothing running: with PlaceError, or with the system's
 * own error where nothing can be written.
 */
export async function ownPlace(folder: string, options: PlaceOptions): Promise<PlaceHandle> {
  const paths = placePaths(folder);
  for (const needed of [paths.pods, paths.claims]) mkdirSync(needed, { recursive: true, mode: 0o700 });
  // Of such a folder SQLite would say "disk I/O error".
  accessSync(folder, constants.W_OK);
  const stubs = readStubs(options.stubs);
  const runtime = withStubs(runtimeOf(options, paths, dirname(options.artifactsFolder)), stubs);
  runtime.prepare?.();
  let server: ApiServer | undefined;
  try {
    server = await serverOf(paths);
    const names = new PodNames(folder);
    const machinery = await start({ server, paths, options, stubs, runtime, names });
    compileForSteps();
    return handleOf(machinery, paths, names);
  } catch (error) {
    await runtime.close();
    await server?.close();
    throw error instanceof PlaceError ? error : new PlaceError("runtime", messageOf(error));
  }
}

async function serverOf(paths: PlacePaths): Promise<ApiServer> {
  return openServer({
    store: await storeOf(paths),
    clock: systemClock,
    chance: systemChance,
    types: [...builtInTypes, ...argoTypes],
    rowFields: [{ type: workflows, path: "status.nodes" }],
  });
}

interface Parts {
  readonly server: ApiServer;
  readonly paths: PlacePaths;
  readonly options: PlaceOptions;
  readonly stubs: Stubs;
  readonly runtime: Runtime;
  readonly names: PodNames;
}

/** Rejects with the first fault, when all that had begun has ended again. */
async function start(parts: Parts): Promise<Machinery> {
  const stop = new AbortController();
  const begun: (() => Promise<unknown>)[] = [];
  try {
    return await startAll(parts, stop, begun);
  } catch (error) {
    stop.abort();
    for (const end of begun.toReversed()) await end();
    throw error;
  }
}

/** `begun`: takes how to end what runs so far. */
async function startAll(parts: Parts, stop: AbortController, begun: (() => Promise<unknown>)[]): Promise<Machinery> {
  const { server, paths, names } = parts;
  const client = server.client();
  await clearNowAndThen({ client, names, podsFolder: paths.pods }, stop.signal);
  // First, so that a pod's name is known before anything of the pod can be asked for.
  const watching = recordNames(parts, stop.signal);
  begun.push(() => watching);
  const kubelet = await startKubelet(kubeletOptions(parts));
  begun.push(() => kubelet.close());
  const controller = startController({
    client,
    clock: systemClock,
    chance: systemChance,
    engine: engineOptionsOf(parts.options, parts.stubs),
    signals: { send: (pod, containers, signal) => kubelet.signal({ uid: pod.metadata.uid ?? "" }, signal, containers) },
  });
  begun.push(() => controller.stop());
  await controller.started;
  await server.listen(paths.socket, {
    logs: (request) => requestedLog({ client, podsFolder: paths.pods, names, kubelet }, request, systemClock.now()),
  });
  // Nobody waits for it: it is in the way of nothing.
  for (const folder of [paths.artifacts, parts.options.artifactsFolder]) void sweepIncoming(folder, systemClock.now());
  return { server, kubelet, controller, watching, stop };
}

const CLEAR_EVERY_MS = 3600 * 1000;

/** Resolves after the first time: then nothing is at work yet. */
async function clearNowAndThen(remains: Remains, signal: AbortSignal): Promise<void> {
  let left = await clearDeleted(remains, "nothing runs");
  const timer = setInterval(() => {
    // A look that fails is made again with the next.
    clearDeleted(remains, left).then(
      (next) => (left = next),
      () => undefined,
    );
  }, CLEAR_EVERY_MS).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

async function recordNames({ server, names }: Parts, signal: AbortSignal): Promise<void> {
  const reflector = new Reflector<Pod>({
    client: server.client(),
    type: pods,
    clock: systemClock,
    chance: systemChance,
  });
  reflector.addHandler({ changed: ({ type, object }) => type === "added" && names.add(object) });
  await reflector.run(signal);
  names.write();
}

function kubeletOptions({ server, paths, options, runtime }: Parts): Parameters<typeof startKubelet>[0] {
  const client = server.client();
  return {
    client,
    runtime,
    clock: systemClock,
    chance: systemChance,
    builtinImages: executorImages({
      client,
      clock: systemClock,
      placeArtifactsFolder: paths.artifacts,
      sharedArtifactsFolder: options.artifactsFolder,
      overrides: options.artifacts,
      archiveWorker: archiveWorker(),
    }),
    podsFolder: paths.pods,
    claimsFolder: paths.claims,
    maxPods: options.maxPods ?? Number.POSITIVE_INFINITY,
    takesSlot,
    capacity: { cpuMillis: availableParallelism() * 1000, memoryBytes: totalmem() },
    extraMounts: options.mounts.map(({ source, target, access }) => ({
      path: target,
      source,
      readOnly: access === "ro",
    })),
    extraEnv: new Map(Object.entries(options.env)),
    keepFiles: options.keep,
    hasFailed,
  };
}

function handleOf(machinery: Machinery, paths: PlacePaths, names: PodNames): PlaceHandle {
  const { server, kubelet, controller } = machinery;
  const client = server.client();
  const endWork = async (): Promise<void> => {
    await Promise.all([controller.stop(), kubelet.kill()]);
  };
  let closing: Promise<void> | undefined;
  return {
    folder: paths.folder,
    role: "owner",
    address: paths.socket,
    client,
    logs: (ref: PodRef, container, options) =>
      placeLog({ client, podsFolder: paths.pods, names, kubelet }, ref, container, options),
    ...contentOf({ paths, client, names }),
    endWork,
    close: async (reason) => {
      // Also while the place is being closed in peace: nobody waits any longer.
      const ended = reason === "abandon" ? endWork() : undefined;
      closing ??= close(machinery);
      await ended;
      await closing;
    },
  };
}

/** The controller first, so that it starts nothing more; the kubelet ends what runs; the store last. */
async function close({ server, kubelet, controller, watching, stop }: Machinery): Promise<void> {
  stop.abort();
  await controller.stop();
  await kubelet.close();
  await watching;
  await server.close();
}

async function storeOf(paths: PlacePaths): Promise<Store> {
  try {
    return await openSqliteStore({ path: paths.store, writer: new URL("./store-writer.cjs", import.meta.url) });
  } catch (error) {
    throw placeErrorOf(error, paths);
  }
}

/** A store's refusal in the words of a place. */
export function placeErrorOf(error: unknown, paths: PlacePaths): PlaceError {
  if (error instanceof StoreError && error.fault === "owned") {
    return new PlaceError(
      "owned",
      `another process owns the place ${paths.folder}`,
      `it is reached at ${paths.socket}`,
    );
  }
  return new PlaceError("store", `the store ${paths.store} cannot be opened: ${messageOf(error)}`);
}
