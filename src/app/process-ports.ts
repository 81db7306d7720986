/** The command line's ports on this process: its streams, signals, environment and machine. */

import { availableParallelism, homedir } from "node:os";
import type { Input, Output, PlaceHost, Ports, SignalName, Signals, VersionInfo } from "../cli/ports.js";
import { systemChance, systemClock } from "./system-clock.js";

export function processPorts(version: VersionInfo, places: () => Promise<PlaceHost>): Ports {
  return {
    version,
    env: environment(),
    cwd: process.cwd(),
    home: homedir(),
    machine: { platform: process.platform, arch: process.arch, cpus: availableParallelism() },
    stdin: standardInput(),
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    clock: systemClock,
    chance: systemChance,
    signals: processSignals,
    utcOffsetMinutes: (at) => -new Date(at).getTimezoneOffset(),
    places,
  };
}

function environment(): ReadonlyMap<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Map(entries);
}

function standardInput(): Input {
  return {
    isTTY: process.stdin.isTTY === true,
    read: () => process.stdin,
  };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  const state: { closed: boolean; fault: Error | undefined } = { closed: false, fault: undefined };
  // A reader that went away (`tiphys logs | head`) must not become an exception; what is lost otherwise must be told.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    state.closed = true;
    if (error.code !== "EPIPE") state.fault ??= error;
  });
  return {
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
    get closed() {
      return state.closed;
    },
    get fault() {
      return state.fault;
    },
    write: (chunk) => state.closed || stream.write(chunk),
    drained: () => drained(stream, state),
    settled: async () => {
      await drained(stream, state);
      // An error of the last write is told once this turn of the loop is over.
      await new Promise(setImmediate);
    },
    onResize: (listener) => {
      stream.on("resize", listener);
      return () => stream.off("resize", listener);
    },
  };
}

function drained(stream: NodeJS.WriteStream, state: { readonly closed: boolean }): Promise<void> {
  if (state.closed || !stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done);
      stream.off("error", done);
      resolve();
    };
    stream.on("drain", done);
    stream.on("error", done);
  });
}

const signalNames: readonly SignalName[] = ["SIGINT", "SIGTERM", "SIGHUP"];

const processSignals: Signals = {
  listen: (listener) => {
    const stops = signalNames.map((name) => {
      const handler = (): void => listener(name);
      process.on(name, handler);
      return () => process.off(name, handler);
    });
    return () => {
      for (const stop of stops) stop();
    };
  },
};
