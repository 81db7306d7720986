/** A pod's status as Kubernetes would print it: a function of what is known of the pod. */

import type {
  ContainerState as ApiContainerState,
  Container,
  ContainerStatus,
  PodCondition,
  PodPhase,
  PodStatus,
} from "../../core/model/kube/pod.js";
import { conditionsOf } from "./conditions.js";
import { type ContainerRecord, type ExitRecord, isSidecar, type PodState, recordOf } from "./pod-state.js";
import { messageWithin } from "./termination-message.js";
import { kubeTime } from "./time.js";

/** A container that should have run, and of which nothing was seen when its pod ended. */
export const UNKNOWN_REASON = "ContainerStatusUnknown";
const UNKNOWN_MESSAGE = "The container could not be located when the pod was terminated";
export const KILLED_EXIT_CODE = 137;

export interface StatusInput {
  readonly state: PodState;
  /** Of this machine. */
  readonly nodeName: string;
  /** No container runs any more, and none will. */
  readonly finished: boolean;
  readonly now: number;
}

/** The whole status. Times are kept from the pod's present status where a condition did not change. */
export function statusOf(input: StatusInput): PodStatus {
  const { state, now } = input;
  const { pod } = state;
  if (state.admission.kind === "waiting") return waitingStatus(input, state.admission.message);
  const init = containerStatuses(input, pod.spec.initContainers ?? []);
  const main = containerStatuses(input, pod.spec.containers);
  const phase = phaseOf(input, init, main);
  const conditions = conditionsOf({ pod, phase, init, main, now, previous: pod.status?.conditions ?? [] });
  return {
    phase,
    ...state.failure,
    hostIP: "127.0.0.1",
    ...(state.setup.kind === "ready" && state.setup.ip !== ""
      ? { podIP: state.setup.ip, podIPs: [{ ip: state.setup.ip }] }
      : {}),
    startTime: kubeTime(state.admission.at),
    qosClass: pod.status?.qosClass ?? "BestEffort",
    conditions,
    ...(init.length > 0 ? { initContainerStatuses: init } : {}),
    containerStatuses: main,
  };
}

/** It waits for its turn on this machine: no other will take it. */
function waitingStatus({ state: { pod }, nodeName, now }: StatusInput, message: string): PodStatus {
  const before = pod.status?.conditions?.find((one) => one.type === "PodScheduled");
  const condition: PodCondition = {
    type: "PodScheduled",
    status: "False",
    reason: "Unschedulable",
    message,
    lastTransitionTime: before?.status === "False" ? (before.lastTransitionTime ?? kubeTime(now)) : kubeTime(now),
  };
  const qosClass = pod.status?.qosClass ?? "BestEffort";
  return { phase: "Pending", qosClass, nominatedNodeName: nodeName, conditions: [condition] };
}

function containerStatuses(input: StatusInput, containers: readonly Container[]): readonly ContainerStatus[] {
  return containers.map((container) => containerStatus(input, container));
}

function containerStatus(input: StatusInput, container: Container): ContainerStatus {
  const { state } = input;
  const record = recordOf(state, container.name);
  const running = record.state.kind === "running";
  return {
    name: container.name,
    image: container.image ?? "",
    imageID: "",
    ...(record.containerID === undefined ? {} : { containerID: record.containerID }),
    ready: isReady(record, isInitOnly(state, container)),
    started: running && record.started,
    restartCount: record.restartCount,
    state: apiState(input, container, record),
    ...(record.lastExit === undefined ? {} : { lastState: { terminated: terminated(state, record.lastExit, record) } }),
  };
}

function isInitOnly(state: PodState, container: Container): boolean {
  return !isSidecar(container) && (state.pod.spec.initContainers ?? []).includes(container);
}

/** An init container is ready when it has done its work. */
function isReady(record: ContainerRecord, initOnly: boolean): boolean {
  if (initOnly) return record.state.kind === "terminated" && record.state.exit.exitCode === 0;
  return record.state.kind === "running" && record.ready;
}

