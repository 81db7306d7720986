/** A cluster whose containers are processes of this machine, in real time: the real parts, all of them. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openMemoryStore, openServer } from "../../../src/cluster/apiserver/index.js";
import { type Kubelet, type PodHandle, type Runtime, startKubelet } from "../../../src/cluster/kubelet/index.js";
import { type HostFixture, realClock } from "../../../src/cluster/kubelet/testing/host-fixture.js";
import { type Controller, startController } from "../../../src/controller/index.js";
import type { Pod } from "../../../src/core/model/kube/pod.js";
import { argoTypes, builtInTypes, workflows } from "../../../src/core/model/resources.js";
import { invalidSpecOrNeed } from "../../../src/core/validate/index.js";
import { executorImages } from "../../../src/executor/index.js";
import type { Client } from "../../../src/kube/client.js";
import { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { Truth } from "../../simulation/world/truth.js";
import type { LifecycleCluster } from "../world/cluster.js";
import type { StartedContainer } from "../world/machine.js";

const NODE_NAME = "vm";

export class HostCluster implements LifecycleCluster {
  readonly clock = realClock(() => Date.now());
  readonly truth: Truth;
  readonly machine: LifecycleCluster["machine"];
  statusFinalizer = true;
  /** Errors nobody expects: of handlers, of the engine. */
  readonly defects: string[] = [];
  readonly #chance = ownChance();
  readonly #starts: StartedContainer[] = [];
  /** Containers that run, by pod. */
  readonly #running = new Map<string, Map<string, PodHandle>>();
  #kubelet: Kubelet | undefined;
  #controller: Controller | undefined;

  private constructor(
    private readonly fixture: HostFixture,
    private readonly server: Awaited<ReturnType<typeof openServer>>,
  ) {
    this.truth = new Truth({ client: () => this.outside() });
    this.machine = {
      starts: this.#starts,
      running: () => [...this.#running].filter(([, containers]) => containers.size > 0).map(([uid]) => uid),
      signal: async (uid, name, signal) => this.#running.get(uid)?.get(name)?.signal(name, signal),
    };
  }

  static async start(fixture: HostFixture): Promise<HostCluster> {
    const server = await openServer({
      store: openMemoryStore(),
      clock: realClock(() => Date.now()),
      chance: ownChance(),
      types: [...builtInTypes, ...argoTypes],
      rowFields: [{ type: workflows, path: "status.nodes" }],
    });
    const cluster = new HostCluster(fixture, server);
    await cluster.truth.follow();
    await cluster.startKubelet();
    cluster.startController();
    return cluster;
  }

  async stop(): Promise<void> {
    this.truth.close();
    await this.#controller?.stop();
    await this.#kubelet?.kill();
    await this.server.close();
  }

  outside(): Client {
    return this.server.client();
  }

  startController(): void {
    this.#controller = startController({
      client: this.outside(),
      clock: this.clock,
      chance: this.#chance,
      engine: {
        pod: { layout: "local", images: new Map(), statusFinalizer: this.statusFinalizer },
        validate: invalidSpecOrNeed,
        onDefect: (message) => this.defects.push(message),
      },
      signals: { send: async (pod, names, signal) => this.#kubelet?.signal({ uid: uidOf(pod) }, signal, names) },
      observer: { faulted: (error) => this.defects.push(String(error)) },
    });
  }

  stopController(): void {
    void this.#controller?.stop();
  }

  async startKubelet(): Promise<void> {
    const { folder, podsFolder } = this.fixture;
    this.#kubelet = await startKubelet({
      client: this.outside(),
      clock: this.clock,
      chance: this.#chance,
      runtime: this.#counted(await this.fixture.start()),
      builtinImages: executorImages({
        client: this.outside(),
        clock: this.clock,
        placeArtifactsFolder: join(folder, "artifacts"),
        sharedArtifactsFolder: join(folder, "shared"),
      }),
      nodeName: NODE_NAME,
      podsFolder,
      claimsFolder: join(folder, "claims"),
      maxPods: Number.POSITIVE_INFINITY,
      onError: (error, pod) => this.defects.push(`${pod.metadata.name}: ${String(error)}`),
    });
  }

  stopKubelet(): void {
    void this.#kubelet?.close();
  }

  async signal(pod: Pod, containerName: string, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#kubelet?.signal({ uid: uidOf(pod) }, signal, [containerName]);
  }

  /** Keeps what was started, and what of it runs. */
  #counted(runtime: Runtime): Runtime {
    return {
      name: runtime.name,
      files: runtime.files,
      // The fixture has started it.
      start: () => Promise.resolve(),
      openPod: async (setup) => this.#watched(setup.pod, await runtime.openPod(setup)),
      close: () => runtime.close(),
    };
  }

  #watched(pod: Pod, handle: PodHandle): PodHandle {
    const running = new Map<string, PodHandle>();
    this.#running.set(uidOf(pod), running);
    const startContainer: PodHandle["startContainer"] = async (setup) => {
      const { container, restartCount } = setup;
      const result = await handle.startContainer(setup);
      if (result.kind !== "started") return result;
      this.#starts.push({ pod, container, restartCount });
      running.set(container.name, handle);
      void handle.ended(container.name).then(() => running.delete(container.name));
      return result;
    };
    return { ...delegated(handle), startContainer };
  }
}

function delegated(handle: PodHandle): PodHandle {
  return {
    get ip() {
      return handle.ip;
    },
    found: handle.found,
    startContainer: (setup) => handle.startContainer(setup),
    ended: (name) => handle.ended(name),
    signal: (name, signal) => handle.signal(name, signal),
    exec: (name, command, timeoutMs) => handle.exec(name, command, timeoutMs),
    shell: (name) => handle.shell(name),
    readFile: (name, path, maxBytes) => handle.readFile(name, path, maxBytes),
    exportPath: (name, path) => handle.exportPath(name, path),
    log: (name, restartCount) => handle.log(name, restartCount),
    remove: () => handle.remove(),
  };
}

/** Processes are known by their pod's UID: no two clusters of a machine may give the same. */
function ownChance(): SeededChance {
  return new SeededChance(Number.parseInt(randomUUID().slice(0, 8), 16));
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}
