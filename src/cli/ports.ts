/** All that the command line takes from outside: terminal, environment, signals, time, and the places' machinery. */

import type { ArtifactDriver } from "../core/model/argo/artifact.js";
import type { Json } from "../core/std/json.js";
import type { Client } from "../kube/client.js";
import type { Chance, Clock } from "../kube/clock.js";

/** Handed to `main` by the composition root; nothing in the command line reads the process itself. */
export interface Ports {
  readonly version: VersionInfo;
  readonly env: ReadonlyMap<string, string>;
  /** Absolute. */
  readonly cwd: string;
  /** The user's home folder; absolute. */
  readonly home: string;
  readonly machine: Machine;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly signals: Signals;
  /** Minutes east of UTC on this machine at a time (milliseconds since the epoch). */
  utcOffsetMinutes(at: number): number;
  /**
   * The machinery behind places, loaded when first asked for: `version`, `lint` and help must not pay for it. The same
   * object each time.
   */
  places(): Promise<PlaceHost>;
}

export interface VersionInfo {
  /** `0.1.0` */
  readonly version: string;
  readonly buildDate: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly nodeVersion: string;
}

export interface Machine {
  /** Node's `process.platform`. */
  readonly platform: string;
  /** Node's `process.arch`. */
  readonly arch: string;
  readonly cpus: number;
}

export interface Input {
  readonly isTTY: boolean;
  /** Everything until its end. */
  read(): AsyncIterable<Uint8Array>;
}

/** One of the two output streams. A write to a reader that went away is dropped, never an exception. */
export interface Output {
  readonly isTTY: boolean;
  /** Undefined when it is no terminal. Read anew at each use: it changes. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** False when the reader is slower than we are: wait for `drained` before writing much more. */
  write(chunk: string | Uint8Array): boolean;
  /** Resolves when what was written has been taken (or its reader went away). */
  drained(): Promise<void>;
  /** As `drained`; afterwards `fault` says whether all of it was taken. */
  settled(): Promise<void>;
  /** The reader went away (EPIPE), or takes no more. */
  readonly closed: boolean;
  /** Why what was written is lost, though nobody went away: a full disk. */
  readonly fault: Error | undefined;
  /** Returns how to stop listening. */
  onResize(listener: () => void): () => void;
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface Signals {
  /** While someone listens, the signals do not end the process. Returns how to stop listening. */
  listen(listener: (signal: SignalName) => void): () => void;
}

/**
 * The port to the machinery. Folders are chosen by the command line (see places/home.ts) and exist, mode 0700, before
 * `create` is called. Every method rejects with {@link PlaceError} for what the user can understand.
 */
export interface PlaceHost {
  /** Makes the place and owns it: API server, controller, kubelet; serves the place's socket. */
  create(folder: string, options: PlaceOptions): Promise<PlaceHandle>;
  /** Whether an owner is alive; never waits. */
  ownership(folder: string): Promise<"owned" | "free" | "absent">;
  /** Reads the store of a place that nobody owns; writes are refused. */
  open(folder: string): Promise<PlaceHandle>;
  /** To the living owner, over its socket; one that says nothing for a few seconds is called silent. */
  connect(folder: string): Promise<PlaceHandle>;
  /** Becomes the owner of an existing place and goes on with its work. `options` are those of its `create`. */
  takeOver(folder: string, options: PlaceOptions): Promise<PlaceHandle>;
  /** Owns a place that nobody owns, with nothing at work in it: no controller, no kubelet, no socket. */
  hold(folder: string): Promise<PlaceHandle>;
  /** All of a place that nobody owns: its folder, and what containers there are of it. */
  remove(folder: string): Promise<void>;
  /** An API server that asks for no login; `origin` is an http URL. Nothing is asked of it yet. */
  server(origin: string): Promise<ServerHandle>;
  readonly probe: Probe;
}

export interface ServerHandle {
  readonly client: Client;
  close(): Promise<void>;
}

/** Why a place could not be had; `hint` is what to do. */
export class PlaceError extends Error {
  override readonly name = "PlaceError";

