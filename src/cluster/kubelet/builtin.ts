/** Built-in images: containers that are functions of this program instead of processes (the executor's init and wait). */

import type { Container, Pod } from "../../core/model/kube/pod.js";

/** Image reference -> what runs; handed to the kubelet by the composition root. */
export type BuiltinImages = ReadonlyMap<string, BuiltinImage>;

export type BuiltinImage = (context: BuiltinContext) => Promise<BuiltinExit>;

export interface BuiltinExit {
  readonly exitCode: number;
  /** Becomes the container's termination message. */
  readonly message?: string;
}

/** What a built-in container can reach: its pod's volumes, and its neighbours' ends, logs and files. */
export interface BuiltinContext {
  readonly pod: Pod;
  readonly container: Container;
  readonly env: ReadonlyMap<string, string>;
  /** Aborts when the container is told to stop (SIGTERM). */
  readonly signal: AbortSignal;
  /**
   * Aborts when it is killed (SIGKILL): for everybody else it is over. From then on nothing here gives an answer any more, and
   * it must not do anything that others can see.
   */
  readonly killed: AbortSignal;
  /** One line to the container's log. */
  log(line: string): void;
  /** Folder of a volume of the pod on this machine. */
  volumePath(volumeName: string): string;
  /** Resolves when the container has ended; at once if it has. */
  ended(containerName: string): Promise<{ readonly exitCode: number }>;
  /** The last `maxBytes` of what the container wrote to stdout. */
  stdoutTail(containerName: string, maxBytes: number): Promise<Buffer>;
  /** What the container wrote to both streams, as far as it has come, in the order it came; rejects when it has no log. */
  output(containerName: string): AsyncIterable<Uint8Array>;
  /** A file as the container saw it, also after its end, of a longer one at least the first `maxBytes`; undefined when there is none. */
  readFile(containerName: string, path: string, maxBytes: number): Promise<Buffer | undefined>;
  /**
   * A file or folder as the container saw it, as a path on this machine to read from; undefined when there is none.
   * `dispose` gives it back.
   */
  exportPath(
    containerName: string,
    path: string,
  ): Promise<{ readonly hostPath: string; dispose(): Promise<void> } | undefined>;
}
