/** All samples, several at once, each with its verdict. */

import type { Difference } from "../conformance/replay/compare.js";
import { compareRun } from "./compare.js";
import { knownDifferences, numbersByChance } from "./known.js";
import type { SampleRecording, Samples } from "./recordings.js";
import { builtProgram, runSample, type SampleRun } from "./run.js";

export interface Verdict {
  readonly recording: SampleRecording;
  readonly run: SampleRun;
  /** Milliseconds. */
  readonly took: number;
  /** Phase Succeeded, and nothing otherwise than on the cluster but what is known and right. */
  readonly succeeded: boolean;
  /** Those that are not known. */
  readonly differences: readonly Difference[];
}

export interface JudgeSettings {
  /** Default: the one in `dist/`. */
  readonly program?: string;
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
      const verdict = await judge(one, samples, settings);
      verdicts.set(one.name, verdict);
      settings.onVerdict?.(verdict);
    }
  };
  // Servers on the machine's own ports 80 and 8086 cannot run at once: one worker has them all.
  await Promise.all(Array.from({ length: settings.parallel }, (_, worker) => work(worker === 0 ? servers : [])));
  return samples.recordings.flatMap(({ name }) => verdicts.get(name) ?? []);
}

function holdsPort({ name }: SampleRecording): boolean {
  return /^(daemon-nginx|daemon-step|sidecar|sidecar-nginx|variables-showcase)$/.test(name);
}

/** A long one that begins last would run alone. */
function longestFirst(recordings: readonly SampleRecording[]): SampleRecording[] {
  return [...recordings].sort((a, b) => b.nodes.length - a.nodes.length);
}

async function judge(recording: SampleRecording, { manifests }: Samples, settings: JudgeSettings): Promise<Verdict> {
  const begun = performance.now();
  const program = settings.program ?? builtProgram;
  const run = await runSample(recording, { program, manifests, timeout: TIMEOUT });
  const known = knownDifferences[recording.name]?.path;
  const differences = compareRun(run, recording, numbersByChance.has(recording.name)).filter(
    ({ path }) => known?.test(path) !== true,
  );
  const succeeded = run.exitCode === 0 && run.workflow?.status?.phase === "Succeeded" && differences.length === 0;
  return { recording, run, took: performance.now() - begun, succeeded, differences };
}