  constructor(
    readonly code: PlaceErrorCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export type PlaceErrorCode =
  /** Somebody owns it already; the message holds the owner's address. */
  | "owned"
  | "absent"
  /** Its owner takes what is asked, and says nothing: it was stopped, or is overloaded. */
  | "silent"
  /** Belongs to another user. */
  | "forbidden"
  /** Store damaged, disk full, no permission: exit 4. */
  | "store"
  /** The runtime cannot be used here: exit 3. */
  | "runtime"
  /** The script or stub file is wrong: exit 2. */
  | "script"
  /** This version cannot do that yet: exit 3. */
  | "not-yet";

/** Plain data: the command line keeps it in the place's folder as JSON (mode 0600), for retry, resume and shell. */
export interface PlaceOptions {
  readonly runtime: RuntimeName;
  /** For `host`; found by probing, or asked for. */
  readonly isolation: Isolation;
  /** Pods at once, without daemons; null is no limit. */
  readonly maxPods: number | null;
  readonly mounts: readonly Mount[];
  /** Put into every main container. */
  readonly env: Readonly<Record<string, string>>;
  /** Image -> what it runs when a template has no command. */
  readonly images: Readonly<Record<string, ImageEntry>>;
  readonly stubs: readonly Stub[];
  /** For `scripted`: the outcomes, as read from the file. */
  readonly script: ScriptFile | null;
  readonly artifacts: readonly ArtifactOverride[];
  /** What remote stores are mapped to: `<home>/artifacts`. */
  readonly artifactsFolder: string;
  /** What is kept of a pod's files after its end, for `tiphys shell`. */
  readonly keep: "failed" | "always" | "never";
  readonly pull: "missing" | "always" | "never";
  /** `linux/arm64`; null is the machine's own. */
  readonly platform: string | null;
  /** Images to pull at the start (docker, podman). */
  readonly prefetch: readonly string[];
  /** `data` of the ConfigMap workflow-controller-configmap, when one was given. */
  readonly controllerConfig: Readonly<Record<string, string>>;
}

export type RuntimeName = "host" | "docker" | "podman" | "scripted";
export type Isolation = "full" | "no-proc" | "plain";

export interface Mount {
  /** Absolute. */
  readonly source: string;
  /** Absolute, in the container. */
  readonly target: string;
  readonly access: "rw" | "ro";
}

/** As `images` of Argo's controller configuration. */
export interface ImageEntry {
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
}

export interface Stub {
  readonly template: string;
  /** What FILE holds; null when none was given: outputs come from their defaults. */
  readonly outcome: Json;
  readonly file: string | null;
}

export interface ScriptFile {
  readonly file: string;
  readonly content: Json;
}

export interface ArtifactOverride {
  /** Null: the artifact of that name in any template, or the workflow's argument. */
  readonly template: string | null;
  readonly name: string;
  /** Absolute path of a file or folder on this machine. */
  readonly path: string;
}

export interface PlaceHandle {
  readonly folder: string;
  /** "owner": this process runs it. "peer": another process does. "reader": nobody does. */
  readonly role: "owner" | "peer" | "reader";
  /** How others reach it: the socket's path. */
  readonly address: string;
  readonly client: Client;
  /** Log of a container, also after its pod is gone. Rejects with ApiError 404 when there never was one. */
  logs(pod: PodRef, container: string, options: LogOptions): AsyncIterable<Uint8Array>;
  /** An output artifact as it lies in its store. Rejects with ApiError 404 when it is not there. */
  artifact(request: ArtifactRequest): Promise<ArtifactContent>;
  /**
   * A shell in a step as it left its files, on this process's own terminal; the step itself stays as it is. Rejects
   * with PlaceError when nothing was kept.
   */
  shell(request: ShellRequest): Promise<{ readonly exitCode: number }>;
  /** What `shell` would enter; null when nothing of it was kept. */
  shellTarget(request: ShellRequest): Promise<ShellTarget | null>;
  /**
   * Ends all processes at once, and from when it resolves nothing more is decided or saved: what stands there can still
   * be read, and stays. A peer or reader has nothing to end.
   */
  endWork(): Promise<void>;
  /**
   * "ended": the work is done, tidy up. "abandon": end all processes at once. Both give the lock back; a peer or reader
   * only lets go. Resolves when nothing of this handle runs any more; safe to call twice.
   */
  close(reason: "ended" | "abandon"): Promise<void>;
}

export interface PodRef {
  readonly namespace: string;
  readonly name: string;
}

export interface LogOptions {
  readonly follow?: boolean;
  readonly previous?: boolean;
  /** Lines from the end; left out: all. */
  readonly tailLines?: number;
  /** Milliseconds since the epoch. */
  readonly since?: number;
  /** Each line begins with its RFC 3339 time and a blank. */
  readonly timestamps?: boolean;
  readonly signal?: AbortSignal;
}

export interface ArtifactRequest {
  readonly namespace: string;
  readonly workflow: string;
  readonly nodeId: string;
  readonly artifact: string;
}

export interface ArtifactContent {
  /** Last part of its key, as Argo names the file. */
  readonly fileName: string;
  readonly driver: ArtifactDriver | "fs";
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ShellRequest {
  readonly pod: PodRef;
  readonly container: string;
}

export interface ShellTarget {
  readonly image: string;
  readonly command: readonly string[];
  readonly workingDir: string;
}

/** What this machine can do; asked once, before the first step. */
export interface Probe {
  /** Asks the runtime's daemon through its local socket, or has the program run a container. */
  container(runtime: "docker" | "podman", question: ContainerQuestion): Promise<ContainerProbe>;
  /** The best isolation that works here, found by running it once. */
  isolation(): Promise<IsolationProbe>;
  /** The first of these programs that PATH has. */
  program(names: readonly string[]): Promise<ProgramProbe | null>;
}

export interface ContainerQuestion {
  /** Gives up with "silent" then. */
  readonly timeoutMs: number;
  /** Whether what failed a few minutes ago is tried again: the user may have mended it. */
  readonly failures: "remembered" | "tried again";
}

export type ContainerProbe =
  | { readonly state: "ready"; readonly version: string }
  /** No program, no socket, or nobody listens there. */
  | { readonly state: "absent"; readonly reason: string }
  /** It is there, and not for us, or cannot do its work: worth a word, also where nobody asked for it. */
  | { readonly state: "refused"; readonly reason: string }
  /** The socket accepts and does not answer. */
  | { readonly state: "silent" }
  /** Its daemon is elsewhere (tcp, ssh): used only when named. */
  | { readonly state: "remote"; readonly address: string };

export interface IsolationProbe {
  readonly isolation: Isolation;
  /** Where it is not full: why, and how to get it. */
  readonly reason: string;
}

export interface ProgramProbe {
  readonly name: string;
  readonly path: string;
  /** `3.11`; empty when it did not say. */
  readonly version: string;
}
