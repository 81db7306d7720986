/** Differences between a replay and its recording, as a person reads them. */

import type { NodeStatus } from "../../../src/core/model/argo/node.js";
import type { RecordedNode, Recording } from "./recording.js";
import type { Outcome } from "./stage.js";

export interface Difference {
  /** `nodes.wf[0].a.message` */
  readonly path: string;
  readonly ours: unknown;
  readonly argos: unknown;
}

export function compare(outcome: Outcome, recording: Recording): readonly Difference[] {
  const ours = oursOf(outcome);
  const argos = argosOf(recording);
  const racy = new Set((recording.racyDiff ?? []).map((diff) => diff.path.replace(/^\./, "")));
  const differences = [
    ...walk("", ours, argos),
    ...outcome.defects.map((text) => ({ path: "replay", ours: text, argos: undefined })),
  ];
  return differences.filter((difference) => !isRacy(racy, difference.path));
}

function isRacy(racy: ReadonlySet<string>, path: string): boolean {
  return [...racy].some((one) => path === one || path.startsWith(`${one}.`) || one.startsWith(`${path}.`));
}

export type Comparable = Readonly<Record<string, unknown>>;

function oursOf(outcome: Outcome): Comparable {
  const { status, metadata } = outcome.workflow;
  const nodes = Object.values(status?.nodes ?? {});
  const nameOf = new Map(nodes.map((node) => [node.id, node.name]));
  return {
    phase: outcome.timedOut ? `${status?.phase ?? ""} (not ended)` : (status?.phase ?? ""),
    message: status?.message ?? "",
    progress: status?.progress ?? "",
    conditions: byType(status?.conditions),
    outputs: status?.outputs,
    labels: metadata.labels,
    podNames: outcome.podNames,
    nodes: Object.fromEntries(nodes.map((node) => [node.name, comparableNode(namedNode(node, nameOf))])),
  };
}

function argosOf(recording: Recording): Comparable {
  return {
    phase: recording.timedOut ? `${recording.phase} (not ended)` : recording.phase,
    message: recording.message,
    progress: recording.progress,
    conditions: byType(recording.conditions),
    outputs: recording.outputs,
    labels: recording.labels,
    podNames: recording.pods.map((pod) => pod.metadata.name ?? "").sort(),
    nodes: Object.fromEntries(recording.nodes.map((node) => [node.name, comparableNode(node)])),
  };
}

/** Conditions have no order. */
export function byType(conditions: Recording["conditions"]): Comparable {
  return Object.fromEntries((conditions ?? []).map(({ type, ...rest }) => [type, rest]));
}

/** With names in place of IDs, as recordings have them. */
export function namedNode(node: NodeStatus, nameOf: ReadonlyMap<string, string>): RecordedNode {
  const { boundaryID, children, outboundNodes, ...rest } = node;
  const named = (ids: readonly string[] | undefined): readonly string[] | undefined =>
    ids?.map((id) => nameOf.get(id) ?? id);
  const boundaryName = boundaryID === undefined ? undefined : (nameOf.get(boundaryID) ?? boundaryID);
  return dropUndefined({
    ...rest,
    boundaryName,
    children: named(children),
    outboundNodes: named(outboundNodes),
  }) as unknown as RecordedNode;
}

/** What recordings do not hold, or hold in no fixed order, is left out or sorted. */
export function comparableNode(node: RecordedNode): Comparable {
  const {
    startedAt: _s,
    finishedAt: _f,
    estimatedDuration: _e,
    resourcesDuration: _r,
    taskResultSynced: _t,
    hostNodeName: _h,
    ...rest
  } = node;
  const plain: Record<string, unknown> = { ...rest, ...shutdownRace(node) };
  for (const list of ["children", "outboundNodes"]) {
    const names = plain[list];
    if (Array.isArray(names)) plain[list] = [...names].sort();
  }
  return plain;
}

/**
 * A pod told to stop may report its own end before or after the node is failed for the shutdown (the recordings show
 * both): the two are one outcome.
 */
function shutdownRace(node: RecordedNode): Comparable {
  const message = node.message ?? "";
  const stopped =
    message.startsWith("workflow shutdown with strategy:") || /^main: Error \(exit code 1(43|37)\)$/.test(message);
  return stopped && node.type === "Pod" ? { message: "(ended by shutdown or signal)", outputs: undefined } : {};
}

/** Differences of two plain values below `path`; what is empty equals what is absent. */
export function* walk(path: string, ours: unknown, argos: unknown): Generator<Difference> {
  const left = scrubbed(ours);
  const right = scrubbed(argos);
  if (isEmpty(left) && isEmpty(right)) return;
  if (isPlainObject(left) && isPlainObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      yield* walk(path === "" ? key : `${path}.${key}`, left[key], right[key]);
    }
    return;
  }
  if (JSON.stringify(canonical(left)) !== JSON.stringify(canonical(right))) yield { path, ours: left, argos: right };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (isPlainObject(value) && Object.values(value).every(isEmpty))
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function dropUndefined(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;

/** `workflow.duration` in seconds: how long it took by the wall clock. */
const DURATION = /^\d+\.\d{6}$/;
/** Which of the two is met first depends on the moment (the README of the recordings). */
const BACKOFF_RACE = /^(Backoff would exceed max duration limit|Max duration limit exceeded)$/;

/** Times and UIDs are scrubbed in the recordings, what depends on the wall clock is here. */
function scrubbed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (DURATION.test(value)) return "<duration>";
  if (BACKOFF_RACE.test(value)) return "(out of time)";
  return value.replace(TIME, "<time>").replaceAll("workflow-uid", "<uid>");
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(scrubbed(item)));
  if (!isPlainObject(value)) return scrubbed(value);
  const entries = Object.entries(value).filter(([, item]) => !isEmpty(item));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, canonical(item)]));
}
