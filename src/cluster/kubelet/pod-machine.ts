/** A pod's life as a function: what is known and the time decide what to do next. */

import type { Container, PodSpec } from "../../core/model/kube/pod.js";
import {
  type ContainerRecord,
  exitOf,
  isAlive,
  isSidecar,
  type PodFailure,
  type PodState,
  type PodStop,
  recordOf,
} from "./pod-state.js";

/** Each is wanted minus observed: carrying one out changes the state so that it is not wanted again. */
export type PodAction =
  /** Make volumes and sandbox ready. */
  | { readonly kind: "set-up" }
  /** The pod as a whole has failed: remember it, and end its containers. */
  | { readonly kind: "fail"; readonly failure: PodFailure; readonly stop: PodStop }
  | { readonly kind: "start"; readonly container: Container; readonly restartCount: number }
  | { readonly kind: "signal"; readonly container: string; readonly signal: "SIGTERM" | "SIGKILL" };

export interface PodDecision {
  readonly actions: readonly PodAction[];
  /** When time alone would change the answer, by the monotonic clock. */
  readonly wakeAt: number | undefined;
  /** Nothing runs any more, and nothing will. */
  readonly finished: boolean;
}

export const DEFAULT_GRACE_SECONDS = 30;
const FIRST_BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 300_000;
/** The driver may not have heard it: who is to be killed and still runs is killed again. */
const KILL_AGAIN_MS = 10_000;

/** Kubernetes' own text. */
export const DEADLINE_MESSAGE = "Pod was active on the node longer than the specified deadline";

const idle: PodDecision = { actions: [], wakeAt: undefined, finished: false };
const finished: PodDecision = { actions: [], wakeAt: undefined, finished: true };

/** What to do next. `now` is the monotonic clock's; asked again after each change of the state and at `wakeAt`. */
export function decidePod(state: PodState, now: number): PodDecision {
  if (state.admission.kind === "waiting") return state.stop === undefined ? idle : finished;
  if (state.stop !== undefined) return decideStop(state, state.stop, now);
  const decision = state.setup.kind === "ready" ? decideRunning(state, now) : decideSetup(state);
  if (decision.finished) return decision;
  const deadline = deadlineOf(state.pod.spec, state.admission.since);
  if (deadline !== undefined && now >= deadline) return failFor(state, "DeadlineExceeded", DEADLINE_MESSAGE, now);
  return deadline === undefined ? decision : { ...decision, wakeAt: earliest(decision.wakeAt, deadline) };
}

function decideStop(state: PodState, stop: PodStop, now: number): PodDecision {
  return mustLook(state) ? decideSetup(state) : decideStopping(state, stop, now);
}

/** What an earlier process left behind is found by setting up: only then is it known what runs, and what is to be stopped. */
export function mustLook({ mayHaveRun, setup }: PodState): boolean {
  return mayHaveRun === true && (isUntried(setup) || (setup.kind === "waiting" && setup.isUnseen === true));
}

