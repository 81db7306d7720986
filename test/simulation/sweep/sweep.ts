/** The exhaustive sweep of one sample: the unperturbed run is recorded, then each fault is put at each position of it. */

import type { Mutant } from "../world/mutant.js";
import { differences } from "./compare.js";
import { allFaults, type FaultAt, faultOf, type Recording, recordingOf, STALE_BY } from "./fault-at.js";
import { type Played, play } from "./play.js";
import { GONE, type Sample } from "./sample.js";

export interface Recorded {
  readonly sample: Sample;
  readonly usual: Played;
  readonly recording: Recording;
  readonly mutant: Mutant | undefined;
}

export interface Divergence {
  readonly sample: string;
  readonly at: FaultAt;
  /** What is broken, and what differs from the unperturbed run. */
  readonly why: readonly string[];
}

/** The unperturbed run itself is not as it should be: nothing can be compared with it. */
export class WrongBeforeFaultsError extends Error {
  override readonly name = "WrongBeforeFaultsError";
}

/** Rejects with {@link WrongBeforeFaultsError}. */
export async function record(sample: Sample, mutant?: Mutant): Promise<Recorded> {
  const usual = await play(sample, { engineCheck: "each pass", ...(mutant !== undefined && { mutant }) });
  const { broken, ending, world } = usual;
  const why = broken.map(({ invariant, message }) => `${invariant}: ${message}`);
  const ends = sample.ends === GONE && ending.isGone ? GONE : ending.phase;
  if (ends !== sample.ends) why.push(`it ends ${ends}, not ${sample.ends}`);
  if (why.length > 0)
    throw new WrongBeforeFaultsError(`${sample.name}, unperturbed: ${why.join("\n    ")}\n${world.history.print()}`);
  return { sample, usual, recording: recordingOf(world.weather.counted), mutant };
}

export interface Perturbed {
  readonly played: Played;
  /** Undefined: all is as it was without the fault. */
  readonly divergence: Divergence | undefined;
}

export async function perturb({ sample, usual, recording, mutant }: Recorded, at: FaultAt): Promise<Perturbed> {
  const played = await play(sample, {
    faults: [faultOf(recording, at)],
    staleBy: at.kind === "stale" ? STALE_BY : 0,
    ...(mutant !== undefined && { mutant }),
  });
  const broken = played.broken.map(({ invariant, message }) => `${invariant}: ${message}`);
  const why = [...broken, ...differences(sample, usual.ending, played.ending)];
  if (Object.keys(played.world.weather.kinds).length === 0) why.push("the fault did not come about");
  return { played, divergence: why.length === 0 ? undefined : { sample: sample.name, at, why } };
}

/** Runs of every fault at every position, one after the other. */
export async function* sweep(recorded: Recorded): AsyncGenerator<Divergence | undefined> {
  for (const at of allFaults(recorded.recording)) yield (await perturb(recorded, at)).divergence;
}
