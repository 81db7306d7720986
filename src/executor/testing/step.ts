/** One step without a cluster: a template's pod, its executor's images run against folders that stand for main's files. */

import { cp, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BuiltinContext, BuiltinExit, BuiltinImages } from "../../cluster/kubelet/builtin.js";
import type { ArtifactLocation } from "../../core/model/argo/artifact.js";
import type { Template } from "../../core/model/argo/template.js";
import type { WorkflowTaskResult } from "../../core/model/argo/workflow.js";
import type { Container, Pod } from "../../core/model/kube/pod.js";
import { workflowTaskResults } from "../../core/model/resources.js";
import { buildPod, localProtocol } from "../../core/podspec/index.js";
import type { Clock } from "../../kube/clock.js";
import { FakeCluster } from "../../kube/testing/fake-cluster.js";
import { executorImages } from "../index.js";
import type { ArtifactOverride } from "../options.js";

export interface StepOptions {
  readonly template: Template;
  readonly includeResult?: boolean;
  readonly archiveLocation?: ArtifactLocation;
  readonly overrides?: readonly ArtifactOverride[];
  /** What main leaves: path -> content. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly stdout?: string | Buffer;
  readonly node?: string;
}

/** A folder for the tests of one file: the place, the shared stores, pods. */
export class Bench {
  readonly cluster = new FakeCluster();

  private constructor(readonly folder: string) {}

  static async open(): Promise<Bench> {
    return new Bench(await mkdtemp(join(tmpdir(), "tiphys-executor-")));
  }

  get place(): string {
    return join(this.folder, "place");
  }

  get shared(): string {
    return join(this.folder, "shared");
  }

  async step(options: StepOptions): Promise<Step> {
    const pod = podOf(options);
    const folder = await mkdtemp(join(this.folder, "pod-"));
    for (const { name } of pod.spec.volumes ?? []) await mkdir(join(folder, "volumes", name), { recursive: true });
    const images = executorImages({
      client: this.cluster,
      clock: immediately,
      placeArtifactsFolder: this.place,
      sharedArtifactsFolder: this.shared,
      overrides: options.overrides ?? [],
    });
    return new Step({ bench: this, images, pod, folder, options });
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

interface StepParts {
  readonly bench: Bench;
  readonly images: BuiltinImages;
  readonly pod: Pod;
  readonly folder: string;
  readonly options: StepOptions;
}

export class Step {
  readonly log: string[] = [];
  readonly stop = new AbortController();
  /** Resolves main's end; left alone, main has ended already. */
  ended: Promise<{ readonly exitCode: number }> = Promise.resolve({ exitCode: 0 });
  readonly #parts: StepParts;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  init(): Promise<BuiltinExit> {
    return this.#run(localProtocol.initImage, (this.#parts.pod.spec.initContainers ?? [])[0]);
  }

  async wait(): Promise<BuiltinExit> {
    for (const [path, content] of Object.entries(this.#parts.options.files ?? {})) {
      await mkdir(dirname(this.mainPath(path)), { recursive: true });
      await writeFile(this.mainPath(path), content);
    }
    return this.#run(
      localProtocol.waitImage,
      this.#parts.pod.spec.containers.find(({ name }) => name === localProtocol.waitContainerName),
    );
  }

  /** Where a path of main lies on this machine: in a volume, or in main's own files. */
  mainPath(path: string): string {
    const main = this.#parts.pod.spec.containers[0];
    const mount = (main?.volumeMounts ?? [])
      .filter(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))
      .toSorted((a, b) => b.mountPath.length - a.mountPath.length)[0];
    if (mount === undefined) return join(this.#parts.folder, "main", path);
    return join(this.volume(mount.name), mount.subPath ?? "", path.slice(mount.mountPath.length));
  }

  volume(name: string): string {
    return join(this.#parts.folder, "volumes", name);
  }

  result(): Promise<WorkflowTaskResult> {
    const { namespace = "" } = this.#parts.pod.metadata;
    const name = this.#parts.options.node ?? "wf-1";
    return this.#parts.bench.cluster.get<WorkflowTaskResult>(workflowTaskResults, { namespace, name });
  }

  #run(image: string, container: Container | undefined): Promise<BuiltinExit> {
    const run = this.#parts.images.get(image);
    if (run === undefined || container === undefined) throw new Error(`the pod has no ${image}`);
    return run(this.#context(container));
  }

  #context(container: Container): BuiltinContext {
    const { pod, options } = this.#parts;
    const stdout = Buffer.from(options.stdout ?? "");
    const exists = (path: string): Promise<boolean> =>
      lstat(this.mainPath(path)).then(
        () => true,
        () => false,
      );
    return {
      pod,
      container,
      env: new Map((container.env ?? []).map(({ name, value = "" }) => [name, value])),
      signal: this.stop.signal,
      killed: new AbortController().signal,
      log: (line) => this.log.push(line),
      volumePath: (name) => this.volume(name),
      ended: () => this.ended,
      stdoutTail: async (_name, maxBytes) => stdout.subarray(Math.max(0, stdout.length - maxBytes)),
      output: async function* () {
        yield stdout;
      },
      readFile: async (_name, path) => ((await exists(path)) ? readFile(this.mainPath(path)) : undefined),
      exportPath: async (_name, path) => {
        if (!(await exists(path))) return undefined;
        const copy = await mkdtemp(join(this.#parts.folder, "export-"));
        await cp(this.mainPath(path), join(copy, "x"), { recursive: true, verbatimSymlinks: true });
        return { hostPath: join(copy, "x"), dispose: () => rm(copy, { recursive: true }) };
      },
    };
  }
}

function podOf({ template, includeResult = false, archiveLocation, node = "wf-1" }: StepOptions): Pod {
  const pod = buildPod({
    workflow: { name: "wf", namespace: "default", uid: "wf-uid" },
    spec: {},
    node: { id: node, name: "wf", podName: `pod-${node}` },
    template,
    includeResult,
    onExit: false,
    retryGeneration: 2,
    ...(archiveLocation === undefined ? {} : { archiveLocation }),
    config: { layout: "local", images: new Map(), statusFinalizer: true },
  });
  if (!pod.ok) throw new Error(pod.error);
  return pod.value;
}

/** Delays are over at once. */
const immediately: Clock = {
  now: () => 0,
  monotonic: () => 0,
  after: (_delay, callback) => {
    queueMicrotask(callback);
    return { cancel: () => undefined };
  },
};
