/** The port to what really runs containers: host processes, docker, podman, or a script. */

import type { Container, Pod, Probe } from "../../../core/model/kube/pod.js";
import type { ExitRecord, PodFailure } from "../pod-state.js";

/**
 * What a driver promises:
 * - A start record is durable before a container's process exists, and the exit record before `ended` resolves. A
 *   container with a start record and no exit record that does not live any more is "lost", and never started again.
 * - Methods may be called twice; what is done already is not done again.
 * - A container's files and log can be read until `remove`.
 * - Values handed out are never changed afterwards.
 */
export interface Runtime {
  readonly name: string;
  /** "none": its containers have no files, so no pod folder and no volume is made unless a built-in image asks. */
  readonly files: "disk" | "none";
  /**
   * Left out where there is nothing to gain. Begins what takes time and touches nothing of any pod: it may be called while
   * it is not known yet whether the pods are this process's own. Then `start`, or `close`.
   */
  prepare?(): void;
  /** Once, before all else: ends what an earlier process left behind and this driver cannot take up again. */
  start(): Promise<void>;
  /**
   * Once it is known which pods there are: ends and removes what earlier processes left running of any other, which went while
   * nobody looked. Left out where `start` ended all there was. What cannot be ended now is left to a later process.
   */
  endOthers?(isKnown: (podUid: string) => boolean): Promise<void>;
  /** Readies a pod's sandbox, or finds it again after a restart. Rejects with {@link PodRefusedError}. */
  openPod(setup: PodSetup): Promise<PodHandle>;
  /** Ends all it runs, at once. */
  close(): Promise<void>;
}

export interface PodSetup {
  readonly pod: Pod;
  /** The pod's own folder on this machine; exists. A driver keeps its records and the containers' logs below it. */
  readonly folder: string;
}

/** The pod can never run here: the pod fails with this reason and message. */
export class PodRefusedError extends Error {
  override readonly name = "PodRefusedError";

  constructor(
    /** One word, as in a pod's status. */
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

export interface PodHandle {
  /** Where the pod's ports are reached from other pods and from this machine; may be empty until a container runs. */
  readonly ip: string;
  /** Resolves if the pod as a whole is taken from its node (Evicted): it fails for this reason, its containers end. */
  readonly evicted?: Promise<PodFailure>;
  /** Containers with a start record of an earlier process, newest run of each. */
  readonly found: readonly FoundContainer[];
  /** Resolves once the container runs, or cannot. */
  startContainer(setup: ContainerSetup): Promise<StartResult>;
  /** Resolves when the newest run of the container has ended and its exit record is durable. */
  ended(containerName: string): Promise<ExitRecord>;
  /** To all processes of the container; nothing happens when it has ended. */
  signal(
    containerName: string,
    signal: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP" | "SIGUSR1" | "SIGUSR2",
  ): Promise<void>;
  /** The driver's own answer to a probe; left out: the command is executed, the port is asked. */
  probe?(containerName: string, probe: Probe): Promise<boolean>;
  /** Runs a command inside the running container (probes, hooks); killed after `timeoutMs`. */
  exec(containerName: string, command: readonly string[], timeoutMs: number): Promise<ExecResult>;
  /** How a person's terminal gets a shell with the container's files; undefined where there is no way. */
  shell(containerName: string): Promise<ShellCommand | undefined>;
  /** A file as the container saw it, of a longer one at least the first (or last) `maxBytes`; undefined when there is none. */
  readFile(containerName: string, path: string, maxBytes: number, part?: FilePart): Promise<Buffer | undefined>;
  /** A file or folder as the container saw it, to read from; drivers may have to copy it out. */
  exportPath(containerName: string, path: string): Promise<ExportedPath | undefined>;
  /** What the container's newest run (or the given one) wrote, as lines of {@link file://../log-format.ts}. */
  log(containerName: string, restartCount?: number): LogSource;
  /** Frees everything of the pod but its logs: processes, mounts, files. Never rejects for what is gone already. */
  remove(): Promise<void>;
}

/** Left out: the beginning. */
export type FilePart = "beginning" | "end";

export interface FoundContainer {
  readonly name: string;
  readonly restartCount: number;
  readonly startedAt: number;
  /** "alive": taken up again, `ended` will tell. */
  readonly state: "alive" | "lost" | { readonly exit: ExitRecord };
}

export interface ContainerSetup {
  /** As in the pod; for what a driver alone understands (resources, securityContext). */
  readonly container: Container;
  readonly restartCount: number;
  /** Command and args, variables expanded; empty: the image's own. */
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string | undefined;
  readonly mounts: readonly Mount[];
  /** News while it is being started ("ErrImagePull", "pulling 43 %"). */
  readonly waiting: (reason: string, message: string) => void;
  /** Aborts when the container is not wanted any more: a pull may be given up. */
  readonly signal: AbortSignal;
}

export interface Mount {
  /** Absolute, in the container. */
  readonly path: string;
  /** File or folder on this machine; exists. */
  readonly source: string;
  readonly readOnly: boolean;
}

export type StartResult =
  | { readonly kind: "started"; readonly startedAt: number; readonly containerID: string }
  /** It has ended before it began: StartError, ContainerCannotRun. */
  | { readonly kind: "failed"; readonly exit: ExitRecord }
  /** It may work later (ErrImagePull, ImagePullBackOff, CreateContainerError): tried again after a back-off. */
  | { readonly kind: "waiting"; readonly reason: string; readonly message: string };

export interface ExecResult {
  readonly exitCode: number;
  /** The first bytes of both streams. */
  readonly output: string;
  readonly timedOut: boolean;
}

export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface ExportedPath {
  readonly hostPath: string;
  /** Gives it back; what was copied out is removed. */
  dispose(): Promise<void>;
}

/** A growing run of bytes. */
export interface LogSource {
  /** At most `maxBytes` from `offset`; empty at the end of what there is. */
  read(offset: number, maxBytes: number): Promise<Buffer>;
  size(): Promise<number>;
  /** Resolves when more than `size` bytes may be there, or when `signal` aborts. */
  grown(size: number, signal: AbortSignal): Promise<void>;
}
