/** A host of places in memory: one small cluster a folder, logs as text, owners by hand. */

import { rm } from "node:fs/promises";
import type { Workflow } from "../../core/model/argo/workflow.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { pods, type ResourceType, workflows } from "../../core/model/resources.js";
import type { Client } from "../../kube/client.js";
import { ApiError } from "../../kube/errors.js";
import { FakeCluster } from "../../kube/testing/fake-cluster.js";
import {
  PlaceError,
  type PlaceHandle,
  type PlaceHost,
  type PlaceOptions,
  type Probe,
  type ServerHandle,
} from "../ports.js";
import { at } from "./workflows.js";

/** A manifest of one step. */
export const hello = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: hello}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: alpine, command: [echo, hi]}
`;

export interface FakePlace {
  readonly cluster: FakeCluster;
  readonly options: PlaceOptions;
  /** Pod name -> what its main container wrote. */
  readonly logs: Map<string, string>;
  /** `node/artifact` -> bytes. */
  readonly artifacts: Map<string, string>;
  owned: boolean;
  readonly closed: string[];
}

/** What stands in for the controller: told of each workflow that is created or changed by the command line. */
export type FakeController = (place: FakePlace, workflow: Workflow) => void | Promise<void>;

export class FakePlaces implements PlaceHost {
  readonly places = new Map<string, FakePlace>();
  controller: FakeController = () => undefined;
  /** How long an owner takes to begin and to end. */
  beginning: () => Promise<void> = () => Promise.resolve();
  ending: (reason: "ended" | "abandon") => Promise<void> = () => Promise.resolve();
  /** What the controller still does while it is stopped. */
  lastPass: FakeController = () => undefined;
  probe: Probe = {
    container: () => Promise.resolve({ state: "absent", reason: "no docker program" }),
    isolation: () => Promise.resolve({ isolation: "full", reason: "" }),
    program: (names) => Promise.resolve({ name: names[0] ?? "", path: `/bin/${names[0]}`, version: "" }),
  };

  /** The only place there is. */
  get only(): FakePlace {
    const [place] = this.places.values();
    if (place === undefined) throw new Error("no place was made");
    return place;
  }

  async create(folder: string, options: PlaceOptions): Promise<PlaceHandle> {
    const place = {
      cluster: new FakeCluster(),
      options,
      logs: new Map(),
      artifacts: new Map(),
      owned: true,
      closed: [],
    };
    this.places.set(folder, place);
    await this.beginning();
    return this.#handle(folder, place, "owner");
  }

  ownership(folder: string): Promise<"owned" | "free" | "absent"> {
    const place = this.places.get(folder);
    return Promise.resolve(place === undefined ? "absent" : place.owned ? "owned" : "free");
  }

  open(folder: string): Promise<PlaceHandle> {
    return Promise.resolve(this.#handle(folder, this.#get(folder), "reader"));
  }

  connect(folder: string): Promise<PlaceHandle> {
    return Promise.resolve(this.#handle(folder, this.#get(folder), "peer"));
  }

  async takeOver(folder: string): Promise<PlaceHandle> {
    const place = this.#get(folder);
    place.owned = true;
    await this.beginning();
    return this.#handle(folder, place, "owner");
  }

  hold(folder: string): Promise<PlaceHandle> {
    return this.takeOver(folder);
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    this.places.delete(folder);
  }

  server(origin: string): Promise<ServerHandle> {
    const { cluster } = this.#get(origin);
    return Promise.resolve({ client: cluster, close: () => Promise.resolve() });
  }

  #get(folder: string): FakePlace {
    const place = this.places.get(folder);
    if (place === undefined) throw new PlaceError("absent", `no place at ${folder}`);
    return place;
  }

  #handle(folder: string, place: FakePlace, role: PlaceHandle["role"]): PlaceHandle {
    return {
      folder,
      role,
      address: `${folder}/api.sock`,
      client: this.#client(place),
      logs: (pod) => logOf(place, pod.name),
      artifact: ({ nodeId, artifact }) => {
        const text = place.artifacts.get(`${nodeId}/${artifact}`);
        if (text === undefined) return Promise.reject(new ApiError(404, "NotFound", `no artifact ${artifact}`));
        return Promise.resolve({ fileName: `${artifact}.tgz`, driver: "fs", bytes: once(text) });
      },
      shell: () => Promise.resolve({ exitCode: 7 }),
      shellTarget: () => Promise.resolve({ image: "alpine", command: ["make", "all it"], workingDir: "/src" }),
      endWork: async () => {
        const { items } = await place.cluster.list<Workflow>(workflows, {});
        for (const workflow of items) await this.lastPass(place, workflow);
      },
      close: async (reason) => {
        place.closed.push(`${role} ${reason}`);
        if (role !== "owner") return;
        await this.ending(reason);
        place.owned = false;
      },
    };
  }

  /** As the cluster itself, and tells the controller of workflows. */
  #client(place: FakePlace): Client {
    const told = async <T extends KubeObject>(type: ResourceType, written: Promise<T>): Promise<T> => {
      const object = await written;
      if (type.kind === workflows.kind) void this.#control(place, object);
      return object;
    };
    const { cluster } = place;
    return {
      get: (type, key) => cluster.get(type, key),
      list: (type, options) => cluster.list(type, options),
      watch: (type, options) => cluster.watch(type, options),
      create: (type, object) => told(type, cluster.create(type, object)),
      update: (type, object) => told(type, cluster.update(type, object)),
      patch: (type, key, patch) => cluster.patch(type, key, patch),
      delete: (type, key, options) => cluster.delete(type, key, options),
    };
  }

  async #control(place: FakePlace, object: KubeObject): Promise<void> {
    if ("spec" in object) await this.controller(place, await place.cluster.get<Workflow>(workflows, keyOf(object)));
  }
}

function keyOf({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}

async function* logOf(place: FakePlace, pod: string): AsyncIterable<Uint8Array> {
  const text = place.logs.get(pod);
  if (text === undefined) throw new ApiError(404, "NotFound", `no log of ${pod}`);
  yield* once(text);
}

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** A controller that runs a workflow of one container: it writes a line and ends with that code. */
export function oneStep(log: string, exitCode: number): FakeController {
  return async (place, workflow) => {
    const { name = "", namespace = "", uid = "" } = workflow.metadata;
    if (workflow.status?.finishedAt !== undefined || place.logs.has(name)) return;
    place.logs.set(name, log);
    const owner = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name, uid, controller: true };
    await place.cluster.create(pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name,
        namespace,
        ownerReferences: [owner],
        annotations: { "workflows.argoproj.io/node-id": name, "workflows.argoproj.io/node-name": name },
      },
      spec: { containers: [{ name: "main", image: "alpine", command: ["sh", "-c", "echo hi"] }] },
      status: {
        phase: exitCode === 0 ? "Succeeded" : "Failed",
        containerStatuses: [{ name: "main", state: { terminated: { exitCode } } }],
      },
    } as KubeObject);
    const phase = exitCode === 0 ? ("Succeeded" as const) : ("Failed" as const);
    const node = {
      id: name,
      name,
      displayName: name,
      type: "Pod" as const,
      templateName: workflow.spec.entrypoint ?? "",
      phase,
      startedAt: at(0),
      finishedAt: at(3),
      ...(exitCode === 0 ? {} : { message: `Error (exit code ${exitCode})` }),
    };
    await place.cluster.update<Workflow>(workflows, {
      ...workflow,
      status: { phase, startedAt: at(0), finishedAt: at(3), nodes: { [name]: node } },
    });
  };
}
