/** All samples, several at once, each with its verdict. */

import { createServer } from "node:net";
import type { Difference } from "../conformance/replay/compare.js";
import { compareRun } from "./compare.js";
import { knownDifferences, numbersByChance } from "./known.js";
import type { SampleRecording, Samples } from "./recordings.js";
import { runSample, type SampleRun } from "./run.js";

export interface Verdict {
  readonly recording: SampleRecording;
  readonly run: SampleRun;
  /** Milliseconds. */
  readonly took: number;
  /** Phase Succeeded, and nothing otherwise than on the cluster but what is known and right. */
  readonly succeeded: boolean;
  /** Those that are not known. */
  readonly differences: readonly Difference[];
  /** A difference that is known is not there any more. */
  readonly isOutdated: boolean;
}

export interface JudgeSettings {
  /** Runs at once. */
  readonly parallel: number;
  /** Called as each ends. */
  readonly onVerdict?: (verdict: Verdict) => void;
}

/** Milliseconds that a run may take. */
const TIMEOUT = 60_000;

/** Verdicts in the order of the recordings. */
export async function judgeAll(samples: Samples, settings: JudgeSettings): Promise<readonly Verdict[]> {
  const [servers, rest] = [samples.recordings.filter(holdsPort), samples.recordings.filter((one) => !holdsPort(one))];
  const shared = longestFirst(rest);
  const verdicts = new Map<string, Verdict>();
  const work = async (first: SampleRecording[]): Promise<void> => {
    for (let one = first.shift() ?? shared.shift(); one !== undefined; one = first.shift() ?? shared.shift()) {
      const verdict = await judge(one, samples);
      verdicts.set(one.name, verdict);
      settings.onVerdict?.(verdict);
    }
  };
  // Two servers on one port cannot run at once: one worker has them all.
  await Promise.all(Array.from({ length: settings.parallel }, (_, worker) => work(worker === 0 ? servers : [])));
  return samples.recordings.flatMap(({ name }) => verdicts.get(name) ?? []);
}

/** Port of the machine that a sample serves on: the steps share the machine's network. */
const ports: Readonly<Record<string, number>> = {
  "daemon-nginx": 80,
  "sidecar-nginx": 80,
  "daemon-step": 8086,
  sidecar: 8086,
};

function holdsPort({ name }: SampleRecording): boolean {
  return ports[name] !== undefined;
}

/** Without those whose port cannot be had here; they are told to `leftOut` with the reason. */
export async function runnableHere(samples: Samples, leftOut: (message: string) => void): Promise<Samples> {
  const recordings: SampleRecording[] = [];
  for (const recording of samples.recordings) {
    const port = ports[recording.name];
    if (port === undefined || (await canListen(port))) recordings.push(recording);
    else leftOut(`${recording.name} is left out: this user cannot listen on port ${port} now`);
  }
  return { ...samples, recordings };
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** A long one that begins last would run alone. */
function longestFirst(recordings: readonly SampleRecording[]): SampleRecording[] {
  return [...recordings].sort((a, b) => b.nodes.length - a.nodes.length);
}

async function judge(recording: SampleRecording, { manifests }: Samples): Promise<Verdict> {
  const begun = performance.now();
  const run = await runSample(recording, { manifests, timeout: TIMEOUT });
  const known = knownDifferences[recording.name]?.path;
  const all = compareRun(run, recording, numbersByChance.has(recording.name));
  const differences = all.filter(({ path }) => known?.test(path) !== true);
  const isOutdated = known !== undefined && differences.length === all.length;
  const succeeded = run.exitCode === 0 && run.workflow?.status?.phase === "Succeeded" && differences.length === 0;
  return { recording, run, took: performance.now() - begun, succeeded, differences, isOutdated };
}