function apiState(input: StatusInput, container: Container, record: ContainerRecord): ApiContainerState {
  switch (record.state.kind) {
    case "running":
      return { running: { startedAt: kubeTime(record.state.startedAt) } };
    case "terminated":
      return { terminated: terminated(input.state, record.state.exit, record) };
    default:
      return mustBeLost(input, container) ? { terminated: lost } : { waiting: waiting(input.state, record) };
  }
}

const lost = { exitCode: KILLED_EXIT_CODE, reason: UNKNOWN_REASON, message: UNKNOWN_MESSAGE };

/** Where the last init container ended only after the pod was told to stop, main containers were never due. */
function wasInitialized(state: PodState, init: readonly Container[]): boolean {
  const last = init.at(-1);
  const end = last === undefined ? undefined : recordOf(state, last.name).state;
  return state.stop === undefined || end?.kind !== "terminated" || end.since <= state.stop.at;
}

/** As the kubelet's status manager: main containers of an initialized pod, and the init container it was at. */
function mustBeLost(input: StatusInput, container: Container): boolean {
  const { state, finished } = input;
  if (!finished || state.setup.kind === "refused") return false;
  const init = (state.pod.spec.initContainers ?? []).filter((one) => !isSidecar(one));
  const current = init.find((one) => recordOf(state, one.name).state.kind !== "terminated");
  const failed = init.some((one) => {
    const exit = recordOf(state, one.name).state;
    return exit.kind === "terminated" && exit.exit.exitCode !== 0;
  });
  if (failed) return false;
  if (current !== undefined) return current.name === container.name;
  return init.includes(container) || wasInitialized(state, init);
}

function waiting(state: PodState, record: ContainerRecord): { readonly reason: string; readonly message?: string } {
  const known = record.state.kind === "waiting" || record.state.kind === "starting" ? record.state : undefined;
  if (known?.reason !== undefined) {
    return { reason: known.reason, ...(known.message === undefined ? {} : { message: known.message }) };
  }
  if (state.setup.kind === "waiting" && state.setup.reason !== undefined) {
    const { reason, message } = state.setup;
    return { reason, ...(message === undefined ? {} : { message }) };
  }
  return { reason: (state.pod.spec.initContainers ?? []).length > 0 ? "PodInitializing" : "ContainerCreating" };
}

function terminated(
  { pod }: PodState,
  exit: ExitRecord,
  record: ContainerRecord,
): NonNullable<ApiContainerState["terminated"]> {
  const containers = pod.spec.containers.length + (pod.spec.initContainers ?? []).length;
  return {
    exitCode: exit.exitCode,
    reason: exit.reason ?? (exit.exitCode === 0 ? "Completed" : "Error"),
    ...(exit.message === undefined || exit.message === "" ? {} : { message: messageWithin(exit.message, containers) }),
    ...(exit.startedAt === undefined ? {} : { startedAt: kubeTime(exit.startedAt) }),
    finishedAt: kubeTime(exit.finishedAt),
    ...(record.containerID === undefined ? {} : { containerID: record.containerID }),
  };
}

/** The kubelet's rule; a pod ends only when all of its containers have. */
function phaseOf(input: StatusInput, init: readonly ContainerStatus[], main: readonly ContainerStatus[]): PodPhase {
  if (input.finished) return endPhase(input.state, init, main);
  const initialized = init.every((one, index) => {
    const spec = input.state.pod.spec.initContainers?.[index];
    if (spec !== undefined && isSidecar(spec)) return one.started === true || one.restartCount > 0;
    return one.state?.terminated?.exitCode === 0;
  });
  if (!initialized) return "Pending";
  const isWaiting = main.some((one) => one.state?.waiting !== undefined && one.lastState === undefined);
  return isWaiting ? "Pending" : "Running";
}

function endPhase(state: PodState, init: readonly ContainerStatus[], main: readonly ContainerStatus[]): PodPhase {
  if (state.failure !== undefined) return "Failed";
  const sidecars = new Set((state.pod.spec.initContainers ?? []).filter(isSidecar).map((one) => one.name));
  const counted = [...init.filter((one) => !sidecars.has(one.name)), ...main];
  return counted.every((one) => one.state?.terminated?.exitCode === 0) ? "Succeeded" : "Failed";
}
