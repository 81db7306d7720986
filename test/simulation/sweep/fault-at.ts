/** Where a sweep puts its faults: one kind at one position of what was recorded. As text: `crash:17`. */

import type { Fault } from "../faults/fault.js";

/**
 * - `crash`: the writer dies when its write is done, before it reads the answer.
 * - `event`: the event comes only after whatever else wakes its reader.
 * - `relist`: it never comes: its stream breaks and cannot be taken up again.
 * - `stale`: as `crash`, and lists after the restart are old where they may be.
 * - `conflict`: someone else writes the object first.
 * - `timeout`: the write is done, the answer never comes.
 */
export const kinds = ["crash", "event", "relist", "stale", "conflict", "timeout"] as const;

export type FaultKind = (typeof kinds)[number];

/** The `index`-th write, or watch event, of the unperturbed run; counted from 1. */
export interface FaultAt {
  readonly kind: FaultKind;
  readonly index: number;
}

/** What the unperturbed run counted. */
export interface Recording {
  /** `write controller 3`: of all roles, in their order. */
  readonly writes: readonly string[];
  /** `event kubelet pods 7`. */
  readonly events: readonly string[];
}

/** Long after whatever else wakes its reader. */
const LATE_MS = 5000;
/** Old lists are so many revisions old. */
export const STALE_BY = 6;

export function recordingOf(counted: readonly string[]): Recording {
  return {
    writes: counted.filter((one) => one.startsWith("write ")),
    events: counted.filter((one) => one.startsWith("event ")),
  };
}

/** Every kind at every position it has. */
export function allFaults({ writes, events }: Recording): readonly FaultAt[] {
  return kinds.flatMap((kind) => (isOfEvents(kind) ? events : writes).map((_, at) => ({ kind, index: at + 1 })));
}

function isOfEvents(kind: FaultKind): kind is "event" | "relist" {
  return kind === "event" || kind === "relist";
}

/** What was asked for does not exist; told to a person. */
export class UnknownError extends Error {
  override readonly name = "UnknownError";
}

/** Throws {@link UnknownError} where the recording has no such position. */
export function faultOf({ writes, events }: Recording, { kind, index }: FaultAt): Fault {
  const positions = isOfEvents(kind) ? events : writes;
  const position = positions[index - 1];
  if (position === undefined)
    throw new UnknownError(`${kind}:${index}: there are ${positions.length} positions for it`);
  const [, role = "", ...rest] = position.split(" ");
  if (isOfEvents(kind)) {
    const [plural = "", nth] = rest;
    const fault = kind === "event" ? ({ kind: "late", ms: LATE_MS } as const) : ({ kind: "gone" } as const);
    return { at: "event", role, plural, nth: Number(nth), fault };
  }
  const write = { at: "write", role, nth: Number(rest[0]) } as const;
  switch (kind) {
    case "crash":
    case "stale":
      return { ...write, fault: { kind: "crash", commit: "after" } };
    case "conflict":
      return { ...write, fault: { kind: "conflict" } };
    case "timeout":
      return { ...write, fault: { kind: "timeout", commit: "after" } };
  }
}

export function textOf({ kind, index }: FaultAt): string {
  return `${kind}:${index}`;
}

/** Throws {@link UnknownError}. */
export function parseFaultAt(text: string): FaultAt {
  const [kind, index] = text.split(":");
  const known = kinds.find((one) => one === kind);
  if (known === undefined || !/^[1-9]\d*$/.test(index ?? ""))
    throw new UnknownError(`--at ${text}: give a kind (${kinds.join(", ")}) and a position, as in crash:17`);
  return { kind: known, index: Number(index) };
}
