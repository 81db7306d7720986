/** The command line's ports as a test sets them: outputs that remember, a clock that stands, signals on demand. */

import { SeededChance } from "../../kube/testing/seeded-chance.js";
import { VirtualClock } from "../../kube/testing/virtual-clock.js";
import { PlaceError, type PlaceHost, type Ports, type SignalName } from "../ports.js";
import { FakeOutput } from "./output.js";

export interface FakePorts extends Ports {
  readonly stdout: FakeOutput;
  readonly stderr: FakeOutput;
  readonly clock: VirtualClock;
  /** As the terminal or the system would. */
  send(signal: SignalName): void;
}

export interface FakePortsOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly terminal?: { readonly columns: number; readonly rows: number };
  readonly host?: PlaceHost;
  readonly platform?: string;
  readonly seed?: number;
}

export function fakePorts(options: FakePortsOptions): FakePorts {
  const listeners = new Set<(signal: SignalName) => void>();
  return {
    version: { version: "1.2.3", buildDate: "", gitCommit: "abc", gitTreeState: "clean", nodeVersion: "20" },
    env: new Map(Object.entries({ TIPHYS_HOME: `${options.cwd}/.home`, ...options.env })),
    cwd: options.cwd,
    home: options.cwd,
    machine: { platform: options.platform ?? "linux", arch: "x64", cpus: 2 },
    stdin: { isTTY: false, read: () => bytes(options.stdin ?? "") },
    stdout: new FakeOutput(options.terminal),
    stderr: new FakeOutput(options.terminal),
    clock: new VirtualClock({ startMs: Date.parse("2026-11-30T06:00:00Z") }),
    chance: new SeededChance(options.seed ?? 7),
    signals: {
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    utcOffsetMinutes: () => 0,
    places: () =>
      options.host === undefined
        ? Promise.reject(new PlaceError("not-yet", "no machinery in this test"))
        : Promise.resolve(options.host),
    send: (signal) => {
      for (const listener of [...listeners]) listener(signal);
    },
  };
}

async function* bytes(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}
