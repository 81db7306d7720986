/** What this process and its helper say to each other: one JSON value a line, over the helper's stdin and stdout. */

import type { ExitRecord } from "../../pod-state.js";
import type { ContainerRequest } from "../container/protocol.js";
import type { Outside } from "./outside.js";

/** All that is needed to run one container; the helper obeys it blindly. */
export interface RunSpec {
  /** Unique among all runs: `<pod UID>/<container>/<restart count>`. */
  readonly key: string;
  /** All of its processes end with its first one: it has a PID namespace of its own. */
  readonly contained: boolean;
  /** Folder of this run: records, log files. Made by the helper. */
  readonly folder: string;
  /** The whole command with its sandbox. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Made before the start, parents first; an existing folder is left as it is. */
  readonly folders: readonly { readonly path: string; readonly mode: number }[];
  /** Files to write before the start; left out content: an empty file if there is none. */
  readonly files: readonly { readonly path: string; readonly content?: string }[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
  readonly outside: Outside;
  /** Where the sandbox says why it could not be made. */
  readonly sandboxError: string | undefined;
  /** A file that is not empty once a signal was sent; the sandbox looks there before it runs the command. */
  readonly signalled: string | undefined;
  /** What a later process needs to open a shell there; kept in the start record. */
  readonly details: unknown;
}

export interface ExecSpec {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Entered through this process's namespaces (its first child's); undefined: run as it is. */
  readonly enter: { readonly nsenter: string; readonly userNamespace: boolean } | undefined;
  readonly timeoutMs: number;
}

export type Request =
  | { readonly op: "start"; readonly id: number; readonly run: RunSpec }
  | { readonly op: "signal"; readonly id: number; readonly key: string; readonly signal: string }
  | { readonly op: "exec"; readonly id: number; readonly key: string; readonly exec: ExecSpec }
  | { readonly op: "sweep"; readonly id: number; readonly owners: readonly string[] }
  | { readonly op: "remove"; readonly id: number; readonly paths: readonly string[] }
  | ContainerRequest;

export type StartReply =
  | { readonly kind: "started"; readonly pid: number; readonly startedAt: number }
  | { readonly kind: "failed"; readonly message: string; readonly code: string; readonly at: number };

export interface ExecReply {
  readonly exitCode: number;
  readonly output: string;
  readonly timedOut: boolean;
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  /** A line of a command that tells its lines. */
  | { readonly said: number; readonly line: string }
  | { readonly exited: string; readonly exit: ExitRecord };

/** Files of a run's folder. */
export const START_RECORD = "start.json";
export const EXIT_RECORD = "exit.json";

/** Carried by each process of a container with the run's key, so that what was left behind is found again. */
export const RUN_VARIABLE = "TIPHYS_RUN";
