/** How a pod stands, as a kubelet tells it. */

import type { ContainerState, ContainerStatus, PodSpec, PodStatus } from "../../../src/core/model/kube/pod.js";
import { rfc3339OfMs } from "../../../src/core/std/time.js";

function status(phase: NonNullable<PodStatus["phase"]>, main: ContainerState, more: PodStatus = {}): PodStatus {
  return { phase, containerStatuses: [statusOf(mainName, main)], ...more };
}

const mainName = "main";

function statusOf(name: string, state: ContainerState): ContainerStatus {
  return { name, image: "", imageID: "", ready: state.running !== undefined, restartCount: 0, state };
}

/** The same of a pod that has other containers too: they begin and end with main. */
export function completed(status: PodStatus, { containers }: PodSpec): PodStatus {
  const { containerStatuses = [] } = status;
  const main = containerStatuses.find(({ name }) => name === mainName);
  if (main?.state === undefined) return status;
  const { terminated, ...state } = main.state;
  const beside = terminated === undefined ? state : { terminated: { ...terminated, exitCode: 0, reason: "Completed" } };
  const known = new Set(containerStatuses.map(({ name }) => name));
  const others = containers.filter(({ name }) => !known.has(name)).map(({ name }) => statusOf(name, beside));
  return { ...status, containerStatuses: [...containerStatuses, ...others] };
}

export const waiting: PodStatus = status("Pending", {
  waiting: { reason: "ImagePullBackOff", message: "no such image" },
});

export const unschedulable: PodStatus = {
  phase: "Pending",
  conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no room" }],
};

export function running(nowMs: number): PodStatus {
  return status("Running", { running: { startedAt: rfc3339OfMs(nowMs) } }, { podIP: "10.0.0.1" });
}

/** A daemon is not up before this has passed. */
export function unready(nowMs: number): PodStatus {
  const { containerStatuses = [], ...rest } = running(nowMs);
  return { ...rest, containerStatuses: containerStatuses.map((one) => ({ ...one, ready: false })) };
}

export function ended(nowMs: number, exitCode: number): PodStatus {
  const time = rfc3339OfMs(nowMs);
  const reason = exitCode === 0 ? "Completed" : "Error";
  const phase = exitCode === 0 ? "Succeeded" : "Failed";
  return status(phase, { terminated: { exitCode, reason, startedAt: time, finishedAt: time } });
}

/** Main has ended, and what is beside it is still at work. */
export function reporting(nowMs: number, exitCode: number, { containers }: PodSpec): PodStatus {
  const { containerStatuses = [] } = ended(nowMs, exitCode);
  const others = containers.filter(({ name }) => name !== mainName);
  const atWork = others.map(({ name }) => statusOf(name, { running: { startedAt: rfc3339OfMs(nowMs) } }));
  return { phase: "Running", podIP: "10.0.0.1", containerStatuses: [...containerStatuses, ...atWork] };
}

/** Before main began: the node may be given another pod. */
export function evicted(): PodStatus {
  return status("Failed", { waiting: { reason: "PodInitializing" } }, { reason: "Evicted", message: "low on memory" });
}