/** How long the pod's containers have between SIGTERM and SIGKILL. */
export function graceMsOf(spec: PodSpec): number {
  return (spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000;
}

function deadlineOf(spec: PodSpec, admittedSince: number): number | undefined {
  return spec.activeDeadlineSeconds === undefined ? undefined : admittedSince + spec.activeDeadlineSeconds * 1000;
}

function failFor(state: PodState, reason: string, message: string, now: number): PodDecision {
  const stop = { at: now, graceMs: graceMsOf(state.pod.spec) };
  return { ...idle, actions: [{ kind: "fail", failure: { reason, message }, stop }] };
}

function isUntried(setup: PodState["setup"]): boolean {
  return setup.kind === "working" || (setup.kind === "waiting" && setup.reason === undefined);
}

function decideSetup(state: PodState): PodDecision {
  return state.setup.kind === "waiting" && state.setup.reason === undefined
    ? { ...idle, actions: [{ kind: "set-up" }] }
    : idle;
}

/** Main containers first; sidecars are told when no main container is left, as Kubernetes does. */
function decideStopping(state: PodState, stop: PodStop, now: number): PodDecision {
  const { initContainers = [], containers } = state.pod.spec;
  const mains = [...initContainers.filter((one) => !isSidecar(one)), ...containers];
  const aliveMains = mains.filter((one) => isAlive(recordOf(state, one.name)));
  const sidecars = initContainers.filter((one) => isSidecar(one) && isAlive(recordOf(state, one.name)));
  if (aliveMains.length === 0 && sidecars.length === 0) return finished;
  const killAt = stop.at + stop.graceMs;
  const targets = aliveMains.length > 0 && now < killAt ? aliveMains : [...aliveMains, ...sidecars];
  return endAll(state, targets, killAt, now);
}

function endAll(state: PodState, targets: readonly Container[], killAt: number, now: number): PodDecision {
  const actions: PodAction[] = [];
  for (const { name } of targets) {
    const record = recordOf(state, name);
    // A container that is just being started is told once it runs.
    if (record.state.kind !== "running") continue;
    const wanted = now >= killAt || record.signalled?.signal === "SIGKILL" ? "SIGKILL" : "SIGTERM";
    if (isWeaker(record, wanted) || isUnheard(record, now)) {
      actions.push({ kind: "signal", container: name, signal: wanted });
    }
  }
  const wakeAt = earliest(now >= killAt ? undefined : killAt, killAgainAt(state, targets));
  return { actions, wakeAt, finished: false };
}

/** Those to whom it is sent only now are asked about again once that is on record. */
function killAgainAt(state: PodState, targets: readonly Container[]): number | undefined {
  return earliest(...targets.map(({ name }) => recordOf(state, name)).map(heardBy));
}

/** When the kill must have had its effect; undefined before it was sent. */
function heardBy({ state, signalled }: ContainerRecord): number | undefined {
  return state.kind === "running" && signalled?.signal === "SIGKILL" ? signalled.sentAt + KILL_AGAIN_MS : undefined;
}

function isUnheard(record: ContainerRecord, now: number): boolean {
  const by = heardBy(record);
  return by !== undefined && now >= by;
}

function isWeaker(record: ContainerRecord, wanted: "SIGTERM" | "SIGKILL"): boolean {
  if (record.signalled === undefined) return true;
  return wanted === "SIGKILL" && record.signalled.signal === "SIGTERM";
}

function decideRunning(state: PodState, now: number): PodDecision {
  const { spec } = state.pod;
  const sidecars = keepSidecars(state, now);
  for (const container of spec.initContainers ?? []) {
    const record = recordOf(state, container.name);
    if (isSidecar(container)) {
      if (record.started || record.restartCount > 0) continue;
      return record.state.kind === "waiting" ? join([sidecars, nextStart(state, container, now)]) : sidecars;
    }
    if (exitOf(record)?.exitCode === 0) continue;
    if (exitOf(record) !== undefined && spec.restartPolicy === "Never") return endSidecars(state, now);
    return join([sidecars, endUnhealthy(state, container, now), nextStart(state, container, now)]);
  }
  const mains = spec.containers.filter((one) => isAlive(recordOf(state, one.name)) || mayStart(state, one));
  if (mains.length === 0) return endSidecars(state, now);
  return join([sidecars, ...mains.flatMap((one) => [endUnhealthy(state, one, now), nextStart(state, one, now)])]);
}

/** Whether the container is to be started, or started again. */
function mayStart(state: PodState, container: Container): boolean {
  const record = recordOf(state, container.name);
  if (record.state.kind === "waiting") return true;
  const exit = exitOf(record);
  if (exit === undefined) return false;
  const policy = isSidecar(container) ? "Always" : (state.pod.spec.restartPolicy ?? "Always");
  return policy === "Always" || (policy === "OnFailure" && exit.exitCode !== 0);
}

/** Starts what may start now; a restart waits longer each time. */
function nextStart(state: PodState, container: Container, now: number): PodDecision {
  if (!mayStart(state, container)) return idle;
  const record = recordOf(state, container.name);
  const from = startableFrom(record);
  if (from > now) return Number.isFinite(from) ? { ...idle, wakeAt: from } : idle;
  const restartCount = record.state.kind === "terminated" ? record.restartCount + 1 : record.restartCount;
  return { actions: [{ kind: "start", container, restartCount }], wakeAt: undefined, finished: false };
}

function startableFrom(record: ContainerRecord): number {
  if (record.state.kind === "waiting") return record.state.until ?? 0;
  return record.state.kind === "terminated" ? record.state.since + backOffMs(record.restartCount) : 0;
}

/** The first restart comes at once, then 10 s, 20 s, … at most 5 minutes apart. */
export function backOffMs(restartCount: number): number {
  return restartCount === 0 ? 0 : Math.min(MAX_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (restartCount - 1));
}

function keepSidecars(state: PodState, now: number): PodDecision {
  const started = (state.pod.spec.initContainers ?? []).filter(
    (one) => isSidecar(one) && recordOf(state, one.name).state.kind !== "waiting",
  );
  return join(started.flatMap((one) => [endUnhealthy(state, one, now), nextStart(state, one, now)]));
}

function endUnhealthy(state: PodState, container: Container, now: number): PodDecision {
  const record = recordOf(state, container.name);
  if (record.unhealthy === undefined || record.state.kind !== "running") return idle;
  return endAll(state, [container], (record.signalled?.at ?? now) + graceMsOf(state.pod.spec), now);
}

function endSidecars(state: PodState, now: number): PodDecision {
  const alive = (state.pod.spec.initContainers ?? []).filter((one) => isAlive(recordOf(state, one.name)));
  if (alive.length === 0) return finished;
  const first = Math.min(...alive.map((one) => recordOf(state, one.name).signalled?.at ?? now));
  return endAll(state, alive, first + graceMsOf(state.pod.spec), now);
}

function join(decisions: readonly PodDecision[]): PodDecision {
  // Mostly one of them has something to do, or none.
  const [first = idle, ...others] = decisions.filter((one) => one !== idle);
  if (others.length === 0) return first;
  return {
    actions: [first, ...others].flatMap((one) => one.actions),
    wakeAt: earliest(first.wakeAt, ...others.map((one) => one.wakeAt)),
    finished: false,
  };
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
