/** What the driver asks its helper process to do with a container program: run a command, or pump one into a log. */

/** Bytes of a container's two streams. */
export interface StreamBytes {
  readonly stdout: number;
  readonly stderr: number;
}

/** Runs a program to its end. */
export interface CommandRequest {
  readonly op: "command";
  readonly id: number;
  readonly argv: readonly string[];
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Killed after so many milliseconds; left out: never. */
  readonly timeoutMs?: number;
  /** "lines": each line of both streams is told as it comes. */
  readonly tells: "end" | "lines";
}

/** Runs a program whose output is a container's: it is appended to the log files of `folder`. */
export interface PumpRequest {
  readonly op: "pump";
  readonly id: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Of the container's run; made where missing. */
  readonly folder: string;
  /** What stands in the log already and is said again by the program; left out: it is counted. */
  readonly skip?: StreamBytes;
}

/** Ends the program of an earlier request; its reply still comes. */
export interface CancelRequest {
  readonly op: "cancel";
  readonly id: number;
  readonly target: number;
}

export type ContainerRequest = CommandRequest | PumpRequest | CancelRequest;

export interface CommandReply {
  /** 127 when there is no such program, 128 and the signal's number when it was killed. */
  readonly exitCode: number;
  /** The first 4 MiB. */
  readonly stdout: string;
  /** The last 16 KiB. */
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface PumpReply {
  readonly exitCode: number;
  /** Of the container's output, all that stands in the log now. */
  readonly written: StreamBytes;
}
