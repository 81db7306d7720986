/** The embedded API server: Kubernetes' API over a log, in process and over a Unix socket. */

import type { ResourceType } from "../../core/model/resources.js";
import type { Client } from "../../kube/client.js";
import type { Chance, Clock } from "../../kube/clock.js";
import { typeName } from "../../kube/key.js";
import { clientOf } from "./client.js";
import { handlerOf, type Mount } from "./http/handler.js";
import type { LogSource } from "./http/logs.js";
import { type Listener, listen } from "./http/socket.js";
import type { Admission } from "./registry/context.js";
import { Registry } from "./registry/registry.js";
import { Ledger } from "./storage/ledger.js";
import type { Store } from "./storage/port.js";

export type { Mount } from "./http/handler.js";
export type { LogRequest, LogSource } from "./http/logs.js";
export type { Listener } from "./http/socket.js";
export type { Admission } from "./registry/context.js";
export { MemoryDisk, openMemoryStore } from "./storage/memory.js";
export { type Store, StoreError } from "./storage/port.js";
export { openSqliteStore, readSqliteStore } from "./storage/sqlite.js";

export interface ServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  /** What is served from the start; see {@link ApiServer.serve}. */
  readonly types: readonly ResourceType[];
  /** Members of objects whose own members are kept as rows, so that a merge patch of few costs few. */
  readonly rowFields?: readonly RowFieldOption[];
  /** What else an object must fulfil to be stored. */
  readonly admission?: readonly AdmissionOption[];
  /** Left out: made when used, as suits one machine; not by what has an owner, or by events. */
  readonly namespaces?: "made-when-used" | "must-exist";
  /** How far back a watch can begin; left out: 4,096 events, 16 MiB. */
  readonly history?: { readonly events: number; readonly bytes: number };
}

export interface RowFieldOption {
  readonly type: Pick<ResourceType, "group" | "plural">;
  /** `status.nodes`. */
  readonly path: string;
}

export interface AdmissionOption {
  readonly type: Pick<ResourceType, "group" | "plural">;
  readonly check: Admission;
}

export interface ListenOptions {
  /** Where pods/log comes from; left out: there are no logs. */
  readonly logs?: LogSource;
  /** Serves what is below `/tiphys/`. */
  readonly mount?: Mount;
  /** Bytes of a request's body at most; left out: 32 MiB. */
  readonly bodyBytesMax?: number;
  /** Told of errors that should never happen; the client hears only that there was one. */
  readonly onDefect?: (error: unknown) => void;
}

export interface ApiServer {
  /** The API in process. */
  client(): Client;
  /**
   * Kubernetes' REST on a Unix socket, in a folder that only its user can enter. Rejects with Error when the path is too
   * long, or its folder open to others. Ends with the server, or earlier by itself.
   */
  listen(socketPath: string, options?: ListenOptions): Promise<Listener>;
  /** Serves one more type, as a CustomResourceDefinition does. */
  serve(type: ResourceType): void;
  /** Ends watches, waits for writes in flight, and gives the store back. */
  close(): Promise<void>;
}

/** Takes over `store`, which is closed with the server. Rejects with StoreError. */
export async function openServer(options: ServerOptions): Promise<ApiServer> {
  const rowFields = (options.rowFields ?? []).map(({ type, path }) => [typeName(type), path.split(".")] as const);
  const ledger = await Ledger.open(options.store, {
    rowFields: new Map(rowFields),
    history: options.history ?? { events: 4096, bytes: 16 * 1024 * 1024 },
  });
  const registry = new Registry({
    ledger,
    clock: options.clock,
    chance: options.chance,
    types: options.types,
    admission: new Map((options.admission ?? []).map(({ type, check }) => [typeName(type), check])),
    namespaces: options.namespaces ?? "made-when-used",
  });
  const client = clientOf(registry);
  const listeners = new Set<Listener>();
  return {
    client: () => client,
    listen: async (socketPath, more = {}) => {
      const listener = await listen(socketPath, handlerOf({ registry, clock: options.clock, ...more }));
      listeners.add(listener);
      return listener;
    },
    serve: (type) => registry.serve(type),
    close: async () => {
      registry.close();
      await ledger.close();
      await Promise.all([...listeners].map((listener) => listener.close()));
    },
  };
}
